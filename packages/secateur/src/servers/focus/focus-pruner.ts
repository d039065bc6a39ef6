import type { EventLog, LogEvent } from '@secateur/base/runtime/event-log.ts';
import { firstErrorLine } from '@secateur/base/text/failure-words.ts';
import type { SourceType } from '@secateur/engine/ranking/scorer.ts';
import {
  callText,
  isReadWhole,
  kindOfText,
  type TextKind,
  type Origin as TextOrigin,
} from '@secateur/engine/request.ts';
import type { FocusAnswer, FocusBackend, FocusErrorCode, FocusJob, TokenCounts } from './backend.ts';
import type { FocusServerDeps } from './server.ts';

export interface FocusRequest
  extends Pick<FocusJob, 'requestId' | 'tool' | 'maxOutputBytes' | 'style' | 'signal'> {
  /** Command, file or search that printed the texts. */
  source: TextOrigin;
  question: string | undefined;
  /** The texts of one output, for example stdout and stderr. */
  texts: readonly string[];
  /** These texts joined as a model sees them. */
  whole?: WholeOutput | undefined;
}

export interface WholeOutput {
  text: string;
  /** Splits the pruned text into as many parts as there are texts. */
  split(pruned: string): string[];
}

export interface FocusedOutput {
  texts: FocusedText[];
  pruning: PruningReport;
}

export interface FocusedText {
  text: string;
  /** Id with which the removed lines can be recovered. */
  pruneId?: string | undefined;
  sourceType?: SourceType | undefined;
  tokens?: TokenCounts | undefined;
}

export type SkipReason = 'disabled_or_unconfigured' | 'no_focus_question' | 'too_large' | 'output_empty';

export interface PruningReport {
  attempted: boolean;
  applied: boolean;
  fallback: boolean;
  reason?: SkipReason | 'pruner_error';
  /** Reason why the output was returned unchanged. Diffs and output of git are never pruned. */
  keptWhole?: string;
  rawBytes: number;
  prunedBytes?: number;
  durationMs?: number;
  error?: { code: FocusErrorCode; message: string };
}

/** Prunes a tool's output for a question. Returns the raw output if anything fails. */
export async function focusOutput(request: FocusRequest, parts: FocusServerDeps): Promise<FocusedOutput> {
  const rawBytes = request.texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const { question, source } = request;
  const backend = parts.isOff?.(parts.root.real) ? undefined : parts.backend;
  if (question === undefined) return untouched(request, { rawBytes, reason: 'no_focus_question' });
  if (backend === undefined) return untouched(request, { rawBytes, reason: 'disabled_or_unconfigured' });
  if (rawBytes === 0) return untouched(request, { rawBytes, reason: 'output_empty' });
  if (rawBytes > parts.maxPruneInputBytes) return untouched(request, { rawBytes, reason: 'too_large' });
  const whole = backend.takesWholeOutput ? request.whole : undefined;
  const texts = whole === undefined ? request.texts : [whole.text];
  if (isReadWhole(source, texts.join(''))) return untouched(request, { rawBytes, keptWhole: KEPT_WHOLE });

  const prunable = texts.map((text) => ({ text, ...kindOfText(source, text) }));
  const startedAt = parts.clock.monotonic();
  const answers = await Promise.all(
    prunable.map((each) => callBackend(each, { request, question, backend }, parts)),
  );
  const durationMs = Math.round(parts.clock.monotonic() - startedAt);
  const failure = answers.find((answer) => answer.kind === 'failed');
  if (failure !== undefined) {
    const { code, message } = failure;
    const fellOpen = { attempted: true, fallback: true, reason: 'pruner_error' } as const;
    return untouched(request, { ...fellOpen, rawBytes, durationMs, error: { code, message } });
  }
  const answered = focused(prunable, answers, { rawBytes, durationMs });
  return whole === undefined ? answered : { ...answered, texts: splitTexts(answered, whole, request.texts) };
}

