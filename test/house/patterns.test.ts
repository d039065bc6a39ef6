import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';
import { expect, it } from 'vitest';
import { sourceFiles } from '../../scripts/source-files.ts';
import { slowInput } from '../support/pattern-attack.ts';

/**
 * Patterns that are known to take time out of step with a long line, by the file they stand in. Named so that no further
 * one joins them; whoever rewrites one strikes it off.
 */
const KNOWN: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'src/ranking/command-kind.ts': ['<<-?'],
    'src/spec/writing/document/human-words/kept-blocks.ts': ['(`+)'],
    'src/spec/writing/document/markdown.ts': ['^([\\s>*+-]*'],
    'src/spec/writing/package-words.ts': ['\\p{L}{2,}'],
    'src/spec/prepare/comments.ts': ['(?:\\/\\/|#'],
    'src/syntax/body-facts/code-facts.ts': ['([\\p{L}_$]'],
    'src/syntax/body-facts/scopes.ts': ['\\*?\\s*(\\w+)'],
  }),
);

const root = fileURLToPath(new URL('../..', import.meta.url));

it('[X1] no input can slow a regular expression of src down', { timeout: 180_000 }, () => {
  const slow = sourceFiles(root).flatMap((file) => {
    const known = KNOWN.get(file) ?? [];
    return slowPatternsIn(readFileSync(join(root, file), 'utf8'))
      .filter(({ pattern }) => !known.some((start) => pattern.source.startsWith(start)))
      .map(({ pattern, input }) => `${file}: ${pattern} takes ever longer on ${JSON.stringify(input)}`);
  });
  expect(slow).toEqual([]);
});

it('[X1] the search for such an input finds what is exponential and what is quadratic', () => {
  const planted = String.raw`export const planted = [/^(?:\w+<?\w*>?\s*)+;$/, /\s+$/, /^\s*\d+$/];`;
  expect(slowPatternsIn(planted).map(({ pattern }) => pattern.source)).toEqual([
    String.raw`^(?:\w+<?\w*>?\s*)+;$`,
    String.raw`\s+$`,
  ]);
});

interface SlowPattern {
  readonly pattern: RegExp;
  /** The start of what it is slow on. */
  readonly input: string;
}

function slowPatternsIn(code: string): SlowPattern[] {
  const program = parseSync(code, { syntax: 'typescript', target: 'es2022' });
  return [...literalsIn(program)].flatMap(({ pattern: source, flags }) => {
    const pattern = new RegExp(source, flags);
    const input = slowInput(pattern);
    return input === undefined ? [] : [{ pattern, input }];
  });
}

interface Literal {
  readonly pattern: string;
  readonly flags: string;
}

function* literalsIn(node: unknown): Generator<Literal> {
  if (typeof node !== 'object' || node === null) return;
  if ((node as { type?: unknown }).type === 'RegExpLiteral') yield node as unknown as Literal;
  for (const inner of Object.values(node)) yield* literalsIn(inner);
}
