import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import { type NotedBlock, writeNote } from '@secateur/engine/cut-note.ts';
import type { Recovered } from '@secateur/engine/recover-text.ts';
import type { MaskingLimits } from '../../masking/mask.ts';
import type { Ledger } from '../../savings/ledger.ts';
import type { GatewayDeps } from './gateway.ts';
import type { Shortened } from './long-values.ts';
import type { AppliedCut } from './shorten.ts';

/** The cuts in one response, and the client that gets it. */
export interface Shortening {
  readonly server: string;
  readonly tool: string;
  readonly client: string | undefined;
  readonly cuts: readonly AppliedCut[];
  /** Values that stay unchanged because the store could not keep them. */
  readonly passed: readonly Shortened[];
  /** Whether the result has `structuredContent`, which some clients show instead of `content`. */
  readonly hasStructured: boolean;
  readonly durationMs: number;
  readonly limits: Pick<MaskingLimits, 'headChars' | 'tailChars'>;
}

/** Stores records of masked values. Those of pruned texts have already been stored by the pruner. */
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

/** Number of samples by which the tokens of a huge text are estimated. A full count would delay calls. */
const SAMPLE_PIECES = 8;
const SAMPLE_CHARS = 16_384;

export function recordCuts({ ledger, notes }: Pick<GatewayDeps, 'ledger' | 'notes'>) {
  return (shortening: Shortening) => {
    // Records are written after the response was sent, so that they do not delay it.
    setImmediate(() => {
      noteMaskings(notes, shortening);
      recordShortened(ledger, shortening);
      recordPassed(ledger, shortening);
    });
  };
}

export type HiddenTools = Readonly<Record<'tokensBefore' | 'tokensAfter', number>>;

/** Records the tokens that hiding tools saves, before an agent's first call. */
export function recordHiddenTools(ledger: Ledger, saved: HiddenTools & { server: string }): void {
  ledger.record({ kind: 'cut', system: 'gateway', tool: 'tools/list', ...saved });
}

/** Matches clients that show their model `structuredContent` if a result has it, and otherwise `content`. */
const SHOWS_STRUCTURED = /^(?:claude-code|codex)/;

/** Returns the cuts in the part that the client shows its model: `content` or `structuredContent`. */
function shownCuts({ cuts, client, hasStructured }: Shortening): readonly AppliedCut[] {
  if (!hasStructured) return cuts;
  const inStructured = cuts.filter(({ value }) => value.zone !== 'content');
  if (SHOWS_STRUCTURED.test(client ?? '')) return inStructured;
  const inContent = cuts.filter(({ value }) => value.zone !== 'structured');
  return inContent.length > 0 ? inContent : inStructured;
}

/** Records the cuts. A text that a response contains twice counts once, because a model reads it once. */
function recordShortened(ledger: Ledger, shortening: Shortening): void {
  const shown = new Map(shownCuts(shortening).map((cut) => [cut.pruneId, cut]));
  for (const { value, pruneId, isPruned, json } of shown.values()) {
    const sizes = { tokensBefore: estimateBySample(value.original), tokensAfter: estimateBySample(json) };
    ledger.record({ kind: isPruned ? 'cut' : 'masked', ...callOf(shortening), pruneId, ...sizes });
  }
}

function recordPassed(ledger: Ledger, shortening: Shortening): void {
  for (const original of new Set(shortening.passed.map((value) => value.original))) {
    const tokens = estimateBySample(original);
    const sizes = { tokensBefore: tokens, tokensAfter: tokens };
    ledger.record({ kind: 'masked', ...callOf(shortening), ...sizes, fallback: 'recovery_unavailable' });
  }
}

function callOf({ server, tool, client, durationMs }: Shortening) {
  return { system: 'gateway', server, tool, client, durationMs } as const;
}

export function recordGatewayRecovery(
  ledger: Ledger,
  { pruneId, text, client, server }: Recovered & { server: string },
): void {
  const sizes = { tokensBefore: 0, tokensAfter: estimateBySample(text) };
  const from = { system: 'gateway', server, client, tool: 'recover_text' } as const;
  ledger.record({ kind: 'recovered', ...from, pruneId, ...sizes });
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
