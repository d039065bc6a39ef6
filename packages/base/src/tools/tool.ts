import type { Static, TObject } from 'typebox';
import type { FieldError } from './rpc-error.ts';

/** A tool is data and a handler; the schema is the only description of its input. */
export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: TObject;
  /** What validation accepts where that is wider than `inputSchema`: failure the tool answers with an error of its own. */
  readonly acceptSchema?: TObject;
  /** Other names `tools/call` accepts; `tools/list` does not show them. */
  readonly aliases?: readonly string[];
  readonly annotations?: ToolAnnotations;
  /** What the schema cannot say; asked, without waiting, about arguments that fit it. Its entries answer `-32602` too. */
  check?(args: unknown): FieldError[];
  /** How long the answer to these arguments may become, in bytes; reserved before the call. Absent: short. */
  answerBytes?(args: unknown): number;
  /** The tool as this client gets it, where that hangs on the client; its schema is the same. */
  forClient?(context: ToolCallContext): Promise<Tool>;
  /** Called only with arguments that fit `acceptSchema`, or `inputSchema` where there is none. */
  call(args: unknown, context: ToolCallContext): Promise<ToolResult>;
}

export interface ToolAnnotations {
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

export interface ToolCallContext {
  /** Our own id of this call, for the event log. */
  readonly requestId: string;
  /** What the client calls itself; a name for figures, never to be trusted. */
  readonly client?: string | undefined;
  /** Aborts when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** Resolves once the answer is written out (true) or cannot be any more (false); absent where nobody can tell. */
  readonly delivered?: Promise<boolean> | undefined;
  /** URIs of the folders the client works in; absent where it offers none or cannot be asked. */
  readonly roots?: (() => Promise<readonly string[]>) | undefined;
  /** Reserves bytes for the answer; see `HttpExchange.reserve`. Absent where nothing bounds them. */
  readonly reserve?: ((bytes: number) => true | Promise<boolean>) | undefined;
  /** Reaches the client as `notifications/progress` when it asked for progress; otherwise does nothing. */
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
  _meta?: Record<string, unknown>;
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
