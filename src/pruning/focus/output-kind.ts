import { extname } from 'node:path';
import { splitLines } from '../../text/lines.ts';
import { classify } from '../classify.ts';
import type { OutputOrigin } from '../focus-request.ts';
import { guessSourceType } from '../guess-source-type.ts';
import type { SourceType } from '../scorer.ts';
import { printsDiffOrGit, shownFile } from './command-line.ts';

export type OutputKind = { kind: 'whole'; why: string } | { kind: 'prunable'; sourceTypes: SourceType[] };

/** What an output is decides how it is pruned. Diffs and what git prints are read to the letter: never pruned. */
export function readOutput(origin: OutputOrigin, texts: readonly string[]): OutputKind {
  if (origin.tool === 'bash' && printsDiffOrGit(origin.command)) return WHOLE;
  if (origin.tool === 'read' && DIFF_FILES.has(extension(origin.path))) return WHOLE;
  const sourceTypes = texts.map((text) => sourceTypeOf(origin, text));
  const isDiff = texts.some(
    (text, index) => classify(splitLines(text), sourceTypes[index] ?? 'logs').shape === 'diff',
  );
  return isDiff && origin.tool !== 'grep' ? WHOLE : { kind: 'prunable', sourceTypes };
}

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
