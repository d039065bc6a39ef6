import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import { type NotedBlock, writeNote } from '@secateur/engine/cut-note.ts';
import type { Recovered } from '@secateur/engine/recover-text.ts';
import type { MaskingLimits } from '../../masking/mask-text.ts';
import type { Ledger } from '../../savings/ledger.ts';
import type { GatewayDeps } from './gateway.ts';
import type { Shortened } from './long-values.ts';
import type { AppliedCut } from './shorten.ts';

/** The cuts made in one answer, and its client. */
export interface Shortening {
  readonly server: string;
  readonly tool: string;
  readonly client: string | undefined;
  readonly cuts: readonly AppliedCut[];
  /** Values returned unchanged because the store could not keep them. */
  readonly passed: readonly Shortened[];
  /** Whether the result has `structuredContent`, which some clients show instead of `content`. */
  readonly hasStructured: boolean;
  readonly durationMs: number;
  /** Characters that a masking shows at the head and the tail. */
  readonly limits: Pick<MaskingLimits, 'headChars' | 'tailChars'>;
}

/** Stores notes for masked values; the pruner has stored those for pruned texts. */
function noteMaskings(notes: GatewayDeps['notes'], { cuts, limits }: Shortening): void {
  const { headChars, tailChars } = limits;
  for (const { value, pruneId, isPruned, isRepeat } of cuts) {
    if (isPruned || isRepeat) continue;
    const shown = value.elements === undefined ? { masked: { headChars, tailChars } } : {};
    notes?.keep(pruneId, writeNote({ v: 1, question: '', blocks: droppedLines(value), ...shown }));
  }
}

function droppedLines({ elements }: Shortened): NotedBlock[] {
  const reason = 'elements: the result is larger than max_result_chars';
  return (elements?.dropped ?? []).map(({ start, end }) => ({ start: start + 1, end, reason, marker: '' }));
}

/**
 * Number of samples from which the tokens of a huge text are estimated: counting all of it would delay other
 * calls.
 */
const SAMPLE_PIECES = 8;
const SAMPLE_CHARS = 16_384;

export function recordCuts({
  ledger,
  notes,
}: Pick<GatewayDeps, 'ledger' | 'notes'>): (shortening: Shortening) => void {
  return (shortening) => {
    // Records after the answer was sent, so that it is not delayed.
    setImmediate(() => {
      noteMaskings(notes, shortening);
      recordShortened(ledger, shortening);
      recordPassed(ledger, shortening);
    });
  };
}

export interface HiddenTools {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** Records what a shorter list of tools saves before an agent's first call. */
export function recordHiddenTools(ledger: Ledger): (saved: HiddenTools & { server: string }) => void {
  return (saved) => ledger.record({ kind: 'cut', system: 'gateway', tool: 'tools/list', ...saved });
}

/** Matches clients that show their model `structuredContent` instead of `content` if a result has both. */
const SHOWS_STRUCTURED = /^(?:claude-code|codex)/;

/** Returns the cuts in the part that the client shows its model, `content` or `structuredContent`. */
function shownCuts({ cuts, client, hasStructured }: Shortening): readonly AppliedCut[] {
  if (!hasStructured) return cuts;
  const inStructured = cuts.filter(({ value }) => value.zone !== 'content');
  if (SHOWS_STRUCTURED.test(client ?? '')) return inStructured;
  const inContent = cuts.filter(({ value }) => value.zone !== 'structured');
  return inContent.length > 0 ? inContent : inStructured;
}

/** Records the cuts; a text that occurs twice in an answer is read by the model once and counts once. */
function recordShortened(ledger: Ledger, shortening: Shortening): void {
  const { cuts: _, passed, limits, hasStructured, ...call } = shortening;
  const seen = new Set<string>();
  for (const { value, pruneId, isPruned, json } of shownCuts(shortening)) {
    if (seen.has(pruneId)) continue;
    seen.add(pruneId);
    ledger.record({
      kind: isPruned ? 'cut' : 'masked',
      system: 'gateway',
      ...call,
      pruneId,
      tokensBefore: estimateBySample(value.original),
      tokensAfter: estimateBySample(json),
    });
  }
}

function recordPassed(ledger: Ledger, { cuts, passed, limits, hasStructured, ...call }: Shortening): void {
  for (const original of new Set(passed.map((value) => value.original))) {
    const tokens = estimateBySample(original);
    const sizes = { tokensBefore: tokens, tokensAfter: tokens };
    ledger.record({ kind: 'masked', system: 'gateway', ...call, ...sizes, fallback: 'recovery_unavailable' });
  }
}

export function recordGatewayRecovery(ledger: Ledger): (recovered: Recovered & { server: string }) => void {
  return ({ pruneId, text, client, server }) => {
    const sizes = { tokensBefore: 0, tokensAfter: estimateBySample(text) };
    const from = { system: 'gateway', server, client, tool: 'recover_text' } as const;
    ledger.record({ kind: 'recovered', ...from, pruneId, ...sizes });
  };
}

function estimateBySample(text: string): number {
  if (text.length <= SAMPLE_CHARS) return estimateTokens(text);
  const pieceChars = SAMPLE_CHARS / SAMPLE_PIECES;
  let sample = 0;
  for (let piece = 0; piece < SAMPLE_PIECES; piece += 1) {
    const from = Math.floor((piece * (text.length - pieceChars)) / (SAMPLE_PIECES - 1));
    sample += estimateTokens(text.slice(from, from + pieceChars));
  }
  return Math.round((sample * text.length) / SAMPLE_CHARS);
}
