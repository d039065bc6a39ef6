import { describe, expect, it } from 'vitest';
import { exceedsShell, unrelatedInLong } from '../../../packages/engine/src/cutting/long-texts.ts';
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

  it('a file that is too long for the output of a shell loses the functions with the lowest scores until the file fits', () => {
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

  it('exceedsShell returns true for code that a command prints, if a shell shows only a part of it', () => {
    const command: Origin = { kind: 'command', command: 'cat steps.js' };
    const short = readDocument(text.slice(0, 20_000), { fileName: 'steps.js' });
    expect([exceedsShell(command, document), exceedsShell(command, short)]).toEqual([true, false]);
    expect(exceedsShell({ kind: 'file', path: 'steps.js', isPart: false }, document)).toBe(false);
  });

  it('a function whose name has a rare part of an identifier in the request is related', () => {
    const code = ['is_alias_path_only', 'load_variables'].map(
      (name) => `def ${name}(field):\n${'    check(field)\n'.repeat(9)}`,
    );
    const file = readDocument(code.join('\n'), { fileName: 'sources.py' });
    const decide = unrelatedInLong({ kind: 'file', path: 'sources.py', isPart: false }, file, {
      isUnrelated: () => true,
      needs: () => needs,
      words: '',
      request: 'A field with an AliasPath gets no value.',
    });
    expect(file.units.filter(decide).map(({ name }) => name)).toEqual(['load_variables']);
  });

  it('nothing more is removed from a file that a read tool returned, because outputs of read tools have no size limit', () => {
    expect(unrelated({ kind: 'file', path: 'steps.js', isPart: false })).toEqual([]);
  });
});

describe('[P54] sections of a long page', () => {
  const SECTIONS = 20;
  const LENGTH = 8;
  const prose = (n: number) =>
    `This text explains option ${n} of the server and what happens at its limits. `.repeat(6);
  /** Each section has a heading, a paragraph, and a paragraph of an example. */
  const page = readDocument(
    Array.from({ length: SECTIONS }, (_, n) =>
      [`## Option number ${'abcdefghijklmnopqrst'[n]}`, '', prose(n), '', prose(n), '', prose(n), ''].join(
        '\n',
      ),
    ).join('\n'),
  );
  /** Every section has one related paragraph, the third. The first line of the page is much stronger than all others. */
  const isExample = ({ kind, start }: Unit) => kind === 'paragraph' && (start - 1) % LENGTH === 6;
  const strengthIn = (line: number) => {
    if (line === 0) return 1;
    return line % LENGTH === 6 ? 0.1 + 0.01 * Math.floor(line / LENGTH) : 0.01;
  };
  const strengths = Float64Array.from(page.lines, (_, line) => Math.log(strengthIn(line)) / SHARPNESS);
  const parts = {
    isUnrelated: (unit: Unit) => unit.kind === 'paragraph' && !isExample(unit),
    needs: () => new Needs(page.lines, { scores: strengths, areLogOdds: true, tier: 'neighbours' }, 'code'),
    words: 'what is the limit?',
    request: '',
  };
  const removed = (origin: Origin, words = parts.words) => {
    const decide = unrelatedInLong(origin, page, { ...parts, words });
    return page.units.map((section) => ({
      isRemoved: decide(section),
      paragraphs: (section.children ?? []).map(decide),
    }));
  };

  it('unrelatedInLong keeps or removes all paragraphs of a section together', () => {
    for (const { isRemoved, paragraphs } of removed({ kind: 'page' }))
      expect(paragraphs).toEqual(paragraphs.map(() => isRemoved));
  });

  it('unrelatedInLong keeps the strongest sections of a page that was looked up, up to two fifths of it', () => {
    const kept = removed({ kind: 'page' }).map(({ isRemoved }) => !isRemoved);
    const count = kept.filter(Boolean).length;
    expect(count).toBeGreaterThan(5);
    expect(count).toBeLessThanOrEqual(0.4 * SECTIONS);
    expect(kept.slice(-count).every(Boolean)).toBe(true);
  });

  it('unrelatedInLong keeps up to three fifths of a page if the request asks for everything', () => {
    const kept = removed({ kind: 'page' }, 'list all limits').filter(({ isRemoved }) => !isRemoved);
    expect(kept.length).toBeGreaterThan(0.4 * SECTIONS);
    expect(kept.length).toBeLessThanOrEqual(0.6 * SECTIONS);
  });

  it('unrelatedInLong keeps all related sections of a document that is read from a file', () => {
    const kept = removed({ kind: 'file', path: 'options.md', isPart: false });
    expect(kept.filter(({ isRemoved }) => isRemoved)).toEqual([]);
  });
});
