import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import type { EventLog, LogEvent } from '@secateur/base/runtime/event-log.ts';
import { numberLines } from '@secateur/base/text/lines.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import { Type } from '@secateur/base/tools/schema.ts';
import type { FieldError, ToolCallContext, ToolResult } from '@secateur/base/tools/tool.ts';
import type { Origin as TextOrigin } from '@secateur/engine/request.ts';
import { resolveInRoot, type WorkspaceRoot } from '@secateur/serving/workspace/root.ts';
import type { Ledger } from '../../savings/ledger.ts';
import type { TokenCounts } from './backend.ts';
import {
  type FocusedOutput,
  type FocusedText,
  focusOutput,
  type PruningReport,
  type WholeOutput,
} from './focus-pruner.ts';
import type { FocusServerDeps } from './server.ts';

/** One call of `read`, `bash` or `grep`. */
export interface ToolRun<Value> {
  readonly tool: string;
  /** Command, file or search that produced the output. */
  readonly source: TextOrigin;
  readonly args: { max_output_bytes?: number; context_focus_question?: string };
  work(): Promise<Value>;
  /** Returns the error code of this tool for a failure. */
  codeOf(error: DomainError): string;
  /** Returns the result in the tool's format, and logs success or failure. */
  output(value: Value, done: CallTiming): ToolOutput;
}

export interface CallTiming {
  readonly events: CallEvents;
  readonly durationMs: number;
}

/** Runs the tool. Expected failures become results; unexpected errors and cancellations are thrown. */
export async function runTool<Value>(
  run: ToolRun<Value>,
  context: ToolCallContext,
  parts: FocusServerDeps,
): Promise<ToolResult> {
  const events = callEvents(parts.log, { tool: run.tool, requestId: context.requestId });
  const call = { context, events };
  return answer({ ...run, ...(await outputOf(run, call, parts)) }, call, parts);
}

async function outputOf<Value>(
  { work, codeOf, output }: ToolRun<Value>,
  { context, events }: ObservedCall,
  { clock }: FocusServerDeps,
): Promise<ToolOutput> {
  const startedAt = clock.monotonic();
  const elapsed = () => Math.round(clock.monotonic() - startedAt);
  events.started();
  let value: Value;
  try {
    value = await work();
    context.signal.throwIfAborted();
  } catch (error) {
    const duration_ms = elapsed();
    if (context.signal.aborted) events.failed({ code: 'cancelled', message: 'the client left', duration_ms });
    if (!(error instanceof DomainError)) throw error;
    const failure = { code: codeOf(error), message: error.message };
    events.failed({ ...failure, duration_ms });
    return failedOutput(failure);
  }
  return output(value, { events, durationMs: elapsed() });
}

/** Creates the log of one call. Events contain the request id, sizes, codes and names. */
function callEvents(log: EventLog, { tool, requestId: request_id }: { tool: string; requestId: string }) {
  const emit = (level: LogEvent['level'], event: string, details: object = {}) =>
    log.emit({ level, event: `tool.${event}`, request_id, data: { tool, ...details } });
  return {
    started: () => emit('info', 'exec_start'),
    succeeded: (details: { duration_ms: number; bytes: number }) => emit('info', 'exec_ok', details),
    failed: (details: { code: string; message: string; exit_code?: number; duration_ms: number }) =>
      emit('warn', 'exec_failed', details),
    timedOut: (timeout_ms: number) => emit('warn', 'exec_timeout', { timeout_ms }),
    responded: (mode: 'raw' | 'pruned') => emit('info', 'respond_ok', { mode }),
    respondFailed: () => emit('error', 'respond_failed'),
  };
}

type CallEvents = ReturnType<typeof callEvents>;

/** Output of a tool before it is pruned. */
export interface ToolOutput {
  /** Whether lines are shown with line numbers in responses that contain only text. */
  numbered?: boolean;
  /** The texts that may be pruned. */
  texts: readonly string[];
  /** These texts joined as a model sees them, for services that prune an output in one request. */
  whole?: WholeOutput;
  isError?: boolean;
  /** Converts the texts, pruned or not, to the formats that clients read. */
  present(texts: readonly FocusedText[]): ToolPresentation;
}

/** Output of a call, with the arguments of the call that affect pruning. */
interface RawOutput extends ToolOutput, Pick<ToolRun<never>, 'tool' | 'source' | 'args'> {}

export function failedOutput(error: { code: string; message: string }): ToolOutput {
  const present = () => ({ text: error.message, fields: { error }, output: {} });
  return { texts: [], isError: true, present };
}

export interface ToolPresentation {
  /** The output as readable text, for clients that show text. */
  text: string;
  /** Structured content. Small fields are first, because a client may truncate it. */
  fields: Record<string, unknown>;
  output: Record<string, unknown>;
}

export interface ObservedCall {
  context: ToolCallContext;
  events: CallEvents;
}

