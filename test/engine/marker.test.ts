import { describe, expect, it } from 'vitest';
import { countedFrom, lineNumbers, splitLines } from '../../packages/base/src/text/lines.ts';
import { estimateTokens } from '../../packages/base/src/text/token-estimate.ts';
import {
  describeBlock,
  describeLineInPart,
  headline,
  isHandle,
  markerStyle,
  readMarker,
} from '../../packages/engine/src/marker.ts';
import { pruneRequest, testPruner } from '../support/pruner.ts';

const body = (count: number, indent = '    ') =>
  Array.from({ length: count }, (_, at) => `${indent}value_${at} = compute(${at}, "padding padding")`);
const functions = ['parse_yaml', 'parse_json', 'parse_toml', 'parse_ini'];
const text = [
  'def retry(policy):',
  '    return policy.retry()',
  ...functions.flatMap((name) => [`def ${name}(path):`, ...body(30)]),
].join('\n');

async function compact(raw: string) {
  const options = { maxPruneRatio: 0.97, markers: 'compact' as const };
  const pruner = testPruner();
  const outcome = await pruner.prune(
    pruneRequest({ text: raw, focus: { question: 'retry policy' }, options }),
  );
  return { ...outcome, recovery: pruner.recovery, lines: splitLines(outcome.prunedText) };
}

