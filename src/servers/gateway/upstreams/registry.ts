import type { EventLog } from '../../../runtime/event-log.ts';
import type { Lifeline } from '../../../runtime/lifeline.ts';
import type { UpstreamOptions } from '../server-table.ts';
import type { Upstream } from '../upstream.ts';
import { httpUpstream } from './http.ts';
import { stdioUpstream } from './stdio.ts';

export interface UpstreamParts {
  /** What child processes inherit. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: EventLog;
  /** Ends child processes of a gateway that was killed. */
  readonly lifeline: Lifeline;
}

type OpenUpstream = (options: UpstreamOptions, parts: UpstreamParts) => Upstream | undefined;

/** The kinds of upstream; the first that takes a line of the table serves it. */
const KINDS: readonly OpenUpstream[] = [
  (options) => (options.url === undefined ? undefined : httpUpstream({ ...options, url: options.url })),
  (options, parts) => {
    const { command, cwd } = options;
    if (command === undefined) return undefined;
    const { log, lifeline } = parts;
    return stdioUpstream({ ...options, command, cwd, env: { ...parts.env, ...options.env }, log, lifeline });
  },
];

export function openUpstream(options: UpstreamOptions, parts: UpstreamParts): Upstream {
  for (const open of KINDS) {
    const upstream = open(options, parts);
    if (upstream !== undefined) return upstream;
  }
  throw new Error(`no kind of upstream takes the server ${options.name}`);
}
