/** Logs, documentation, changes, and results of MCP servers. */
import type { Situation } from '../situation.ts';
import { dice, padded, situation, times } from './draft.ts';
import { SUBJECTS } from './sources.ts';

const clock = (second: number) =>
  `${padded(9 + Math.floor(second / 3600))}:${padded(Math.floor(second / 60) % 60)}:${padded(second % 60)}`;

const serviceLog = (() => {
  const { below, hex, pick } = dice('service');
  const lines = times(420, (at) => {
    const time = `2026-10-14 ${clock(at * 7)},${padded(below(1000), 3)}`;
    if (at === 203) return `${time} INFO  [config] reloaded settings: payment pool size 20 -> 2`;
    if (at === 231) return `${time} WARN  [payments] waited 4100 ms for a connection`;
    if (at > 240 && at % 23 === 0)
      return `${time} ERROR [payments] request ${hex(8)} failed: no connection within 5000 ms`;
    return `${time} INFO  [http] ${hex(8)} ${pick(['GET', 'GET', 'POST'])} /api/${pick(['cart', 'orders', 'items'])}/${below(9000)} 200 ${8 + below(70)} ms`;
  });
  return lines.join('\n');
})();

const accessLog = (() => {
  const { below, pick } = dice('access');
  return times(300, (at) => {
    const slow = at === 188;
    return `10.0.${below(9)}.${below(250)} - - [14/Oct/2026:${clock(at * 5)} +0200] "GET /${pick(['items', 'cart', 'help'])}/${below(900)} HTTP/1.1" ${at === 77 ? 503 : 200} ${400 + below(9000)} rt=${slow ? '58.204' : (below(200) / 1000).toFixed(3)}`;
  }).join('\n');
})();

const jsonLog = (() => {
  const { below, hex } = dice('jsonlog');
  return times(260, (at) => {
    const base = { time: `2026-10-14T${clock(at * 11)}Z`, trace: hex(16) };
    if (at === 140)
      return JSON.stringify({
        level: 'warn',
        ...base,
        msg: 'certificate expires in 2 days',
        host: 'pay.example',
      });
    return JSON.stringify({
      level: 'info',
      ...base,
      msg: 'job done',
      queue: `q${at % 3}`,
      ms: 20 + below(300),
    });
  }).join('\n');
})();

const SETTINGS =
  'listen workers timeout cache upload session locale theme proxy metrics search retention'.split(' ');

