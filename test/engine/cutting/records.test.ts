import { describe, expect, it } from 'vitest';
import { cutText } from '../../../src/engine/cut.ts';
import { localScorer } from '../../../src/ranking/local-scorer.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { pruneRequest } from '../../support/pruner.ts';
import { browserSnapshot, issueList } from '../reading/large-results.ts';

function cut(text: string, question: string): string {
  const request = pruneRequest({
    text,
    focus: { question },
    origin: { kind: 'result' },
    intent: 'implicit',
    options: { maxPruneRatio: 0.95, markers: 'compact' },
  });
  const parts = { scorer: localScorer, clock: systemClock };
  return cutText({ request, id: 'prn_0000000000', remainingMs: 60_000 }, parts)?.prunedText ?? '';
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

describe('[P55] a list of issues above 16,000 characters', () => {
  const issues = issueList(60);
  const timeout = cut(issues, 'Which issue is about a timeout of the export queue?');

  it('stays a list: number, title and state of every issue are shown', () => {
    for (const key of [/"number": \d+,/g, /"title": "/g, /"state": "/g]) expect(count(timeout, key)).toBe(60);
    expect(timeout.length).toBeLessThan(issues.length / 4);
  });

  it('shows the issue that the request names whole', () => {
    const record = timeout.slice(timeout.indexOf('"number": 431'));
    expect(record.slice(0, record.indexOf('"number": 432'))).toMatch(/"avatar_url": .*"body": "/s);
  });

  it('[P58] names the longest hidden field and the number of the others', () => {
    expect(timeout).toMatch(/^✂ \d+-\d+ \(body and \d+ more\)$/m);
    expect(timeout).not.toMatch(/^✂ .*, \+\d+\)$/m);
  });

  it.each([
    'Which issues are open since March?',
    'Quels tickets sont ouverts, et depuis quand ?',
    '这些问题是什么时候创建的？',
  ])('[P57] shows the dates of all issues for a request about time: %s', (question) => {
    expect(count(cut(issues, question), /"created_at": "/g)).toBe(60);
  });
});

describe('[P55] the snapshot of a page', () => {
  it('shows the item that the request names with its controls, and counts the others', () => {
    const shown = cut(browserSnapshot(), 'put the Trail Runner 3 in blue into the cart');
    expect(shown).toMatch(/heading "Trail Runner 3".*\n.*\n.*\n.*combobox "Size".*\n.*button "Blue"/);
    expect(shown).toMatch(/^✂ \d+-\d+ \(\d+ articles: .+ … .+\)$/m);
    expect(shown).toMatch(/navigation "Categories".*\n✂ \d+-\d+ \(40 links\)/);
  });
});
