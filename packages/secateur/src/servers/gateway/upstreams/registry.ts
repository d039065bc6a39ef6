import type { UpstreamOptions } from '../server-table.ts';
import type { Upstream } from '../upstream.ts';
import { httpUpstream } from './http.ts';
import { type StdioUpstreamOptions, stdioUpstream } from './stdio.ts';

/** `env` is what child processes inherit. */
export type UpstreamParts = Pick<StdioUpstreamOptions, 'env' | 'log' | 'lifeline'>;

/** The kind of upstream that takes a line of the table. */
export function openUpstream(options: UpstreamOptions, { env, log, lifeline }: UpstreamParts): Upstream {
  const { url, command, cwd } = options;
  if (url !== undefined) return httpUpstream({ ...options, url });
  if (command !== undefined)
    return stdioUpstream({ ...options, command, cwd, env: { ...env, ...options.env }, log, lifeline });
  throw new Error(`no kind of upstream takes the server ${options.name}`);
}
