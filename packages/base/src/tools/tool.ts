import type { Static, TObject } from 'typebox';

/** A tool consists of data and a handler. Only the schema describes its input. */
export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: TObject;
  /** Schema for validation, if the tool accepts more than `inputSchema` shows and reports such errors itself. */
  readonly acceptSchema?: TObject;
  /** Other names that `tools/call` accepts. `tools/list` does not show them. */
  readonly aliases?: readonly string[];
  readonly annotations?: ToolAnnotations;
  /** Checks synchronously what the schema cannot express. Its errors are reported as `-32602` too. */
  check?(args: unknown): FieldError[];
  /** Returns the maximum bytes of the response; they are reserved before the call. Absent if responses are short. */
  answerBytes?(args: unknown): number;
  /** Returns the variant of the tool for this client, with the same schema. Absent if all clients get the same. */
  forClient?(context: ToolCallContext): Promise<Tool>;
  /** Runs the tool. The arguments have passed `acceptSchema` or, without it, `inputSchema`. */
  call(args: unknown, context: ToolCallContext): Promise<ToolResult>;
}

export interface ToolAnnotations {
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

export interface ToolCallContext {
  /** Id that the server assigned to this call, for the event log. */
  readonly requestId: string;
  /** Name of the client in its `clientInfo`. For statistics only, because clients can claim any name. */
  readonly client?: string | undefined;
  /** Aborts when the client cancels or disconnects. */
  readonly signal: AbortSignal;
  /** Resolves to whether the response could be written. Absent if that cannot be known. */
  readonly delivered?: Promise<boolean> | undefined;
  /** Returns the URIs of the folders in which the client works. Absent if the client does not offer roots. */
  readonly roots?: (() => Promise<readonly string[]>) | undefined;
  /** Reserves bytes for the response, as in `HttpExchange.reserve`. Absent without a limit. */
  readonly reserve?: ((bytes: number) => true | Promise<boolean>) | undefined;
  /** Sends `notifications/progress` if the client requested progress. */
  progress(update: ProgressUpdate): void;
}

export interface ProgressUpdate {
  progress: number;
  total?: number;
  message?: string;
}

export interface ToolResult {
  content: ContentBlock[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

export interface ContentBlock {
  type: string;
  text?: string;
  [key: string]: unknown;
}

export interface ToolDefinition<Schema extends TObject>
  extends Omit<Tool, 'answerBytes' | 'call' | 'check' | 'inputSchema'> {
  inputSchema: Schema;
  check?(args: Static<Schema>): FieldError[];
  answerBytes?(args: Static<Schema>): number;
  handle(args: Static<Schema>, context: ToolCallContext): Promise<ToolResult>;
}

/** Returns a tool whose handler has the argument type of the schema. The dispatcher validates arguments before each call. */
export function defineTool<Schema extends TObject>(definition: ToolDefinition<Schema>): Tool {
  const { handle, check, answerBytes, ...rest } = definition;
  return {
    ...rest,
    ...(check === undefined ? {} : { check: (args) => check(args as Static<Schema>) }),
    ...(answerBytes && { answerBytes: (args: unknown) => answerBytes(args as Static<Schema>) }),
    call: (args, context) => handle(args as Static<Schema>, context),
  };
}

export function textResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }] };
}

/** An error that is sent as a JSON-RPC error. Other code throws `DomainError`; only `wire` and `servers` use JSON-RPC numbers. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(code: number, message: string, data?: Record<string, unknown>) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
/** The server is overloaded. A later call may succeed. */
export const OVERLOADED = -32009;
export const INTERNAL_ERROR = -32603;
/** Error codes of MCP. */
export const SESSION_NOT_FOUND = -32001;
export const HEADER_MISMATCH = -32020;
export const MISSING_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;
/** The client cancelled the request. Sent only by transports that need a response for every request. */
export const REQUEST_CANCELLED = -32800;

export interface FieldError {
  field: string;
  message: string;
}

export function invalidParams(fieldErrors: FieldError[]): RpcError {
  const summary = fieldErrors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new RpcError(INVALID_PARAMS, `Invalid params: ${summary}`, { field_errors: fieldErrors });
}
