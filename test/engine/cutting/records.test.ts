import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../packages/base/src/runtime/time.ts';
import { cutText } from '../../../packages/engine/src/cut.ts';
import { localScorer } from '../../../packages/engine/src/ranking/local-scorer.ts';
import { pruneRequest } from '../../support/pruner.ts';
import {
  browserSnapshot,
  instanceList,
  issueList,
  messageList,
  ticketList,
} from '../reading/large-results.ts';

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
    expect(timeout).toMatch(/^✂ \d+-\d+ \(events_url and \d+ more\)$/m);
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

describe('[P55] a list of pull requests with short texts', () => {
  const list = Array.from({ length: 60 }, (_, index) => ({
    node_id: `PR_kwDOHx0${String(index).padStart(4, '0')}a7f3c9e1b5d2`,
    etag: `W/"${String(index).padStart(4, '0')}9b1c7d3e5f2a4b6c8d0e1f3a5b7c9d1e"`,
    number: 900 + index,
    title: `Change ${index} of the ${['parser', 'queue', 'export', 'login'][index % 4]}`,
    state: index % 3 === 0 ? 'open' : 'closed',
    base: { ref: index % 2 === 0 ? 'main' : 'release/5.4', sha: `${index}c0ffee`.padEnd(40, 'a') },
    comments: index,
    url: `https://api.example.test/repos/shop/cart/pulls/${900 + index}`,
    commits_url: `https://api.example.test/repos/shop/cart/pulls/${900 + index}/commits`,
    review_comments_url: `https://api.example.test/repos/shop/cart/pulls/${900 + index}/comments{/number}`,
    statuses_url: `https://api.example.test/repos/shop/cart/statuses/${String(index).padEnd(40, 'b')}`,
    body: `Fixes SHOP-${200 + index}: ${['a lost row', 'a wrong sum', 'a slow page'][index % 3]} in the ${index}th report.`,
  }));
  const shown = cut(JSON.stringify(list, undefined, 2), 'Which tickets do the changes of the queue fix?');

  it('shows the same fields of every record, or of none', () => {
    for (const key of [/"number": /g, /"title": /g, /"ref": /g, /"body": "Fixes SHOP-/g])
      expect(count(shown, key), String(key)).toBe(60);
    for (const key of [/"etag": /g, /"commits_url": /g]) expect(count(shown, key), String(key)).toBe(0);
  });
});

describe('[P55] lists as APIs return them', () => {
  const shownOf = (list: string, question: string, keys: Readonly<Record<string, number>>) => {
    const shown = cut(list, question);
    for (const [key, times] of Object.entries(keys))
      expect(count(shown, new RegExp(`"${key}": (?!\\[|\\{)`, 'g')), key).toBeGreaterThanOrEqual(times);
    return { shown, removed: 1 - shown.length / list.length };
  };

  it('lose the field that repeats the text of a message in rich form, in every record but the first', () => {
    const keys = { text: 80, user: 80, ts: 80 };
    const { shown, removed } = shownOf(
      messageList(80),
      'What is said about the harbor and the bridge?',
      keys,
    );
    expect(count(shown, /"blocks": \[/g)).toBeLessThanOrEqual(1);
    expect(removed).toBeGreaterThan(0.65);
  });

  it('show key, title, state, times and a person of every ticket, and no address or empty field', () => {
    const keys = { key: 40, summary: 40, created: 40, updated: 40, displayName: 40 };
    const { shown, removed } = shownOf(ticketList(40), 'Which bugs are open, and who works on them?', keys);
    expect(count(shown, /"name": "(?:To do|In progress|Done)"/g)).toBe(40);
    expect(count(shown, /"48x48"|"self"|"customfield_1005"/g)).toBeLessThan(12);
    expect(removed).toBeGreaterThan(0.75);
  });

  it('show the amounts of payments, and not the ids of other records', () => {
    const payments = Array.from({ length: 60 }, (_, index) => ({
      id: `ch_${index}a7f3c9e1b5d2x`,
      amount: 500 + ((index * 7919) % 9000),
      currency: index % 2 === 0 ? 'eur' : 'usd',
      payment_method: `pm_${index}f2e28c7bb3c4E46B11`,
      details: {
        card: { fingerprint: `${index}59f78e5cb8d5296140`, note: 'checked by the bank '.repeat(12) },
      },
      description: `Order ${5000 + index}`,
    }));
    const keys = { id: 60, amount: 60, currency: 60, description: 60 };
    const { shown } = shownOf(JSON.stringify(payments, undefined, 2), 'Which order failed?', keys);
    expect(count(shown, /"payment_method": /g)).toBeLessThan(12);
  });

  it('show id and state of records that are each in a list of one', () => {
    const keys = { InstanceId: 40, InstanceType: 40 };
    const { shown, removed } = shownOf(instanceList(40), 'Which instances are stopped?', keys);
    expect(count(shown, /"Name": "(?:stopped|running)"/g)).toBe(40);
    expect(removed).toBeGreaterThan(0.7);
  });
});

describe('[P55] the snapshot of a page', () => {
  it('shows the item that the request names with its controls, and counts the others', () => {
    const shown = cut(browserSnapshot(), 'put the Trail Runner 3 in blue into the cart');
    expect(shown).toMatch(/heading "Trail Runner 3".*\n.*\n.*\n.*combobox "Size".*\n.*button "Blue"/);
    expect(shown).toMatch(/^✂ \d+-\d+ \(\d+ articles: .+ … .+\)$/m);
    expect(shown).toMatch(/navigation "Categories".*\n✂ \d+-\d+ \(40 links: .+\)/);
  });
});
