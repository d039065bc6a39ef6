import type { Ledger } from '../../savings/ledger.ts';
import { estimateTokens } from '../../text/token-estimate.ts';
import type { Cut } from './shorten.ts';

/** Counting tokens of a huge text would keep the next caller waiting; a part of it tells nearly as much. */
const SAMPLE_CHARS = 65_536;

export function recordCuts(ledger: Ledger): (tool: string, cuts: readonly Cut[]) => void {
  return (tool, cuts) => {
    // After the answer is on its way: accounting adds nothing to its latency.
    setImmediate(() => {
      for (const { value, pruneId, json } of cuts) {
        const tokensBefore = estimateBySample(value.original);
        const tokensAfter = estimateBySample(json);
        ledger.record({ kind: 'cut', system: 'gateway', tool, pruneId, tokensBefore, tokensAfter });
      }
    });
  };
}

/** What a shorter list of tools spares an agent before its first call. */
export function recordHiddenTools(
  ledger: Ledger,
): (saved: { tokensBefore: number; tokensAfter: number }) => void {
  return (saved) => ledger.record({ kind: 'cut', system: 'gateway', tool: 'tools/list', ...saved });
}

export function recordRecovered(ledger: Ledger): (recovered: { pruneId: string; text: string }) => void {
  return ({ pruneId, text }) => {
    const tokensAfter = estimateBySample(text);
    ledger.record({
      kind: 'recovered',
      system: 'gateway',
      tool: 'recover_text',
      pruneId,
      tokensBefore: 0,
      tokensAfter,
    });
  };
}

function estimateBySample(text: string): number {
  if (text.length <= SAMPLE_CHARS) return estimateTokens(text);
  const sample = estimateTokens(text.slice(0, SAMPLE_CHARS));
  return Math.round((sample * text.length) / SAMPLE_CHARS);
}
