import { describe, expect, it } from 'vitest';
import { diffParts } from '../../src/pruning/cut/diff-parts.ts';
import { isReadWhole, kindOfText } from '../../src/pruning/text-kind.ts';
import { splitLines } from '../../src/text/lines.ts';
import { pruneRequest, testPruner } from '../support/pruner.ts';

const SUBJECTS = ['billing', 'parser', 'retry', 'session', 'upload', 'widget'];

function hunk(subject: string, number: number): string[] {
  const body = Array.from(
    { length: 12 },
    (_, at) => `${' +-'[at % 3]}  ${subject} step ${number} of part ${at} does its work`,
  );
  return [`@@ -${number * 20},12 +${number * 20},12 @@ function ${subject}${number}() {`, ...body];
}

function file(subject: string): string[] {
  const path = `src/${subject}.ts`;
  const head = [
    `diff --git a/${path} b/${path}`,
    'index 0123456..89abcde 100644',
    `--- a/${path}`,
    `+++ b/${path}`,
  ];
  return [...head, ...[1, 2, 3, 4, 5, 6, 7].flatMap((number) => hunk(subject, number))];
}

function commit(subject: string, index: number): string[] {
  return [
    `commit ${String(index).repeat(40)}`,
    'Author: A <a@example.org>',
    '',
    `    ${subject}: work`,
    '',
    ...file(subject),
  ];
}

const diff = SUBJECTS.flatMap(file).join('\n');
const log = SUBJECTS.flatMap(commit).join('\n');

describe.each([
  { name: 'a diff', text: diff },
  { name: 'git log -p', text: log },
])('[P21] $name of more than 20,000 characters', ({ text }) => {
  const focus = { question: 'what changed in the retry policy?' };
  const pruned = testPruner().prune(
    pruneRequest({ text, focus, sourceType: 'logs', options: { maxPruneRatio: 0.95 } }),
  );
  const parts = diffParts(splitLines(text));
  const isRemoved = async (line: number) =>
    (await pruned).annotations.some(({ start, end }) => start <= line && line <= end);

  it('is cut, and loses whole hunks only', async () => {
    expect(text.length).toBeGreaterThan(20_000);
    expect((await pruned).annotations).not.toEqual([]);
    for (const { start, end } of parts.hunks) {
      const removed = await Promise.all(
        Array.from({ length: end - start + 1 }, (_, at) => isRemoved(start + at)),
      );
      expect(new Set(removed).size).toBe(1);
    }
  });

  it('names file and commit of every hunk that stays', async () => {
    const owners = (line: number) => [
      parts.heads.findLast(({ head, kind }) => kind === 'file' && head.start <= line),
      parts.heads.findLast(({ head, kind }) => kind === 'commit' && head.start <= line),
    ];
    for (const { start } of parts.hunks) {
      if (await isRemoved(start)) continue;
      for (const owner of owners(start))
        if (owner !== undefined) expect(await isRemoved(owner.head.start)).toBe(false);
    }
    expect((await pruned).prunedText).toContain('function retry');
  });
});

it('[P21] a diff of up to 20,000 characters is read to the letter', () => {
  const isWhole = (text: string) => isReadWhole({ kind: 'other' }, text, kindOfText({ kind: 'other' }, text));
  expect(isWhole(file('retry').join('\n'))).toBe(true);
  expect(isWhole(diff)).toBe(false);
});
