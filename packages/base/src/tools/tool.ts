import type { Static, TObject } from 'typebox';

/** A tool is data and a handler. The schema is the only description of its input. */
export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: TObject;
  /** Schema for validation, if the tool accepts more than `inputSchema` and reports errors itself. */
  readonly acceptSchema?: TObject;
  /** Other names that `tools/call` accepts. `tools/list` does not show them. */
  readonly aliases?: readonly string[];
  readonly annotations?: ToolAnnotations;
  /** Checks synchronously what the schema cannot express. Its entries cause `-32602`, too. */
  check?(args: unknown): FieldError[];
  /** Returns the maximum bytes of the response, which are reserved before the call. Absent if responses are short. */
  answerBytes?(args: unknown): number;
  /** Returns the tool for this client, if it depends on the client. Its schema must be equal. */
  forClient?(context: ToolCallContext): Promise<Tool>;
  /** Called only with arguments that fit `acceptSchema`, or `inputSchema` if that is absent. */
  call(args: unknown, context: ToolCallContext): Promise<ToolResult>;
}

export interface ToolAnnotations {
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

export interface ToolCallContext {
  /** Id that the server gave this call, for the event log. */
  readonly requestId: string;
  /** Name in the clientInfo; only for statistics, never to be trusted. */
  readonly client?: string | undefined;
  /** Aborts when the client cancels or disconnects. */
  readonly signal: AbortSignal;
  /** Resolves to whether the response could be written; absent if this is unknown. */
  readonly delivered?: Promise<boolean> | undefined;
  /** Returns the URIs of the folders in which the client works; absent if the client offers no roots. */
  readonly roots?: (() => Promise<readonly string[]>) | undefined;
  /** Reserves bytes for the response; see `HttpExchange.reserve`. Absent without a limit. */
  readonly reserve?: ((bytes: number) => true | Promise<boolean>) | undefined;
  /** Sends `notifications/progress` if the client asked for progress; otherwise does nothing. */
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

/** Connects the argument type of the handler to the schema. The dispatcher validates arguments before the call. */
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

/** An error that is sent as JSON-RPC. Domain code throws `DomainError`; only wire and servers use these numbers. */
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
/** The server is overloaded. The call may succeed a moment later. */
export const OVERLOADED = -32009;
export const INTERNAL_ERROR = -32603;
/** Error codes of MCP. */
export const SESSION_NOT_FOUND = -32001;
export const HEADER_MISMATCH = -32020;
export const MISSING_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;
/** The client cancelled the request. Sent only by transports that must send a response. */
export const REQUEST_CANCELLED = -32800;

export interface FieldError {
  field: string;
  message: string;
}

export function invalidParams(fieldErrors: FieldError[]): RpcError {
  const summary = fieldErrors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new RpcError(INVALID_PARAMS, `Invalid params: ${summary}`, { field_errors: fieldErrors });
}