const manual = [
  '# Operating the shop',
  '',
  'This page lists what an operator sets before the first start.',
  '',
  ...SETTINGS.flatMap((name, at) => {
    const { phrase } = dice(`manual${name}`);
    return [
      `## ${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      '',
      ...(name === 'upload'
        ? [
            'Uploads above `SHOP_UPLOAD_LIMIT` (default 12 MB) are refused with status 413. Images of products are scaled before the limit is checked.',
          ]
        : [
            `The ${name} of the ${phrase(2)} follows the ${phrase(3)}. Operators of a ${phrase(2)} change it rarely; ${phrase(6)} is a good start, and ${phrase(8)} comes later.`,
          ]),
      '',
      ...times(
        4,
        (row) =>
          `The ${phrase(3)} of step ${row + 1} needs a ${phrase(4)}, then a ${phrase(5)}. If the ${phrase(2)} is missing, take the ${phrase(3)} of the ${name} page ${at}.`,
      ),
      '',
    ];
  }),
].join('\n');

const help = [
  'Usage: shopctl [options] <command>',
  '',
  'Commands:',
  ...SUBJECTS.flatMap((word) => [
    `${`  ${word} list`.padEnd(30)}Prints every ${word} with its state and weight`,
    `${`  ${word} check`.padEnd(30)}Compares each ${word} with the answer of the carrier`,
  ]),
  '',
  'Options:',
  ...SUBJECTS.map((word) => `${`  --with-${word}`.padEnd(30)}Adds the ${word} to the output`),
  `${'  --no-dry-run'.padEnd(30)}Writes changes; without it they are only printed`,
  `${'  --endpoint <url>'.padEnd(30)}The server, default http://localhost:8080`,
].join('\n');

function fileChange(word: string, change: readonly string[]): string[] {
  return [
    `diff --git a/src/${word}.ts b/src/${word}.ts`,
    `index 3f1c2ab..9d0e771 100644`,
    `--- a/src/${word}.ts`,
    `+++ b/src/${word}.ts`,
    `@@ -14,9 +14,9 @@ export function load(id: string) {`,
    ...change,
  ];
}

const ordinaryChange = (word: string) => [
  `   const ${word} = read(id);`,
  `-  if (!${word}) return null;`,
  `+  if (${word} === undefined) return undefined;`,
  `   return ${word};`,
  ' }',
];

const smallDiff = SUBJECTS.slice(0, 5)
  .flatMap((word) =>
    fileChange(
      word,
      word === 'depot'
        ? [
            '   const limit = 20;',
            '-  for (let at = 0; at < limit; at += 1) {',
            '+  for (let at = 0; at <= limit; at += 1) {',
            '     take(at);',
            '   }',
          ]
        : ordinaryChange(word),
    ),
  )
  .join('\n');

const longDiff = (() => {
  const { hex, phrase } = dice('diff');
  const snapshot = (word: string) => times(60, (at) => `+  "${word}-${at}": "${phrase(3)} ${hex(12)}",`);
  return SUBJECTS.flatMap((word) => [
    ...fileChange(word, ordinaryChange(word)),
    ...fileChange(`snapshots/${word}`, snapshot(word)),
  ])
    .concat(
      fileChange('tariff-rates', [
        '-export const REDUCED_RATE = 0.025;',
        '+export const REDUCED_RATE = 0.26;',
        ' ',
      ]),
    )
    .join('\n');
})();

const pageSnapshot = (() => {
  const { below, phrase } = dice('page');
  let ref = 0;
  const next = () => {
    ref += 1;
    return `[ref=e${ref}]`;
  };
  return [
    `- banner ${next()}:`,
    `  - link "Start" ${next()}`,
    `- navigation "Departments" ${next()}:`,
    ...times(50, () => `  - link "${phrase(2)}" ${next()}`),
    `- main ${next()}:`,
    `  - heading "Garden tools" [level=1] ${next()}`,
    ...times(80, (at) => {
      const name = at === 57 ? 'Folding saw 240' : `${phrase(2)} ${at}`;
      return [
        `  - article "${name}" ${next()}:`,
        `    - heading "${name}" [level=3] ${next()}`,
        `    - paragraph ${next()}: ${phrase(14)}`,
        `    - text: CHF ${10 + below(80)}.90`,
        `    - button "Add to cart" ${next()}`,
      ].join('\n');
    }),
    `- contentinfo ${next()}:`,
    ...times(20, () => `  - link "${phrase(2)}" ${next()}`),
  ].join('\n');
})();

const sawLine = pageSnapshot.split('\n').findIndex((line) => line.includes('article "Folding saw 240"'));
const sawButton = pageSnapshot.split('\n')[sawLine + 4] ?? '';

const issues = (() => {
  const { hex, phrase, pick } = dice('issues');
  const records = times(70, (at) => ({
    id: 71_000_000 + at * 31,
    node_id: `I_kwDO${hex(20)}`,
    number: 900 + at,
    title: at === 48 ? 'Export stops after the hundredth invoice' : phrase(6),
    state: at % 5 === 0 ? 'closed' : 'open',
    url: `https://api.host.example/repos/shop/issues/${900 + at}`,
    user: { login: pick(['ada', 'linus', 'grace']), avatar_url: `https://img.example/${hex(24)}` },
    created_at: `2026-0${1 + (at % 9)}-11T08:00:00Z`,
    body: phrase(60),
  }));
  return JSON.stringify(records, undefined, 2);
})();

const commits = (() => {
  const { hex, phrase } = dice('commits');
  const records = times(60, (at) => ({
    sha: hex(40),
    node_id: `C_kwDO${hex(30)}`,
    commit: {
      author: { name: phrase(2), date: `2026-03-${10 + (at % 19)}T09:00:00Z` },
      message: `${at % 3 === 0 ? 'fix' : 'feat'}(${['rules', 'parser', 'docs', 'cli', 'core'][at % 5]}): ${phrase(5)}`,
      verification: { verified: true, signature: hex(120), payload: phrase(40) },
    },
    url: `https://api.host.example/repos/shop/commits/${hex(40)}`,
    parents: [{ sha: hex(40) }],
  }));
  const fixes = records.filter(({ commit }) => commit.message.startsWith('fix(rules)'));
  return {
    text: JSON.stringify(records, undefined, 2),
    needed: fixes.flatMap(({ sha, commit }) => [sha, commit.message]),
  };
})();

const payments = (() => {
  const { below, phrase } = dice('payments');
  const records = times(250, (id) => ({
    id,
    customer: phrase(2),
    cents: id === 133 ? 9_999_999 : below(900),
    note: phrase(12),
  }));
  return JSON.stringify(records, undefined, 2);
})();

const report = [
  'I looked at the three places that you named.',
  '',
  ...SUBJECTS.map(
    (word, at) =>
      `${at + 1}. src/${word}.ts: load${word} reads the file twice, ${dice(`report${word}`).phrase(12)}; the second read is not needed.`,
  ),
  '',
  'Conclusion: the order of the two reads in src/customs.ts is the bug; the others only cost time.',
].join('\n');

const LOGS: readonly Situation[] = [
  situation({
    id: 'log-pool-size',
    area: 'logs and traces',
    task: 'Payments fail since this morning. Why?',
    said: 'Looking at the log of the service.',
    tool: 'Bash',
    command: 'cat /var/log/shop/service.log',
    output: serviceLog,
    needed: ['payment pool size 20 -> 2', 'waited 4100 ms', 'no connection within 5000 ms'],
    why: 'The change that was logged once is the cause; the warning and the errors follow from it.',
  }),
  situation({
    id: 'log-slow-request',
    area: 'logs and traces',
    task: '有一个请求卡了大约一分钟，是哪一个？有没有 5xx？',
    said: '查看访问日志。',
    tool: 'Bash',
    command: 'cat access.log',
    output: accessLog,
    needed: ['rt=58.204', ' 503 '],
    why: 'The extreme of one field, and one rare status.',
  }),
  situation({
    id: 'log-cart-errors',
    area: 'logs and traces',
    task: 'Which payment requests failed? I have to refund all of them.',
    said: 'Looking at the log of the service.',
    tool: 'Bash',
    command: 'cat /var/log/shop/service.log',
    output: serviceLog,
    needed: ['no connection within 5000 ms'],
    completeness: true,
    why: 'Every failed request.',
  }),
  situation({
    id: 'log-certificate',
    area: 'logs and traces',
    task: 'Any warnings from the workers last night?',
    said: 'Reading the log of the workers.',
    tool: 'Bash',
    command: 'docker logs worker',
    output: jsonLog,
    needed: ['certificate expires in 2 days'],
    why: 'One warning among 259 entries.',
  }),
];

const DOCUMENTS: readonly Situation[] = [
  situation({
    id: 'page-upload-limit',
    area: 'documentation',
    task: 'Quelle variable fixe la taille maximale des fichiers envoyés (SHOP_UPLOAD_LIMIT ?), et quelle est sa valeur par défaut ?',
    said: 'Je lis la page des réglages.',
    tool: 'WebFetch',
    output: manual,
    needed: ['## Upload', 'SHOP_UPLOAD_LIMIT'],
    why: 'One sentence of one section.',
  }),
  situation({
    id: 'help-dry-run',
    area: 'documentation',
    task: 'shopctl only prints what it would do. How do I make it write?',
    said: 'Checking its help.',
    tool: 'Bash',
    command: 'shopctl --help',
    output: help,
    needed: ['--no-dry-run'],
    why: 'One option.',
  }),
];

const CHANGES: readonly Situation[] = [
  situation({
    id: 'diff-off-by-one',
    area: 'diffs',
    task: 'Review my change before I push it.',
    said: 'Reading the diff.',
    tool: 'Bash',
    command: 'git diff',
    output: smallDiff,
    needed: 'all',
    why: 'A review needs every changed line.',
  }),
  situation({
    id: 'diff-reduced-rate',
    area: 'diffs',
    task: 'Invoices with REDUCED_RATE are wrong since the last release. What was changed about it?',
    said: 'The diff between both releases:',
    tool: 'Bash',
    command: 'git diff v4.1 v4.2',
    output: longDiff,
    needed: ['REDUCED_RATE = 0.025', 'REDUCED_RATE = 0.26', '+++ b/src/tariff-rates.ts'],
    why: 'One hunk of 25 files.',
  }),
];

const RESULTS: readonly Situation[] = [
  situation({
    id: 'snapshot-saw',
    area: 'MCP results',
    task: 'Put the Folding saw 240 into the cart.',
    said: 'Looking at the page.',
    tool: 'mcp__browser__browser_snapshot',
    output: pageSnapshot,
    needed: ['article "Folding saw 240"', sawButton.trim()],
    why: 'The product and the reference of its button.',
  }),
  situation({
    id: 'issues-export',
    area: 'MCP results',
    task: 'Is there an open issue about an export that stops? Give me its number.',
    said: 'Listing the issues.',
    tool: 'mcp__host__list_issues',
    output: issues,
    needed: [['"number": 948', '"state": "open"']],
    why: 'Number, title and state of one record.',
  }),
  situation({
    id: 'commits-rules',
    area: 'MCP results',
    task: 'Which commits fixed bugs in rules, all of them?',
    said: 'Listing the commits.',
    tool: 'mcp__host__list_commits',
    output: commits.text,
    needed: commits.needed,
    completeness: true,
    why: 'The id and message of every such commit.',
  }),
  situation({
    id: 'commits-rules-fr',
    area: 'MCP results',
    task: 'Quels commits corrigent des bogues de rules ?',
    said: 'Je regarde les commits.',
    tool: 'mcp__host__list_commits',
    output: commits.text,
    needed: commits.needed,
    completeness: true,
    why: 'The id and message of every such commit.',
  }),
  situation({
    id: 'payment-outlier',
    area: 'MCP results',
    task: '哪一笔付款的金额异常？',
    said: '读取付款列表。',
    tool: 'mcp__shop__list_payments',
    output: payments,
    needed: ['"id": 133', '9999999'],
    why: 'The extreme of one field, with the id of its record.',
  }),
  situation({
    id: 'report-of-subagent',
    area: 'reports of subagents',
    task: 'Find out why loading is slow.',
    said: 'A second agent looks at the loaders.',
    tool: 'Task',
    output: report,
    needed: 'all',
    why: 'The report of a subagent is already a summary.',
  }),
];

export const REPORTS: readonly Situation[] = [...LOGS, ...DOCUMENTS, ...CHANGES, ...RESULTS];
