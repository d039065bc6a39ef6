import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../packages/base/src/runtime/time.ts';
import { cutText } from '../../../packages/engine/src/cut.ts';
import { createLocalScorer } from '../../../packages/engine/src/ranking/local-scorer.ts';
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
  return cutText({ request, id: 'prn_0000000000', remainingMs: 60_000 }, PARTS)?.prunedText ?? '';
}

const PARTS = { scorer: createLocalScorer(), clock: systemClock };

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

describe('[P55] a list of issues above 16,000 characters', () => {
  const issues = issueList(60);
  const timeout = cut(issues, 'Which issue is about a timeout of the export queue?');

  it('cutText keeps number, title and state of every issue in a long JSON list', () => {
    for (const key of [/"number": \d+,/g, /"title": "/g, /"state": "/g]) expect(count(timeout, key)).toBe(60);
    expect(timeout.length).toBeLessThan(issues.length / 4);
  });

  it('[P55] cutText shows the text of the issue that the request names, but not its web addresses', () => {
    const record = timeout.slice(timeout.indexOf('"number": 431'));
    const named = record.slice(0, record.indexOf('"number": 432'));
    expect(named).toMatch(/"body": "/);
    expect(named).not.toContain('"avatar_url"');
  });

  it('[P58] cutText names hidden fields in one marker; later markers refer to its lines', () => {
    expect(timeout).toMatch(/^✂ \d+-\d+ \(\d+ fields as in \d+-\d+\)$/m);
    expect(timeout).not.toMatch(/^✂ .* more\)$/m);
  });

  it.each([
    'Which issues are open since March?',
    'Quels tickets sont ouverts, et depuis quand ?',
    '这些问题是什么时候创建的？',
  ])('[P57] cutText keeps the dates of all issues if the request is about time: %s', (question) => {
    expect(count(cut(issues, question), /"created_at": "/g)).toBe(60);
  });
});

it('[P55] cutText keeps the short comments of a JSON list and removes only ids and addresses', () => {
  const comments = Array.from({ length: 14 }, (_, at) => ({
    node_id: `IC_kwDOJx${at}7oq3BQ9h2aa8d${at}f`,
    body: `The renewal timer number ${at} is stopped when the handler settles, so the lock of job ${at} should not expire.`,
    user: Object.fromEntries(
      Array.from({ length: 16 }, (_, key) => [
        `link${key}_url`,
        `https://api.example.test/users/u${at}/link${key}/of/many`,
      ]),
    ),
    created_at: `2026-10-${10 + at}T07:15:22Z`,
  }));
  const text = JSON.stringify(comments, undefined, 1);
  expect(text.length).toBeGreaterThan(16_000);
  const shown = cut(text, 'Which workaround do the maintainers give?');
  expect(count(shown, /"body": /g)).toBe(14);
  expect(shown.length).toBeLessThan(text.length / 2);
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

  it('cutText keeps the same fields in all records of a list of pull requests', () => {
    for (const key of [/"number": /g, /"title": /g, /"ref": /g, /"body": "Fixes SHOP-/g])
      expect(count(shown, key), String(key)).toBe(60);
    for (const key of [/"etag": /g, /"commits_url": /g]) expect(count(shown, key), String(key)).toBe(0);
  });
});

describe('[P55] a list that an API returns', () => {
  const shownOf = (list: string, question: string, keys: Readonly<Record<string, number>>) => {
    const shown = cut(list, question);
    for (const [key, times] of Object.entries(keys))
      expect(count(shown, new RegExp(`"${key}": (?!\\[|\\{)`, 'g')), key).toBeGreaterThanOrEqual(times);
    return { shown, removed: 1 - shown.length / list.length };
  };

  it('cutText keeps the formatted copy of a chat message in the first record only', () => {
    const keys = { text: 80, user: 80, ts: 80 };
    const { shown, removed } = shownOf(
      messageList(80),
      'What is said about the harbor and the bridge?',
      keys,
    );
    expect(count(shown, /"blocks": \[/g)).toBeLessThanOrEqual(1);
    expect(removed).toBeGreaterThan(0.65);
  });

  it('cutText keeps key, title, state, times and a person of every ticket, and removes addresses and empty fields', () => {
    const keys = { key: 40, summary: 40, created: 40, updated: 40, displayName: 40 };
    const { shown, removed } = shownOf(ticketList(40), 'Which bugs are open, and who works on them?', keys);
    expect(count(shown, /"name": "(?:To do|In progress|Done)"/g)).toBe(40);
    expect(count(shown, /"48x48"|"self"|"customfield_1005"/g)).toBeLessThan(12);
    expect(removed).toBeGreaterThan(0.75);
  });

  it('cutText keeps the amounts of payments and removes ids of other records', () => {
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

  it('cutText keeps id and state of records that are each wrapped in a list', () => {
    const keys = { InstanceId: 40, InstanceType: 40 };
    const { shown, removed } = shownOf(instanceList(40), 'Which instances are stopped?', keys);
    expect(count(shown, /"Name": "(?:stopped|running)"/g)).toBe(40);
    expect(removed).toBeGreaterThan(0.7);
  });
});

describe('[P55] a snapshot of a web page with connections', () => {
  const trips = Array.from({ length: 40 }, (_, at) => [
    `    - listitem [ref=e${at * 10}]:`,
    `      - heading "${10 + (at % 12)}:${10 + at} from Oslo" [level=3] [ref=e${at * 10 + 1}]`,
    `      - paragraph [ref=e${at * 10 + 2}]: ${at % 3 === 0 ? 'Direct' : 'One change'}, train ${700 + at}, bicycles ${at % 5}`,
    `      - text: ${at % 7 === 0 ? 'Sleeper with a view of the fjord' : 'Seats in two classes'}, ${30 + ((at * 17) % 60)}.40 €`,
    `      - link "Select" [ref=e${at * 10 + 3}] [cursor=pointer]:`,
    `        - /url: /select/${at}?from=oslo&to=lund&train=${700 + at}&class=second&reservation=with-seat&page=results`,
  ]);
  const page = ['- main [ref=e900]:', '  - list [ref=e901]:', ...trips.flat()].join('\n');

  it('[P55] cutText keeps all items of the main list if the request compares them', () => {
    expect(cut(page, 'Which is the cheapest direct connection at 17:00 or later with a sleeper?')).toBe(page);
  });

  it('[P55] cutText removes items of the main list if the request mentions one of them', () => {
    const shown = cut(page, 'select train 714, the sleeper with a view of the fjord');
    expect(shown.length).toBeLessThan(page.length / 2);
    expect(shown).toContain('train 714');
  });
});

describe('[P55] a snapshot of a web page', () => {
  it('cutText keeps the buttons of the page item that the request mentions, and replaces other items by a marker with their number', () => {
    const shown = cut(browserSnapshot(), 'put the Trail Runner 3 in blue into the cart');
    expect(shown).toMatch(/heading "Trail Runner 3".*\n.*\n.*\n.*combobox "Size".*\n.*button "Blue"/);
    expect(shown).toMatch(/^✂ \d+-\d+ \(\d+ articles: .+ … .+\)$/m);
    expect(shown).toMatch(/navigation "Categories".*\n✂ \d+-\d+ \(40 links: .+\)/);
  });
});

it('[P55] cutText keeps limits and other numbers in nested objects that several records have in common', () => {
  const jobs = Array.from({ length: 90 }, (_, at) => ({
    kind: 'CronJob',
    name: `export-${at}`,
    uid: `${'0123456789abcdef'.repeat(2)}${1000 + at}`,
    note: 'written by the team that runs the exports of the night '.repeat(3) + at,
    status: Object.fromEntries(
      ['seen', 'started', 'ended', 'renewed'].map((key, more) => [
        key,
        `2026-11-${10 + (at % 9)}T0${more}:${10 + at}:00Z`,
      ]),
    ),
    spec: { job: { activeDeadlineSeconds: at % 3 === 0 ? 1200 : 7200, backoffLimit: at % 4 } },
  }));
  const shown = cut(JSON.stringify(jobs, undefined, 1), 'Which night job no longer gets to its end?');
  expect(count(shown, /"activeDeadlineSeconds": \d+/g)).toBe(90);
});

describe('[P55] a page with a list of results', () => {
  const page = (name: (at: number) => string) =>
    [
      '- main [ref=e1]:',
      '  - heading "Results" [level=1] [ref=e2]',
      '  - list [ref=e3]:',
      ...Array.from({ length: 30 }, (_, at) => [
        `    - listitem [ref=e${at}a]:`,
        `      - link "${name(at)}" [ref=e${at}b] [cursor=pointer]:`,
        `        - /url: /p/${at}`,
        `      - text: "€${200 + ((at * 37) % 90)}.00, delivery in ${2 + (at % 5)} days, sold by a marketplace seller"`,
        `      - button "Add to basket" [ref=e${at}c]`,
        '      - img "4 of 5 stars"',
        '      - text: "Free returns for 30 days, 2 years of warranty, no cables in the box"',
      ]).flat(),
    ].join('\n');

  it('cutText returns a page of results unchanged if all results match the request equally well', () => {
    const text = page((at) => `Monitor model ${at * 7919}`);
    expect(cut(text, 'Open the results and find the cheapest one.')).toBe(text);
  });

  it('cutText removes a long list in a side bar and keeps the form that the request asks for', () => {
    const form = Array.from(
      { length: 30 },
      (_, at) => `    - radio "Reason ${at} of the cancellation" [ref=f${at}]`,
    );
    const side = page((at) => `Cancellation ${at * 7919}`).replace(
      '- main',
      '- complementary "Recent cancellations"',
    );
    const text = ['- main [ref=e0]:', '  - form "Cancellation" [ref=e9]:', ...form, side].join('\n');
    const shown = cut(text, 'Find the references of the form for the cancellation.');
    expect(count(shown, /radio "Reason/g)).toBe(30);
    expect(shown.length).toBeLessThan(text.length / 2);
  });

  it('cutText keeps the result that the request mentions and removes other results of the page', () => {
    const text = page((at) => (at === 17 ? 'Trail Runner 3 blue' : `Monitor model ${at * 7919}`));
    const shown = cut(text, 'Put the Trail Runner 3 into the basket.');
    expect(shown).toContain('link "Trail Runner 3 blue"');
    expect(shown.length).toBeLessThan(text.length / 2);
  });
});

it('[P55] cutText removes a long list inside of each record as one field, and keeps name and state of the records', () => {
  const step = (n: number) => ({ name: `Step ${n}`, status: 'completed', conclusion: 'success', number: n });
  const jobs = Array.from({ length: 24 }, (_, n) => ({
    id: 26_423_000 + n,
    name: `unit (${n})`,
    conclusion: n === 7 ? 'failure' : 'success',
    steps: Array.from({ length: 10 }, (__, each) => step(each)),
  }));
  const shown = cut(JSON.stringify({ jobs }, null, 2), 'Which job of the run failed? I need its id.');
  expect(count(shown, /"name": "unit \(/g)).toBe(24);
  expect(shown).toContain('"id": 26423007');
  expect(count(shown, /"name": "Step/g)).toBeLessThanOrEqual(20);
  expect(shown).toMatch(/✂ \d+-\d+ \([^)]*steps\b/);
});

it('[P55] cutText removes unrelated sections of a page of settings with their controls, and keeps the section that the request names', () => {
  const setting = (name: string, at: number) => `      - generic [ref=e${at}]:
        - generic [ref=e${at + 1}]: ${name}
        - switch "${name}" [checked] [ref=e${at + 2}] [cursor=pointer]
        - paragraph [ref=e${at + 3}]: This applies to all messages of the workspace from tomorrow on.`;
  const section = (title: string, names: readonly string[], at: number) =>
    [
      `    - region "${title}" [ref=e${at}]:`,
      ...names.map((name, n) => setting(name, at + 10 * (n + 1))),
    ].join('\n');
  const words = 'opens clicks bounces replies drafts colours footers logos'.split(' ');
  const other = (title: string, at: number) =>
    section(
      title,
      words.map((word) => `Track ${title} ${word}`),
      at,
    );
  const page = [
    '- generic [ref=e1]:',
    '  - main [ref=e2]:',
    other('Sender', 100),
    other('Contacts', 200),
    section('Sending limits', ['Quiet hours', 'Pause on bounces', 'Messages per hour'], 300),
    other('Templates', 400),
    other('Billing', 500),
  ].join('\n');
  const shown = cut(page, 'Switch the quiet hours on.');
  expect(shown).toContain('- switch "Quiet hours" [checked] [ref=e312]');
  expect(shown).toContain('- region "Billing" [ref=e500]:');
  expect(shown).not.toContain('Track Billing clicks"');
  expect(shown).toMatch(/✂ \d+-\d+ \([^)]*8 switches/);
});

it('[P55] cutText keeps a list that has items in a few places only, and removes the empty lists of the same name', () => {
  const EXCEPTION =
    'the range 0.0.0.0/0 was added for one evening, because the old laboratory moved its printers that week';
  const rule = (n: number, at: number) => ({
    protocol: 'tcp',
    port: 1000 + 10 * n + at,
    ranges: [{ cidr: `10.${n}.${at}.0/24`, note: `hosts of service ${n} in the zone with number ${at}` }],
    open: n === 41 && at === 3 ? [{ note: EXCEPTION }] : [],
  });
  const groups = Array.from({ length: 60 }, (_, n) => ({
    id: `sg-${n}`,
    name: `group of service ${n}`,
    rules: Array.from({ length: 6 }, (__, at) => rule(n, at)),
  }));
  const shown = cut(JSON.stringify(groups, null, 2), 'Which of them are used by the shop?');
  expect(shown).toContain(EXCEPTION);
  expect(count(shown, /"open": \[\]/g)).toBeLessThan(100);
});