function splitTexts(
  { texts: [focusedText], pruning }: FocusedOutput,
  { split }: WholeOutput,
  raw: readonly string[],
): FocusedText[] {
  if (focusedText === undefined || !pruning.applied) return raw.map((text) => ({ text }));
  const { text, pruneId, sourceType } = focusedText;
  const parts = split(text);
  // The id belongs to the text that shows it. In a text without a marker line, the id would add a recovery
  // hint.
  const found = parts.findIndex((part) => pruneId !== undefined && part.includes(pruneId));
  const shownIn = Math.max(0, found);
  return parts.map((part, index) => ({ text: part, sourceType, ...(index === shownIn && { pruneId }) }));
}

function untouched(
  { texts }: FocusRequest,
  report: Partial<PruningReport> & Pick<PruningReport, 'rawBytes'>,
): FocusedOutput {
  const pruning = { attempted: false, applied: false, fallback: false, ...report };
  return { texts: texts.map((text) => ({ text })), pruning };
}

async function callBackend(
  { text, ...kind }: PrunableText,
  { request, question, backend }: { request: FocusRequest; question: string; backend: FocusBackend },
  parts: FocusServerDeps,
): Promise<FocusAnswer> {
  if (text === '') return { kind: 'unchanged' };
  const { requestId, tool, source, maxOutputBytes, style, signal } = request;
  const events = prunerEvents(parts.log, { requestId, tool });
  const startedAt = parts.clock.monotonic();
  events.called(backend.endpoint, Buffer.byteLength(text));
  const answer = await backend.prune({
    ...{ requestId, tool, question, command: callText(source), text, ...kind, maxOutputBytes, style, signal },
  });
  const durationMs = Math.round(parts.clock.monotonic() - startedAt);
  if (answer.kind === 'failed') {
    events.failed(durationMs, answer);
    return answer;
  }
  const pruned = answer.kind === 'pruned' ? firstErrorSurvives(tool, text, answer.text) : text;
  events.answered(durationMs, Buffer.byteLength(pruned));
  return answer.kind === 'pruned' ? { ...answer, text: pruned } : answer;
}

/** Logs what happens between this server and its pruner. */
function prunerEvents(log: EventLog, { tool, requestId: request_id }: Pick<FocusJob, 'tool' | 'requestId'>) {
  const emit = (level: LogEvent['level'], event: string, data: Record<string, unknown>) =>
    log.emit({ level, event: `pruner.${event}`, request_id, data });
  return {
    called: (endpoint: string, input_bytes: number) =>
      emit('info', 'call_start', { endpoint, tool, input_bytes }),
    answered: (pruner_duration_ms: number, pruned_bytes: number) =>
      emit('info', 'call_ok', { tool, pruner_duration_ms, pruned_bytes }),
    failed: (pruner_duration_ms: number, { code, message }: { code: FocusErrorCode; message: string }) => {
      const data = { tool, reason: code, pruner_duration_ms, message };
      emit('warn', code, data);
      emit('warn', 'call_failed', data);
    },
  };
}

function focused(
  texts: readonly PrunableText[],
  answers: readonly FocusAnswer[],
  sizes: { rawBytes: number; durationMs: number },
): FocusedOutput {
  const focusedTexts = texts.map(({ text, sourceType }, index): FocusedText => {
    const answer = answers[index];
    return answer?.kind === 'pruned'
      ? { text: answer.text, pruneId: answer.pruneId, sourceType, tokens: answer.tokens }
      : { text };
  });
  const applied = answers.some(({ kind }) => kind === 'pruned');
  const prunedBytes = focusedTexts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const measured = applied ? { ...sizes, prunedBytes } : sizes;
  return { texts: focusedTexts, pruning: { attempted: true, applied, fallback: false, ...measured } };
}

interface PrunableText extends TextKind {
  text: string;
}

const KEPT_WHOLE = 'diffs and git output of up to 20,000 characters are never pruned';

/** Returns the pruned text. If the pruner removed the first error of a command, the error is added again. */
export function firstErrorSurvives(tool: string, raw: string, pruned: string): string {
  if (tool !== 'bash') return pruned;
  const error = firstErrorLine(raw);
  if (error === undefined || pruned.includes(error)) return pruned;
  return `${error}\n${pruned}`;
}
