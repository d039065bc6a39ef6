import { extname } from 'node:path';
import type { SourceType } from '../../ranking/scorer.ts';
import { splitLines } from '../../text/lines.ts';
import { classify, type Shape } from '../classify.ts';
import type { OutputOrigin } from '../focus-request.ts';
import { guessSourceType } from '../guess-source-type.ts';
import { printsDiffOrGit, shownFile } from './command-line.ts';

export type OutputKind = { kind: 'whole'; why: string } | { kind: 'prunable'; texts: PrunableText[] };

export interface PrunableText {
  text: string;
  sourceType: SourceType;
  /** At most this share of the lines goes. */
  maxPruneRatio: number;
}

/** What an output is decides how it is pruned. Diffs and what git prints are read to the letter: never pruned. */
export function readOutput(origin: OutputOrigin, texts: readonly string[]): OutputKind {
  if (origin.tool === 'bash' && printsDiffOrGit(origin.command)) return WHOLE;
  if (origin.tool === 'read' && DIFF_FILES.has(extension(origin.path))) return WHOLE;
  const read = texts.map((text) => {
    const sourceType = sourceTypeOf(origin, text);
    return { text, sourceType, shape: classify(splitLines(text), sourceType).shape };
  });
  if (origin.tool !== 'grep' && read.some(({ shape }) => shape === 'diff')) return WHOLE;
  return {
    kind: 'prunable',
    texts: read.map(({ shape, ...text }) => ({ ...text, maxPruneRatio: MAX_PRUNE_RATIO[shape] })),
  };
}

/** What runs print is mostly one line again and again, and its failures stay in any case; what was written is denser. */
const MAX_PRUNE_RATIO: Readonly<Record<Shape, number>> = {
  code: 0.7,
  docs: 0.7,
  diff: 0,
  json: 0.7,
  search: 0.7,
  listing: 0.8,
  logs: 0.85,
  'test-run': 0.9,
};

const WHOLE: OutputKind = { kind: 'whole', why: 'diffs and git output are never pruned' };
const DIFF_FILES = new Set(['.diff', '.patch']);

function sourceTypeOf(origin: OutputOrigin, text: string): SourceType {
  if (origin.tool === 'grep') return 'code';
  if (origin.tool === 'read') return TYPE_BY_EXTENSION.get(extension(origin.path)) ?? guessSourceType(text);
  const shown = shownFile(origin.command);
  return (shown === undefined ? undefined : TYPE_BY_EXTENSION.get(extension(shown))) ?? 'logs';
}

function extension(path: string): string {
  return extname(path).toLowerCase();
}

const EXTENSIONS: Readonly<Record<SourceType, string>> = {
  docs: 'md mdx markdown rst adoc txt tex org',
  logs: 'log out err trace',
  code:
    'ts tsx mts cts js jsx mjs cjs py pyi go rs java kt kts scala swift c h cc cpp cxx hpp cs fs rb php pl lua sh bash zsh ps1 sql ' +
    'r jl ex exs erl hs ml clj dart vue svelte css scss html xml json jsonc yaml yml toml ini tf proto graphql',
};

const TYPE_BY_EXTENSION: ReadonlyMap<string, SourceType> = new Map(
  Object.entries(EXTENSIONS).flatMap(([type, extensions]) =>
    extensions.split(' ').map((each) => [`.${each}`, type as SourceType] as const),
  ),
);
