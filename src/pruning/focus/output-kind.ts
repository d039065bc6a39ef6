import { extname } from 'node:path';
import { splitLines } from '../../text/lines.ts';
import { classify } from '../classify.ts';
import type { OutputOrigin } from '../focus-request.ts';
import { guessSourceType } from '../guess-source-type.ts';
import type { SourceType } from '../scorer.ts';

export type OutputKind = { kind: 'whole'; why: string } | { kind: 'prunable'; sourceTypes: SourceType[] };

/** What an output is decides how it is pruned. Diffs and what git prints are read to the letter: never pruned. */
export function readOutput(origin: OutputOrigin, texts: readonly string[]): OutputKind {
  if (origin.tool === 'bash' && runsGit(origin.command))
    return { kind: 'whole', why: 'git output is never pruned' };
  const sourceTypes = texts.map((text) => sourceTypeOf(origin, text));
  const isDiff = texts.some(
    (text, index) => classify(splitLines(text), sourceTypes[index] ?? 'logs').shape === 'diff',
  );
  if (isDiff && origin.tool !== 'grep') return { kind: 'whole', why: 'diffs are never pruned' };
  return { kind: 'prunable', sourceTypes };
}

/** `git` as a command anywhere on the line: after `cd x &&`, in a pipe, behind `sudo` or variables. */
const GIT =
  /(?:^|[;&|({`\n])\s*(?:(?:sudo|env|time|command|exec|nice)\s+|\w+=\S*\s+|-\S+\s+)*(?:\S*\/)?git(?:\s|$)/;

function runsGit(command: string): boolean {
  return GIT.test(command);
}

function sourceTypeOf(origin: OutputOrigin, text: string): SourceType {
  if (origin.tool === 'grep') return 'code';
  if (origin.tool === 'read') return typeOfFile(origin.path) ?? guessSourceType(text);
  const shown = SHOWS_FILE.exec(origin.command)?.[1];
  return (shown === undefined ? undefined : typeOfFile(shown)) ?? 'logs';
}

/** A command that only shows one file: `cat a.ts`, `sed -n '1,80p' a.py`. */
const SHOWS_FILE =
  /^\s*(?:cat|bat|head|tail|nl|sed|less|more)\s+(?:-\S+\s+|'[^']*'\s+|"[^"]*"\s+|\d+\s+)*([^\s'"|;&<>]+)\s*$/;

function typeOfFile(path: string): SourceType | undefined {
  return TYPE_BY_EXTENSION.get(extname(path).toLowerCase());
}

const TYPE_BY_EXTENSION = new Map<string, SourceType>([
  ...'.md .mdx .markdown .rst .adoc .txt .tex .org'.split(' ').map((each) => [each, 'docs'] as const),
  ...'.log .out .err .trace'.split(' ').map((each) => [each, 'logs'] as const),
  ...'.ts .tsx .mts .cts .js .jsx .mjs .cjs .py .pyi .go .rs .java .kt .kts .scala .swift .c .h .cc .cpp .cxx .hpp'
    .split(' ')
    .map((each) => [each, 'code'] as const),
  ...'.cs .fs .rb .php .pl .lua .sh .bash .zsh .ps1 .sql .r .jl .ex .exs .erl .hs .ml .clj .dart .vue .svelte .css .scss'
    .split(' ')
    .map((each) => [each, 'code'] as const),
  ...'.html .xml .json .jsonc .yaml .yml .toml .ini .tf .proto .graphql'
    .split(' ')
    .map((each) => [each, 'code'] as const),
]);