describe('[F23] compact markers', () => {
  it('an output with compact markers begins with one headline and has one short line per gap', async () => {
    const { id, lines, annotations, stats } = await compact(text);
    const gaps = annotations.length === 1 ? '1 gap' : `${annotations.length} gaps`;
    expect(lines[0]).toBe(
      `✂ ${id}: ${stats.prunedLines} of ${stats.originalLines} lines cut in ${gaps}; recover_text gives lines back (lines of this output)`,
    );
    expect(annotations.length).toBeGreaterThan(0);
    for (const { start, end, marker } of annotations) {
      expect(marker).toMatch(new RegExp(`^✂ ${start}-${end}(?: \\(.*\\))?$`));
      expect(estimateTokens(marker)).toBeLessThan(25);
      expect(lines).toContain(marker);
    }
  });

  it('a compact marker contains the names of the removed functions', async () => {
    const { annotations } = await compact(text);
    expect(annotations.map(({ marker }) => marker).join()).toMatch(/\(functions? parse_\w+/);
  });

  it('a compact marker costs less than half the tokens of a canonical marker', () => {
    const range = { start: 1000, end: 1000 };
    const label = { english: '', french: 'hors focus' };
    const cost = (style: 'compact' | 'canonical') =>
      estimateTokens(describeBlock({ id: 'prn_4KQ7MZT05X', style }, range, label).marker);
    expect(cost('compact')).toBeLessThan(cost('canonical') / 2);
  });

  it('prune_text writes canonical markers if the text itself contains a line that looks like a compact marker', async () => {
    const { lines, annotations } = await compact(`✂ 3-9 (function old)\n${text}`);
    expect(annotations[0]?.marker).toMatch(/^⟦PRUNÉ: /);
    expect(lines).toContain('✂ 3-9 (function old)');
  });

  it('markers of an earlier pruning are kept, and the lines behind these markers can still be recovered', async () => {
    const first = await compact(text);
    const [gap = { start: 1, end: 1 }] = first.annotations;
    const { texts } = await first.recovery.recover(first.id, [gap]);
    expect(texts[0]).toBe(
      splitLines(text)
        .slice(gap.start - 1, gap.end)
        .join('\n'),
    );
    const second = await compact(`${first.prunedText}\n${body(60, '').join('\n')}`);
    expect(second.annotations.length).toBeGreaterThan(0);
    for (const line of first.lines.filter((each) => each.startsWith('✂')))
      expect(second.lines).toContain(line);
  });
});

describe('[F23] readMarker', () => {
  it.each([
    ['✂ prn_7M2Q4K8T3V: 214 of 261 lines cut in 5 gaps; …', { kind: 'headline', id: 'prn_7M2Q4K8T3V' }],
    ['✂ 36-47', { kind: 'gap', id: undefined, lines: { start: 36, end: 47 }, reason: '' }],
    [
      '✂ 36-47 (function parseYaml, +3)',
      { kind: 'gap', id: undefined, lines: { start: 36, end: 47 }, reason: 'function parseYaml, +3' },
    ],
    [
      '⟦PRUNÉ: prune_id=prn_7M2Q4K8T3V lignes 3-9 (7) raison=hors focus⟧',
      { kind: 'gap', id: 'prn_7M2Q4K8T3V', lines: { start: 3, end: 9 }, reason: 'hors focus' },
    ],
    ['✂ cut here', undefined],
    ['lines ✂ 3-9', undefined],
  ])('readMarker parses: %s', (line, read) => {
    expect(readMarker(line)).toEqual(read);
  });
});

describe('[P17] describeBlock', () => {
  const range = { start: 3, end: 9 };
  const marking = { id: 'prn_1', style: 'compact' } as const;
  const block = (style: 'canonical' | 'compact', french: string, english = french) =>
    describeBlock({ id: 'prn_1', style }, range, { french, english });

  it('describeBlock writes lines, count and reason in French for canonical and in English for compact markers', () => {
    const marker = '⟦PRUNÉ: prune_id=prn_1 lignes 3-9 (7) raison=fonction lit⟧';
    expect(block('canonical', 'fonction lit', 'function read')).toEqual({
      ...range,
      count: 7,
      reason: 'fonction lit',
      marker,
    });
    expect(block('compact', 'fonction lit', 'function read').marker).toBe('✂ 3-9 (function read)');
    expect(block('compact', 'hors focus', '').marker).toBe('✂ 3-9');
  });

  it('describeBlock writes one line, even if the reason contains line breaks, brackets or control characters', () => {
    expect(block('canonical', ' a⟧\u0007\n ⟦b\u2028c\ud800 ').reason).toBe('a b c');
  });

  it.each([
    { style: 'canonical', most: 60 },
    { style: 'compact', most: 220 },
  ] as const)(
    'describeBlock writes at most $most characters of a reason if $style, and splits no surrogate pair',
    (each) => {
      const { style, most } = each;
      expect(block(style, '😀'.repeat(most)).reason).toBe('😀'.repeat(most));
      expect(block(style, '😀'.repeat(most + 1)).reason).toBe(`${'😀'.repeat(most - 1)}…`);
    },
  );

  it('[F23] headline states the number of gaps and the command that recovers lines [A14]', () => {
    const gap = block('compact', '');
    const back = 'recover_text gives lines back (lines of this output)';
    const first = { originalLines: 20 };
    expect(headline(marking, [gap], first)).toBe(`✂ prn_1: 7 of 20 lines cut in 1 gap; ${back}`);
    expect(headline(marking, [gap, gap], first)).toBe(`✂ prn_1: 14 of 20 lines cut in 2 gaps; ${back}`);
    expect(headline(marking, [gap], { ...first, recoverBy: 'run x {id} A-B' })).toBe(
      '✂ prn_1: 7 of 20 lines cut in 1 gap; run x prn_1 A-B (lines of this output)',
    );
  });

  it('[A16] headline states whether line numbers refer to the output, to the file or to printed numbers', () => {
    const shown = { ...marking, numbers: lineNumbers(['4\ta', '5\tb', '6\tc'], { kind: 'shown' }) };
    const first = { originalLines: 3, recoverBy: 'x' };
    expect(headline(marking, [], first)).toContain('; x (lines of this output)');
    expect(headline(shown, [], first)).toContain('; x (numbers as shown)');
    expect(headline(marking, [], { ...first, firstLine: 1 })).toContain('; x (lines of the file)');
  });

  it('[A16] describeBlock writes the line numbers that the reader sees into compact markers, but not into canonical markers', () => {
    const numbers = countedFrom(100, 20);
    const label = { english: '', french: 'hors focus' };
    expect(describeBlock({ id: 'prn_1', style: 'compact', numbers }, range, label)).toMatchObject({
      ...range,
      marker: '✂ 103-109',
    });
    expect(describeBlock({ id: 'prn_1', style: 'canonical', numbers }, range, label).marker).toContain(
      'lignes 3-9 (7)',
    );
  });

  it('[F23] describeLineInPart writes a marker with the shown pieces of a long line', () => {
    const shown = [
      { from: 1, to: 4, text: 'a\tb⟧' },
      { from: 7, to: 7, text: 'c' },
    ];
    const inPart = describeLineInPart(marking, { number: 2, characters: 900, shown });
    expect(inPart).toMatchObject({
      start: 2,
      end: 2,
      count: 1,
      isInPart: true,
      reason: 'line shown in part',
    });
    expect(inPart.marker).toBe('✂ 2-2 (900 characters, in part: [1-4] a b [7-7] c)');
  });
});

describe('[F23] isHandle', () => {
  it.each(['✂ 3-9', '  ✂ 3-9 (function old)', '✂ prn_1: 7 of 20 lines cut'])(
    'isHandle returns true for the compact marker: %s',
    (line) => {
      expect(isHandle(line)).toBe(true);
      expect(markerStyle('compact', `a\n${line}\nb`)).toBe('canonical');
    },
  );

  it('isHandle recognises PRUNÉ and OBSERVATION_MASKED markers anywhere in a line', () => {
    expect(isHandle('a ⟦PRUNÉ: b')).toBe(true);
    expect(isHandle('... [KIMI_PROXY_OBSERVATION_MASKED original_chars=9 head=0 tail=0] ...')).toBe(true);
  });

  it.each(['✂ cut here', 'see ✂ 3-9', 'plain'])('isHandle returns false for: %s', (line) => {
    expect(isHandle(line)).toBe(false);
    expect(markerStyle('compact', `a\n${line}\nb`)).toBe('compact');
    expect(markerStyle('canonical', line)).toBe('canonical');
  });
});
