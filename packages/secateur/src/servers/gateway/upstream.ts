import type { ClientCall } from './client-call.ts';
import type { ServerEvent } from './server-events.ts';

/** A server behind the gateway. Adding a kind is one file in `upstreams/` and one line in its registry. */
export interface Upstream {
  /** Throws `DomainError` with a code of `GATEWAY_ERRORS`, also while events are read. */
  call(call: ClientCall): Promise<UpstreamAnswer>;
  /** Returns what `GET /api/mcp-gateway/servers` shows beside name and circuit. */
  state(): Record<string, unknown>;
  close(): Promise<void>;
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AnswerBody;
}

export type AnswerBody =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'events'; readonly events: AsyncIterable<ServerEvent> };

export const NO_BYTES: AnswerBody = { kind: 'bytes', bytes: Buffer.alloc(0) };
