import type { MaskingLimits } from '../../masking/mask-text.ts';
import type { Ledger } from '../../savings/ledger.ts';
import { estimateTokens } from '../../text/token-estimate.ts';
import { writeNote } from '../cut-note.ts';
import type { Recovered } from '../recover-text.ts';
import type { GatewayParts } from './gateway.ts';
import type { LongValue } from './long-values.ts';
import type { Cut } from './shorten.ts';

/** What was done to one answer, and for whom. */
export interface Shortening {
  readonly server: string;
  readonly tool: string;
  readonly client: string | undefined;
  readonly cuts: readonly Cut[];
  /** Values that had to pass whole: the store could not remember them. */
  readonly passed: readonly LongValue[];
  readonly durationMs: number;
  /** What a masking shows. */
  readonly limits: Pick<MaskingLimits, 'headChars' | 'tailChars'>;
}

/** Pruned texts have a note of their pruner's. */
function noteMaskings(notes: GatewayParts['notes'], { cuts, limits }: Shortening): void {
  const { headChars, tailChars } = limits;
  for (const { pruneId, isPruned } of cuts) {
    const note = { v: 1, question: '', blocks: [], masked: { headChars, tailChars } } as const;
    if (!isPruned) notes?.keep(pruneId, writeNote(note));
  }
}

/** Counting tokens of a huge text would keep the next caller waiting; pieces from all over it tell nearly as much. */
const SAMPLE_PIECES = 8;
const SAMPLE_CHARS = 16_384;

export function recordCuts({
  ledger,
  notes,
}: Pick<GatewayParts, 'ledger' | 'notes'>): (shortening: Shortening) => void {
  return (shortening) => {
    // After the answer is on its way: accounting adds nothing to its latency.
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

/** What a shorter list of tools spares an agent before its first call. */
export function recordHiddenTools(ledger: Ledger): (saved: HiddenTools & { server: string }) => void {
  return (saved) => ledger.record({ kind: 'cut', system: 'gateway', tool: 'tools/list', ...saved });
}

/** A text that stands in an answer twice, as content and as structured content, is read once and counts once. */
function recordShortened(ledger: Ledger, { cuts, passed, limits, ...call }: Shortening): void {
  const seen = new Set<string>();
  for (const { value, pruneId, isPruned, json } of cuts) {
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

function recordPassed(ledger: Ledger, { cuts, passed, limits, ...call }: Shortening): void {
  for (const original of new Set(passed.map((value) => value.original))) {
    const tokens = estimateBySample(original);
    const sizes = { tokensBefore: tokens, tokensAfter: tokens };
    ledger.record({ kind: 'masked', system: 'gateway', ...call, ...sizes, fallback: 'recovery_unavailable' });
  }
}

export function recordRecovered(ledger: Ledger): (recovered: Recovered & { server: string }) => void {
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
