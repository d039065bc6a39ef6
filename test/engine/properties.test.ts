import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../packages/base/src/runtime/time.ts';
import { cutText } from '../../packages/engine/src/cut.ts';
import { createLocalScorer } from '../../packages/engine/src/ranking/local-scorer.ts';
import { FORMATS } from '../../packages/engine/src/reading/formats.ts';
import {
  DEFAULT_OPTIONS,
  kindOfText,
  type Origin,
  type PruneRequest,
} from '../../packages/engine/src/request.ts';
import { cutFaults } from '../support/cut-checks.ts';
import { labelFaults } from '../support/label-checks.ts';
import { examplesOf } from './reading/formats/sample.ts';

const EXAMPLES = FORMATS.map(examplesOf).flatMap(({ is, isNot }) => [...is, ...isNot]);
const ORIGINS: readonly Origin[] = [
  { kind: 'command', command: 'npm test' },
  { kind: 'command', command: 'cat notes' },
  { kind: 'file', path: 'src/shop.ts', isPart: false },
  { kind: 'search', pattern: 'retry' },
  { kind: 'other' },
];
const PARTS = { scorer: createLocalScorer(), clock: systemClock };
const INTENTS = ['implicit', 'explicit'] as const;

/** Returns the faults of the cuts of a text, read as each kind of request. Sizes are small, so that every rule is allowed. */
function faultsOf(text: string, question = 'why does the retry give up?'): string[] {
  return ORIGINS.flatMap((origin) =>
    INTENTS.flatMap((intent) => {
      const request: PruneRequest = {
        text,
        focus: { question },
        ...kindOfText(origin, text),
        intent,
        options: {
          ...DEFAULT_OPTIONS,
          markers: 'compact',
          maxPruneRatio: 0.95,
          timeoutMs: 60_000,
          sizes: { maxUnchangedChars: 200, minDumpChars: 200, maxDiffChars: 200 },
        },
      };
      const job = { request, id: 'prn_0000000000', remainingMs: 60_000 };
      const cut = cutText(job, PARTS);
      return cut === undefined ? ['no cut'] : cutFaults(request, cut);
    }),
  );
}

/** Repeats the lines of an example with other numbers, as in long outputs. */
function repeated(text: string, times: number): string {
  return Array.from({ length: times }, (_, round) =>
    text.replace(/\d+/g, (digits) => String(Number(digits.slice(0, 9)) + round)),
  ).join('\n');
}

describe('cutText with any text', () => {
  it.each(EXAMPLES)(
    '[P50] [P58] cutText removes only whole sections, and their labels are true (example %#)',
    (text) => {
      expect(faultsOf(text).slice(0, 3)).toEqual([]);
      expect(faultsOf(repeated(text, 40)).slice(0, 3)).toEqual([]);
    },
  );

  it('[P50] one gap of cutText never contains both identical lines and the paragraph after them', () => {
    const table = 'id,name,total\n1,Ada,20\n2,Bo,35\n3,Cy,12\n4,Di,8';
    const parts = [table, 'diff --git a/src/cart.ts b/src/cart.ts', repeated('<project>', 18)];
    const text = [...parts, repeated('90ac1e44 release 1.2.0', 14), 'src/shop.ts:3:import { add } from'];
    expect(faultsOf(text.join('\n'))).toEqual([]);
  });

  it('[P58] cutText labels page lines that contain no element', () => {
    const table = ' id | name\n----+------\n  1 | Ada\n  2 | Bo\n  3 | Cy\n(3 rows)';
    const list = 'Before the release\n- run the tests\n- write the notes\n- ask the team';
    const page = Array.from({ length: 12 }, (_, at) => `- main [ref=e${at + 4}]:`).join('\n');
    expect(
      faultsOf([list, table, 'FROM node:24 AS build', page, 'diff --git a/a.ts b/a.ts'].join('\n')),
    ).toEqual([]);
  });

  it('[P50] [P58] cutText removes only whole sections from any mixture of lines, and their labels are true', () => {
    const lines = EXAMPLES.flatMap((text) => text.split('\n'));
    const line = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...lines) }, fc.string());
    const numbered = fc
      .tuple(line, fc.integer({ min: 2, max: 60 }))
      .map(([each, times]) => repeated(each, times));
    const example = fc.constantFrom(...EXAMPLES);
    const part = fc.oneof({ weight: 3, arbitrary: line }, numbered, { weight: 2, arbitrary: example });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 40 }), (parts) => {
        expect(faultsOf(parts.join('\n')).slice(0, 3)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('labelFaults', () => {
  const block = (reason: string, end: number) => ({ start: 2, end, count: end - 1, reason, marker: reason });

  it('[P58] labelFaults reports a wrong number of tests, and reports a failed test in a gap of passed tests', () => {
    const run = ['suite', '✓ one', '✓ two', '✗ three'];
    expect(labelFaults(run, block('2 tests passed', 3))).toEqual([]);
    expect(labelFaults(run, block('3 tests passed', 3))).toHaveLength(1);
    expect(labelFaults(run, block('2 tests passed', 4))).toHaveLength(1);
  });

  it('[P58] labelFaults reports lines that do not match the label, and reports a function name that is not above the gap', () => {
    const log = ['INFO start', 'INFO sent mail 1', 'INFO sent mail 2', 'WARN disk full'];
    expect(labelFaults(log, block('2 lines like: INFO sent mail …', 3))).toEqual([]);
    expect(labelFaults(log, block('3 lines like: INFO sent mail …', 4))).toHaveLength(1);
    expect(labelFaults(['function load() {', '  x();', '}'], block('body of function load', 3))).toEqual([]);
    expect(labelFaults(['function load() {', '  x();', '}'], block('body of function save', 3))).toHaveLength(
      1,
    );
  });
});
