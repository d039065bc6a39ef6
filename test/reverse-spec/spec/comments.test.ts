import { expect, it } from 'vitest';
import { findCallouts, headComment } from '../../../packages/reverse-spec/src/spec/prepare/read-source.ts';

const heads: [text: string, words: string | null][] = [
  ['/** Queues of jobs. */\nexport const a = 1;', 'Queues of jobs.'],
  ['#!/usr/bin/env node\n// Starts it.\n// Then waits.\nrun();', 'Starts it.\nThen waits.'],
  ['r"""JSON for Python.\n\nLong text."""\nimport x', 'JSON for Python.\n\nLong text.'],
  ['/*\n * Copyright 2020 somebody\n */\ncode', null],
  ['#include <stdio.h>\nint a;', null],
  ['export const a = 1;', null],
];

it.each(heads)('[R24] headComment returns the comment at the start of a file: %j', (text, words) => {
  expect(headComment(text.split('\n'))).toBe(words);
});

it('[R24] headComment truncates a long comment to its maximum length', () => {
  const lines = ['"""Long.', ...Array.from({ length: 100 }, () => 'more'), '"""'];
  expect(headComment(lines)).toMatch(/^Long\.\nmore/);
});

it('[R24] findCallouts finds markers such as TODO in comments, but not in code', () => {
  const lines = [
    '// TODO(me): first',
    'const TODO = 1;',
    '  * FIXME second */',
    '# HACK - third',
    "throw new Error('BUG');",
  ];
  expect(findCallouts(lines)).toEqual([
    { tag: 'TODO', text: 'first', line: 1 },
    { tag: 'FIXME', text: 'second', line: 3 },
    { tag: 'HACK', text: 'third', line: 4 },
  ]);
});
