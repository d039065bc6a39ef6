import type { Static, TObject } from 'typebox';

/** A tool is data and a handler; the schema is the only description of its input. */
export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: TObject;
  /** Schema for validation if the tool accepts more than `inputSchema` and reports errors itself. */
  readonly acceptSchema?: TObject;
  /** Other names `tools/call` accepts; `tools/list` does not show them. */
  readonly aliases?: readonly string[];
  readonly annotations?: ToolAnnotations;
  /** Checks synchronously what the schema cannot express. Its entries give `-32602` too. */
  check?(args: unknown): FieldError[];
  /** Returns the maximum size of the response in bytes; reserved before the call. Absent if responses are short. */
  answerBytes?(args: unknown): number;
  /** The tool as this client gets it, if it depends on the client; its schema is the same. */
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
  /** Name the client gives itself; for figures only, never to be trusted. */
  readonly client?: string | undefined;
  /** Aborts when the client cancels or disconnects. */
  readonly signal: AbortSignal;
  /** Resolves to whether the response could be written out; absent if this is unknown. */
  readonly delivered?: Promise<boolean> | undefined;
  /** URIs of the folders the client works in; absent if it offers none or cannot be asked. */
  readonly roots?: (() => Promise<readonly string[]>) | undefined;
  /** Reserves bytes for the response; see `HttpExchange.reserve`. Absent if nothing bounds them. */
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

/** Ties the handler's argument type to the schema; the dispatcher validates before it calls. */
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

/** An error that is sent as JSON-RPC. Domain code throws `DomainError`; only the wire and the servers know these numbers. */
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
/** The server is overloaded; the same call may succeed a moment later. */
export const OVERLOADED = -32009;
export const INTERNAL_ERROR = -32603;
/** Codes of MCP itself. */
export const SESSION_NOT_FOUND = -32001;
export const HEADER_MISMATCH = -32020;
export const MISSING_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;
/** The client cancelled the request. Sent only by a transport that must send some response. */
export const REQUEST_CANCELLED = -32800;

export interface FieldError {
  field: string;
  message: string;
}

export function invalidParams(fieldErrors: FieldError[]): RpcError {
  const summary = fieldErrors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new RpcError(INVALID_PARAMS, `Invalid params: ${summary}`, { field_errors: fieldErrors });
}
