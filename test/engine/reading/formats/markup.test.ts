import { describe, expect, it } from 'vitest';
import type { Unit } from '../../../../packages/engine/src/reading/document.ts';
import { markupFormat } from '../../../../packages/engine/src/reading/formats/markup.ts';
import { contentOfPage } from '../../../../packages/engine/src/reading/snapshot.ts';
import { flat } from '../removal.ts';

const read = (text: string) => markupFormat.units(text.split('\n'), {});

describe('markupFormat.units', () => {
  it('markupFormat labels regions of a page snapshot with role, accessible name and contents', () => {
    const units = read(
      `- navigation "Categories" [ref=e1]:\n  - link "A" [ref=e2]\n  - link "B" [ref=e3]\n  - link "C" [ref=e4]\n- region [ref=e5]:\n  - heading "Prices" [level=2] [ref=e6]\n  - text: from 3${' or more'.repeat(80)}\n  - button "Buy" [ref=e7]`,
    );
    expect(units).toMatchObject([
      {
        kind: 'element',
        name: 'navigation Categories',
        holds: '3 links: A, B, C',
        start: 1,
        head: 1,
        end: 4,
        rule: 'unrelated-units',
      },
      {
        kind: 'element',
        holds: '1 heading, 1 text, 1 button: Prices, from 3 or more o…, Buy',
        start: 5,
        head: 5,
        rule: 'unrelated-units',
      },
    ]);
  });

  const words = (count: number) => 'A sentence about the shoe. '.repeat(count);

  it('[P55] markupFormat keeps a short region of a page, and labels a long region with its headings', () => {
    const questions = ['Do they fit?', 'Can they be washed?', 'Are laces included?'].map(
      (each) => `    - heading "${each}" [level=4] [ref=e8]\n    - paragraph [ref=e9]: ${words(9)}`,
    );
    const [main] = read(
      `- main [ref=e1]:\n  - region "Codes" [ref=e2]:\n    - paragraph: ${words(3)}\n    - paragraph: x\n    - paragraph: y\n  - region "Questions" [ref=e7]:\n${questions.join('\n')}`,
    );
    expect(main?.children).toMatchObject([
      { name: 'region Questions', holds: '3 headings: Do they fit?, Can they be wash…, …' },
    ]);
  });

  it('[P55] contentOfPage returns false for the address at the top of a page and for its menus', () => {
    const page = `- Page URL: https://shop.example/\n- navigation "Menu" [ref=e1]:\n  - link "A" [ref=e2]\n  - link "B" [ref=e3]\n  - link "C" [ref=e4]\n- main [ref=e5]:\n  - paragraph: ${words(30)}\n  - paragraph: x\n  - paragraph: y`;
    const isContent = contentOfPage(read(page));
    expect(page.split('\n').map((_, index) => isContent(index))).toEqual([
      ...[false, false, false, false, false],
      ...[true, true, true, true],
    ]);
  });

  const removable = (units: readonly Unit[]): Unit[] =>
    units.flatMap((unit) => [...(unit.rule === undefined ? [] : [unit]), ...removable(unit.children ?? [])]);

  it('[P55] markupFormat keeps the controls of a form, because an agent chooses among them', () => {
    const options = Array.from(
      { length: 12 },
      (_, size) => `    - radio "${36 + size} – ${words(2)}" [ref=e${size}]`,
    );
    const [main] = read(
      `- main [ref=e1]:\n  - radiogroup "Size" [ref=e2]:\n${options.join('\n')}\n  - paragraph: ${words(30)}`,
    );
    expect(removable(main === undefined ? [] : [main])).toEqual([]);
  });

  it('[P55] markupFormat keeps form rows with a price and an amount, but not similar items of a shop', () => {
    const row = (n: number, first: string) =>
      `    - generic [ref=a${n}]:\n      - ${first}\n      - generic: NOK ${n}\n      - spinbutton "Extra ${n}" [ref=c${n}]: "0"`;
    const page = (first: string) =>
      read(
        `- main [ref=e1]:\n  - group "Extras" [ref=e2]:\n${Array.from({ length: 12 }, (_, n) => row(n, first)).join('\n')}`,
      );
    expect(removable(page('generic [ref=b]: Firewood, 60 l'))).toEqual([]);
    expect(removable(page('link "Trail Runner" [ref=b]'))).toHaveLength(12);
  });

  it('[P55] markupFormat removes list items as a whole, and keeps the first two and the last item', () => {
    const cards = Array.from(
      { length: 30 },
      (_, index) =>
        `  - article "P${index}" [ref=a${index}]:\n    - text: x\n    - text: y\n    - button "Add" [ref=b${index}]`,
    );
    const [main] = read(`- main [ref=e1]:\n${cards.join('\n')}`);
    expect(main?.rule).toBeUndefined();
    expect(main?.children).toHaveLength(30);
    expect(main?.children?.[2]).toMatchObject({ name: 'P2', holds: 'article', start: 10, end: 13, head: 9 });
    const shown = main?.children?.flatMap(({ name, standsOut }) => (standsOut === true ? [name] : []));
    expect(shown).toEqual(['P0', 'P1', 'P29']);
  });

  it('markupFormat labels HTML elements with tag and id, and reads a script as one element', () => {
    const html =
      '<!doctype html>\n<html>\n<head>\n<script>\nif (a < b) {\n  x("<div>");\n}\n</script>\n</head>\n<body>\n<div id="cart">\n<p>one\n<p>two\n<p>three\n</div>\n</body>\n</html>';
    const named = flat(read(html)).map(({ name, start, end }) => `${name} ${start}-${end}`);
    expect(named).toEqual(expect.arrayContaining(['script 4-8', 'div#cart 11-15']));
    expect(named.some((each) => each.startsWith('div 6'))).toBe(false);
  });

  it('markupFormat ignores an element that shares a line with a sibling', () => {
    expect(
      flat(read('<?xml version="1.0"?>\n<a>\n<b>\n1\n2\n</b><c>\n3\n4\n</c>\n</a>')).map(({ name }) => name),
    ).toEqual(['a']);
  });

  const row = (name: string, value: string) =>
    `      - row [ref=e3]:\n        - rowheader "${name}" [ref=e4]\n        - cell "${value}" [ref=e5]`;

  it('[P54] markupFormat reads a table of names and values as one part, and keeps the rows of a short table', () => {
    const facts = Array.from({ length: 30 }, (_, at) => row(`Property ${at}`, `${at * 7} units of its kind`));
    const prices = ['from 2', 'from 5', 'from 9', 'from 20'].map((each) =>
      row(each, '4').replace('rowheader', 'cell'),
    );
    const units = read(
      `- main [ref=e1]:\n  - region "Technical data" [ref=e2]:\n    - table [ref=e6]:\n${facts.join('\n')}\n  - region "Prices" [ref=e7]:\n    - table [ref=e8]:\n${prices.join('\n')}`,
    );
    expect(removable(units).filter(({ head, start }) => head < start)).toEqual([]);
  });

  it('[P55] markupFormat reads regions as sections of a page, not as items of a list', () => {
    const regions = ['Gallery', 'Buy', 'Data', 'Reviews', 'Questions'].map(
      (name) =>
        `  - region "${name}" [ref=e2]:\n    - heading "${name}" [ref=e3]\n    - paragraph: ${words(30)}\n    - paragraph: x`,
    );
    const units = read(`- main [ref=e1]:\n${regions.join('\n')}`);
    expect(removable(units).filter(({ head, start }) => head < start)).toEqual([]);
  });
});
