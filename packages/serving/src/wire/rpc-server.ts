import type { Fields } from '@secateur/base/text/json-value.ts';
import type { FieldError } from '@secateur/base/tools/rpc-error.ts';
import type { Tool, ToolCallContext } from '@secateur/base/tools/tool.ts';

/** Everything the dispatcher needs to know of one server; the same object is served over HTTP and stdio. */
export interface RpcServer {
  readonly name: string;
  readonly version: string;
  readonly instructions?: string;
  readonly tools: readonly Tool[];
  /** Further keys of the `initialize` result (`jeeves: {schemaVersion: 1}`). */
  readonly initializeExtras?: Fields;
  /** Methods beside MCP's own (`health`). */
  readonly methods?: Readonly<Record<string, RpcMethod>>;
  /** `DomainError.code` → JSON-RPC code, for errors that leave as JSON-RPC errors instead of tool results. */
  readonly errorCodes?: Readonly<Record<string, number>>;
  readonly observer?: CallObserver;
  /** Whether the caller of the call in progress may know of a tool; absent: every caller may know of every tool. */
  readonly isOffered?: (tool: string) => boolean;
}

export type RpcMethod = (params: Fields, context: ToolCallContext) => Promise<Record<string, unknown>>;

/** Called for events of calls, for event logs; must not throw. */
export interface CallObserver {
  /** Before the arguments are looked at; `tool` is undefined for an unknown name. */
  received?(call: { tool: string | undefined; requestId: string }): void;
  unparsable?(): void;
  invalid?(call: { tool: string | undefined; requestId: string; fieldErrors: FieldError[] }): void;
  crashed?(call: { tool: string | undefined; requestId: string; error: unknown }): void;
}
