import { describe, expect, it } from 'vitest';
import { fieldsKey, type Labelled } from '../../../packages/engine/src/cutting/label-details.ts';
import { labelOf } from '../../../packages/engine/src/cutting/labels.ts';
import type { Unit, UnitKind } from '../../../packages/engine/src/reading/document.ts';
import { snapshotUnits } from '../../../packages/engine/src/reading/snapshot.ts';

/** Returns consecutive units of one line each. */
function unitsOf(kind: UnitKind, names: readonly string[]): Unit[] {
  return names.map((name, index) => ({ kind, name, start: index + 1, end: index + 1, head: index }));
}

function english(units: readonly Unit[], gap: Partial<Labelled> = {}): string {
  const { english: said, french } = labelOf(units, { isBody: false, lines: [], named: new Map(), ...gap });
  expect(said.length).toBeLessThanOrEqual(80);
  expect(french.length).toBeLessThanOrEqual(60);
  return said;
}

describe('[P58] labels of similar lines', () => {
  const lines = ['INFO got 1', 'INFO got 2', 'INFO kept 1', 'INFO left 1', 'INFO sent 1'];
  const names = ['INFO got …', 'INFO got …', 'INFO kept …', 'INFO left …', 'INFO sent …'];

  it('the label of similar lines quotes one line of each kind if there is space', () => {
    expect(english(unitsOf('similar-lines', names), { lines })).toBe(
      '5 lines like: INFO got …; INFO kept …; INFO left …; INFO sent …',
    );
  });

  it('the label of similar lines states how many kinds of lines it omits, and that none of these is a warning', () => {
    const long = names.map((name) => `${name} for the customer of the shop`);
    expect(english(unitsOf('similar-lines', long), { lines })).toMatch(
      /^5 lines like: INFO got .*; 2 more kinds, no warning$/,
    );
  });

  it('the label of similar lines quotes warnings first, and does not say "no warning"', () => {
    const long = [...names, 'WARN slow …'].map((name) => `${name} for the customer of the shop`);
    const label = english(unitsOf('similar-lines', long), { lines: [...lines, 'WARN slow 1'] });
    expect(label).toMatch(/^6 lines with 1 warning like: WARN slow …/);
    expect(label).not.toContain('no warning');
  });
});

describe('[P58] labels of parts without a name', () => {
  it('[P58] the label of similar lines omits the words with which all of the lines begin', () => {
    const kinds = ['saved the page of a customer in …', 'sent the page of a customer to …'];
    const names = kinds.map((kind) => `INFO renderer[render-b] ${kind}`);
    expect(english(unitsOf('similar-lines', names), { lines: names })).toBe(
      '2 lines like: …saved the page of a customer…; …sent the page of a customer…',
    );
  });

  it('the label of many table rows quotes the beginning of the first and the last row', () => {
    const lines = Array.from({ length: 30 }, (_, row) => `2026-03-${10 + (row % 20)}  web-${row}  Running`);
    const rows = unitsOf('row', Array<string>(30).fill(''));
    expect(english(rows, { lines })).toBe('30 rows: 2026-03-10 web-0 Running … 2026-03-19 web-29…');
  });

  it('the label of two table rows contains only their number', () => {
    expect(english(unitsOf('row', ['', '']), { lines: ['a  1', 'b  2'] })).toBe('2 rows');
  });

  it('the labels of a paragraph and of a section body quote their beginning', () => {
    const lines = [
      '## Retry',
      '',
      'Each call is tried three times before the queue gives up.',
      'Then it ends.',
    ];
    const paragraph: Unit = { kind: 'paragraph', name: '', start: 3, end: 4, head: 2 };
    expect(english([paragraph], { lines })).toBe('1 paragraph: Each call is tried three times before…');
    const section: Unit = { kind: 'section', name: 'Retry', start: 1, end: 4, head: 1 };
    expect(english([section], { lines, isBody: true })).toBe(
      'body of this section: Each call is tried three times before…',
    );
  });

  it('the label of a section body lists the titles of its subsections', () => {
    const inner = ['Limits', 'Delays'].map(
      (name, at): Unit => ({ kind: 'section', name, start: 3 + at, end: 3 + at, head: 3 + at }),
    );
    const section: Unit = { kind: 'section', name: 'Retry', start: 1, end: 4, head: 1, children: inner };
    expect(english([section], { lines: ['# Retry', '', '## Limits', '## Delays'], isBody: true })).toBe(
      'sections Limits, Delays',
    );
    const withText = { ...section, children: inner.map((unit) => ({ ...unit, start: unit.start + 1 })) };
    const lines = ['# Retry', '', 'Each call is tried three times.', '## Limits', '## Delays'];
    expect(english([withText], { lines, isBody: true })).toBe('text and sections Limits, Delays');
  });

  it('the label of diff hunks lists the changed functions', () => {
    expect(english(unitsOf('hunk', ['def load(path):', '', 'def save(path):']))).toBe(
      '3 hunks: def load(path):, def save(path):',
    );
  });
});

describe('[P58] the label of fields', () => {
  it('[P58] labelOf names hidden fields in the first marker; for the same fields, later markers refer to that marker', () => {
    const fields = unitsOf('field', ['body', 'user', 'labels', 'reactions']);
    expect(english(fields)).toBe('body, user, labels, reactions');
    const named = new Map([[fieldsKey(fields), '12-15']]);
    expect(english(fields, { named })).toBe('4 fields as in 12-15');
    expect(english(fields.slice(1), { named })).toBe('user, labels, reactions');
  });
});

describe('[P58] labels of elements of a web page', () => {
  it('the label of list items lists the text behind the colon of each item', () => {
    const page = [
      '- list [ref=e1]:',
      ...['Oslo', 'Rome', 'Lima'].map((each) => `  - listitem [ref=e2]: ${each}`),
      `  - /note: ${'x'.repeat(600)}`,
    ];
    const [list] = snapshotUnits(page);
    expect(english([list as Unit], { lines: page, isBody: true })).toBe('3 list items: Oslo, Rome, Lima');
  });
});

describe('[P54] labels of chapters and sections', () => {
  const section = (
    name: string,
    [start, end]: readonly [number, number],
    children: readonly Unit[] = [],
  ): Unit => ({
    kind: 'section',
    name,
    start,
    end,
    head: start,
    children,
  });

  it('the label of a chapter lists the titles of its sections, up to 200 characters', () => {
    const titles = Array.from({ length: 12 }, (_, n) => `server.option${n}(value)`);
    const chapter = section(
      'Server',
      [1, 25],
      titles.map((title, n) => section(title, [2 + 2 * n, 3 + 2 * n])),
    );
    const lines = Array.from({ length: 25 }, () => '');
    const { english: said } = labelOf([chapter], { isBody: true, lines, named: new Map() });
    expect(said).toMatch(/^sections server\.option0\(value\), server\.option1\(value\), .* and \d more$/);
    expect(said.length).toBeGreaterThan(120);
    expect(said.length).toBeLessThanOrEqual(200);
  });

  it('the label of a section quotes its text, not an HTML comment or the target of a link', () => {
    const lines = ['## Close', '<a id="close"></a>', '<!-- YAML', 'added: v1.2', '-->', 'Closes the server.'];
    expect(english([section('Close', [1, 6])], { isBody: true, lines })).toBe(
      'body of this section: Closes the server.',
    );
  });
});
