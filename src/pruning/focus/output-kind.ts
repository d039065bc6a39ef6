import type { SourceType } from '../../ranking/scorer.ts';
import { extensionOf, fileKindOf } from '../../text/file-kinds.ts';
import { splitLines } from '../../text/lines.ts';
import { classify } from '../classify.ts';
import type { OutputOrigin } from '../focus-request.ts';
import { guessSourceType } from '../guess-source-type.ts';
import { WHOLE_DIFF_CHARS } from '../whole-diff.ts';
import { printsDiffOrGit, shownFile } from './command-line.ts';

export type OutputKind = { kind: 'whole'; why: string } | { kind: 'prunable'; texts: PrunableText[] };

export interface PrunableText {
  text: string;
  sourceType: SourceType;
  /** At most this share of the lines goes. */
  maxPruneRatio: number;
}

/** What an output is decides how it is pruned. Diffs and what git prints are read to the letter, unless they are long. */
export function readOutput(origin: OutputOrigin, texts: readonly string[]): OutputKind {
  const isShort = texts.reduce((chars, text) => chars + text.length, 0) <= WHOLE_DIFF_CHARS;
  if (isShort && origin.tool === 'bash' && printsDiffOrGit(origin.command)) return WHOLE;
  if (isShort && origin.tool === 'read' && DIFF_FILES.has(extensionOf(origin.path))) return WHOLE;
  const read = texts.map((text) => {
    const sourceType = sourceTypeOf(origin, text);
    return { text, sourceType, shape: classify(splitLines(text), sourceType).shape };
  });
  if (isShort && origin.tool !== 'grep' && read.some(({ shape }) => shape === 'diff')) return WHOLE;
  return {
    kind: 'prunable',
    texts: read.map(({ shape, ...text }) => ({
      ...text,
      maxPruneRatio: shape === 'diff' ? 0 : MAX_PRUNE_RATIO,
    })),
  };
}

/** A cap, not a target: how far a text is cut follows from what its lines are worth (P27). */
const MAX_PRUNE_RATIO = 0.95;

const WHOLE: OutputKind = {
  kind: 'whole',
  why: 'diffs and git output of up to 20,000 characters are never pruned',
};
const DIFF_FILES = new Set(['diff', 'patch']);

function sourceTypeOf(origin: OutputOrigin, text: string): SourceType {
  if (origin.tool === 'grep') return 'code';
  if (origin.tool === 'read') return fileKindOf(origin.path) ?? guessSourceType(text);
  const shown = shownFile(origin.command);
  return (shown === undefined ? undefined : fileKindOf(shown)) ?? 'logs';
}
