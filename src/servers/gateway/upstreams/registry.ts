import type { UpstreamOptions } from '../server-table.ts';
import type { Upstream } from '../upstream.ts';
import { httpUpstream } from './http.ts';

type OpenUpstream = (options: UpstreamOptions) => Upstream | undefined;

/** The kinds of upstream; the first that takes the configuration serves it. */
const KINDS: readonly OpenUpstream[] = [
  (options) => (options.url === undefined ? undefined : httpUpstream({ ...options, url: options.url })),
];

export function openUpstream(options: UpstreamOptions): Upstream {
  for (const open of KINDS) {
    const upstream = open(options);
    if (upstream !== undefined) return upstream;
  }
  throw new Error(`no kind of upstream takes the server ${options.name}`);
}