/** Prunes the output if the call has a goal. Returns text and structured content. */
async function answer(raw: RawOutput, call: ObservedCall, parts: FocusServerDeps): Promise<ToolResult> {
  const { tool, source, args, texts, whole } = raw;
  const { requestId, signal } = call.context;
  const isNumbered = parts.textOnly && raw.numbered === true;
  const style = { markers: parts.textOnly ? 'compact' : 'canonical', numbered: isNumbered } as const;
  const asked = { question: args.context_focus_question, maxOutputBytes: args.max_output_bytes };
  const request = { requestId, tool, source, ...asked, texts, whole, style, signal };
  const focused = await focusOutput(request, parts);
  recordSavings(raw, { ...focused, client: call.context.client }, parts.ledger);
  const shownTexts = isNumbered ? await Promise.all(focused.texts.map(numbered)) : focused.texts;
  const { text, fields, output } = raw.present(shownTexts);
  const hidden = focused.texts.find(
    ({ pruneId, text: shown }) => pruneId !== undefined && !shown.includes(pruneId),
  );
  reportDelivery(call, focused.pruning.applied ? 'pruned' : 'raw');
  // A pruning service may write no markers, so the id is added to the response.
  const note = `\n[pruned; recover_text gives removed lines back: prune_id=${hidden?.pruneId}]`;
  const shown = hidden === undefined ? text : text + note;
  const pruning = wirePruning(focused.pruning, hidden?.pruneId);
  return {
    content: [{ type: 'text', text: shown }],
    ...(parts.textOnly ? {} : { structuredContent: { tool, ...fields, pruning, ...output } }),
    ...(raw.isError === true ? { isError: true } : {}),
  };
}

/** Numbers the lines of a text that was not pruned. In pruned texts the pruner has numbered them. */
async function numbered(focused: FocusedText): Promise<FocusedText> {
  return focused.pruneId === undefined ? { ...focused, text: await numberLines(focused.text) } : focused;
}

function reportDelivery({ context, events }: ObservedCall, mode: 'raw' | 'pruned'): void {
  if (context.delivered === undefined) {
    events.responded(mode);
    return;
  }
  void context.delivered.then((written) => (written ? events.responded(mode) : events.respondFailed()));
}

/** Returns the pruning metadata in the wire format, without absent values. */
function wirePruning(report: PruningReport, pruneId: string | undefined): Record<string, unknown> {
  return {
    attempted: report.attempted,
    applied: report.applied,
    fallback: report.fallback,
    reason: report.reason,
    raw_bytes: report.rawBytes,
    pruned_bytes: report.prunedBytes,
    pruner_duration_ms: report.durationMs,
    error: report.error,
    kept_whole: report.keptWhole,
    prune_id: pruneId,
  };
}

/** Records one ledger entry per text that was cut or could not be cut. */
function recordSavings(
  raw: RawOutput,
  { texts, pruning, client }: FocusedOutput & { client: string | undefined },
  ledger: Ledger,
): void {
  const { applied, fallback, durationMs, error } = pruning;
  if (!applied && !fallback) return;
  const failure = fallback ? { fallback: error?.code ?? 'pruner_error' } : {};
  for (const [index, { text, pruneId, sourceType, tokens }] of texts.entries()) {
    const before = raw.texts[index] ?? '';
    if (before === '' || (before === text && !fallback)) continue;
    const { before: tokensBefore, after: tokensAfter } = tokens ?? countTokens(before, text);
    const cut = { kind: 'cut', system: 'focus', tool: raw.tool, client, sourceType, pruneId } as const;
    ledger.record({ ...cut, tokensBefore, tokensAfter, durationMs, ...failure });
  }
}

function countTokens(before: string, after: string): TokenCounts {
  const tokens = estimateTokens(before);
  return { before: tokens, after: after === before ? tokens : estimateTokens(after) };
}

/** Maximum and default bytes of an output that a call can request. */
export const MAX_OUTPUT_BYTES = 10_485_760;
export const DEFAULT_TIMEOUT_MS = 30_000;

const QUESTION =
  'What you want to know, as a full sentence. Lines that do not help to answer it are left out and marked; leave it out to get everything.';

/** Arguments of every tool: how much of its output is returned. */
export const outputArguments = {
  max_output_bytes: Type.Optional(
    Type.Integer({
      minimum: 1024,
      maximum: MAX_OUTPUT_BYTES,
      description: 'Cut the output to this size first.',
    }),
  ),
  context_focus_question: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S', description: QUESTION }),
  ),
};

export const timeoutSchema = Type.Optional(
  Type.Integer({ minimum: 100, maximum: 300_000, default: DEFAULT_TIMEOUT_MS }),
);

/** Returns errors that are visible in a path alone. Errors of the file system become tool errors. */
export function pathErrors(root: WorkspaceRoot, field: string, path: string | undefined): FieldError[] {
  if (path === undefined) return [];
  const placed = resolveInRoot(root, path);
  return placed.kind === 'inside' ? [] : [{ field, message: placed.reason }];
}

/** Returns an error if a text contains NUL, which no system call accepts. */
export function nulErrors(field: string, text: string): FieldError[] {
  return text.includes('\0') ? [{ field, message: 'must not contain a NUL character' }] : [];
}
