import { describe, expect, it } from 'vitest';
import { FORMATS } from '../../../packages/engine/src/reading/formats.ts';
import { layOutJson } from '../../../packages/engine/src/reading/json-tree.ts';
import { browserSnapshot, commitList, issueList, orderTable } from './large-results.ts';
import { afterRemoval } from './removal.ts';

function cut(text: string, words: readonly string[]) {
  const lines = text.split('\n');
  const sample = lines.filter((line) => line.trim() !== '').map((line) => line.slice(0, 300));
  const format = FORMATS.find((each) => each.recognise(sample.slice(0, 200)));
  return { name: format?.name, ...afterRemoval(format?.units(lines, {}) ?? [], lines, words) };
}

describe('shortening of large results', () => {
  it('a shortened browser snapshot keeps the product that the request mentions, with its buttons', () => {
    const text = browserSnapshot();
    expect(text.length).toBeGreaterThan(30_000);
    const { name, kept, share } = cut(text, ['trail runner 3']);
    expect(name).toBe('markup');
    const product = kept.slice(kept.indexOf('article "Trail Runner 3"'));
    expect(product.split('\n').slice(0, 7).join('\n')).toMatch(
      /button "Blue" \[ref=e\d+\]\n.*button "Add to cart"/,
    );
    expect(share).toBeGreaterThan(0.75);
  });

  it('a shortened list of issues keeps number, title and state of the issue that the request mentions', () => {
    const text = issueList();
    expect(text.length).toBeGreaterThan(60_000);
    const { name, kept, share } = cut(text, ['timeout']);
    expect(name).toBe('json');
    expect(kept).toMatch(
      /"number": 431,\n {4}"title": "Export queue stops after a timeout",\n {4}"state": "open"/,
    );
    expect(share).toBeGreaterThan(0.75);
  });

  it('commits in one line of JSON are pretty-printed, and commits that the request mentions keep sha and message', () => {
    const text = layOutJson(commitList()) ?? '';
    const { name, kept, share } = cut(text, ['fix(rules)']);
    expect(name).toBe('json');
    expect(kept.match(/"message": "fix\(rules\): [^"]+"/g)).toHaveLength(3);
    expect(share).toBeGreaterThan(0.75);
  });

  it('a shortened list of commits keeps sha and message in each kept record, even if the request mentions no commit', () => {
    const text = layOutJson(commitList()) ?? '';
    const { kept } = cut(text, []);
    const shas = kept.match(/^ {2}"sha": /gm)?.length ?? 0;
    expect(shas).toBeGreaterThanOrEqual(5);
    expect(kept.match(/"message": /g)).toHaveLength(shas);
    expect(kept).not.toMatch(/"signature"|"node_id"/);
  });

  it('a shortened table of 3,000 rows keeps the extreme value and the rare pair of values', () => {
    const { name, kept, share } = cut(orderTable(), []);
    expect(name).toBe('table');
    expect(kept).toContain('98765432');
    expect(kept).toMatch(/^2204,/m);
    expect(kept).toMatch(/^id,customer,status/);
    expect(share).toBeGreaterThan(0.75);
  });
});
