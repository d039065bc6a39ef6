import { describe, expect, it } from 'vitest';
import { unrelatedInLong } from '../../../packages/engine/src/cutting/long-texts.ts';
import { Needs } from '../../../packages/engine/src/ranking/need.ts';
import type { Unit } from '../../../packages/engine/src/reading/document.ts';
import { readDocument } from '../../../packages/engine/src/reading/read.ts';
import type { Origin } from '../../../packages/engine/src/request.ts';

const FUNCTIONS = 60;
const LINES = 16;
/** 60 functions of about 900 characters: a file of 54,000. */
const text = Array.from({ length: FUNCTIONS }, (_, index) => {
  const body = Array.from(
    { length: LINES - 3 },
    (__, line) => `  const value${line} = read('${index}'.padEnd(${40 + line}, 'x'), limit);`,
  );
  return [`export function step${index}(limit) {`, ...body, '}', ''].join('\n');
}).join('\n');
const document = readDocument(text, { fileName: 'steps.js' });

/** The strongest line of a function, as a share of the strongest line of the file: every fourth function is needed. */
const strengthOf = (index: number) => (index % 4 === 0 ? 1 : 0.1 + 0.001 * index);
const SHARPNESS = 0.8;
const scores = Float64Array.from(
  document.lines,
  (_, line) => Math.log(strengthOf(Math.floor(line / LINES))) / SHARPNESS,
);
const needs = new Needs(document.lines, { scores, areLogOdds: true, tier: 'neighbours' }, 'code');

function unrelated(origin: Origin, isUnrelated: (unit: Unit) => boolean = () => false): number[] {
  const decide = unrelatedInLong(origin, document, {
    isUnrelated,
    needs: () => needs,
    words: '',
    request: '',
  });
  return document.units.filter(decide).map(({ name }) => Number(name.replace('step', '')));
}

describe('[P54] unrelated functions of a file that is too long for a shell', () => {
  const folded = unrelated({ kind: 'command', command: 'cat steps.js' });

  it('a file that is too long for the output of a shell loses the functions with the lowest scores until it fits', () => {
    expect(document.units).toHaveLength(FUNCTIONS);
    const strongest = Math.max(...folded);
    const weaker = [...Array(FUNCTIONS).keys()].filter((index) => index % 4 !== 0 && index <= strongest);
    expect(folded).toEqual(weaker);
    const left = text.length - folded.length * (text.length / FUNCTIONS);
    expect(left).toBeLessThan(30_000);
    expect(left).toBeGreaterThan(27_000);
  });

  it('functions with high scores are kept, even if the file is then still too long', () => {
    expect(folded.filter((index) => strengthOf(index) > 0.2)).toEqual([]);
  });

  it('unrelated functions are removed before other functions with low scores', () => {
    const isLast = ({ name }: Unit) => Number(name.replace('step', '')) > 44;
    expect(unrelated({ kind: 'command', command: 'cat steps.js' }, isLast).length).toBeLessThanOrEqual(
      folded.length + 4,
    );
  });

  it('nothing more is removed from a file that a read tool returned, because its length is not limited', () => {
    expect(unrelated({ kind: 'file', path: 'steps.js', isPart: false })).toEqual([]);
  });
});
