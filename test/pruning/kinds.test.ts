import { describe, expect, it } from 'vitest';
import { inlineEngine } from '../../src/pruning/inline-engine.ts';
import { kindOfText, type TextOrigin } from '../../src/pruning/text-kind.ts';
import type { LineScorer } from '../../src/ranking/scorer.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { pruneRequest, testPruner } from '../support/pruner.ts';

/** Needs the lines that hold this word and no others. */
const wants =
  (word: string): LineScorer =>
  ({ lines }) => ({
    scores: Float64Array.from(lines, (line) => (line.includes(word) ? 5 : -5)),
    probabilities: Float64Array.from(lines, (line) => (line.includes(word) ? 0.9 : 0.001)),
    kind: 'other',
    areLogOdds: true,
    tier: 'words',
  });

interface Asked {
  origin: TextOrigin;
  lines: readonly string[];
  word: string;
}

async function cut({ origin, lines, word }: Asked) {
  const text = lines.join('\n');
  const engine = inlineEngine({ scorer: wants(word), clock: systemClock });
  const options = { maxPruneRatio: 0.95, markers: 'compact' as const };
  const kind = kindOfText(origin, text);
  const outcome = await testPruner({ engine }).prune(
    pruneRequest({ text, focus: { question: 'what is going on here?' }, ...kind, options }),
  );
  return { ...outcome, kind, kept: outcome.prunedText.split('\n') };
}

const command = (line: string): TextOrigin => ({ kind: 'command', command: line });
const many = <Made>(count: number, make: (at: number) => Made) =>
  Array.from({ length: count }, (_, at) => make(at));

describe('[P21] what `nl -ba FILE` shows is code of that file’s language', () => {
  const body = (name: string) => [
    `def ${name}(order):`,
    '    total = 0',
    ...many(8, (at) => `    total += order.lines[${at}].price * order.lines[${at}].amount`),
    '    return total',
    '',
  ];
  const source = [
    ...body('plain_total'),
    ...body('taxed_total'),
    ...body('needed_total'),
    ...body('last_total'),
  ];
  const numbered = source.map((line, at) => `${String(at + 1).padStart(6)}\t${line}`);
  const wanted = numbered.findIndex((line) => line.includes('needed_total')) + 3;

  it('a line keeps the signature around it, and gaps name functions', async () => {
    const lines = numbered.map((line, at) => (at === wanted ? `${line} # marked` : line));
    const { kept, annotations } = await cut({
      origin: command('cd /shop && nl -ba totals.py'),
      lines,
      word: 'marked',
    });
    expect(kept).toContain(lines[wanted]);
    expect(kept.some((line) => line.includes('def needed_total(order):'))).toBe(true);
    expect(annotations.map(({ reason }) => reason)).toContain('function taxed_total');
  });
});

describe('[P21] search results', () => {
  const headed = many(12, (file) => [
    `src/part${file}/store.ts`,
    ...many(
      5,
      (at) => `${at * 7 + 3}:  const entry${at} = readEntry(part${file}, ${at}, "padding padding");`,
    ),
    '',
  ]).flat();

  it('below headings keep the name of their file', async () => {
    const lines = headed.map((line) => (line.includes('part7, 3') ? `${line} // marked` : line));
    const { kept, kind } = await cut({ origin: command('rg --heading -n readEntry'), lines, word: 'marked' });
    expect(kind.shape).toBe('search');
    expect(kept).toContain('src/part7/store.ts');
    expect(kept).toContain(lines.find((line) => line.includes('marked')));
    expect(kept).not.toContain('src/part3/store.ts');
  });

  it('are hits with the lines around them', async () => {
    const groups = many(12, (at) => [
      `src/store${at}.ts-${at + 1}-  // what stands above the hit number ${at}`,
      `src/store${at}.ts:${at + 2}:  const entry${at} = readEntry(${at});`,
      `src/store${at}.ts-${at + 3}-  return entry${at} + something.else(${at});`,
      '--',
    ]).flat();
    const lines = groups.map((line) => (line.includes('readEntry(7)') ? `${line} // marked` : line));
    const { kept } = await cut({ origin: command('grep -rn -C1 readEntry src'), lines, word: 'marked' });
    const hit = lines.findIndex((line) => line.includes('marked'));
    expect(kept).toEqual(expect.arrayContaining(lines.slice(hit - 1, hit + 2)));
    expect(kept).not.toContain(groups[0]);
  });
});

describe('[P21] listings keep the folders of what stays', () => {
  it('of ls -R', async () => {
    const lines = many(14, (folder) => [
      `./src/part${folder}:`,
      ...many(6, (at) => (folder === 9 && at === 4 ? 'marked.ts' : `file-number-${at}-of-part-${folder}.ts`)),
      '',
    ]).flat();
    const { kept, kind, annotations } = await cut({ origin: command('ls -R src'), lines, word: 'marked' });
    expect(kind.shape).toBe('listing');
    expect(kept).toEqual(expect.arrayContaining(['./src/part9:', 'marked.ts']));
    expect(kept).not.toContain('./src/part2:');
    expect(annotations[0]?.marker).toMatch(/^✂ \d+-\d+$/);
  });

  it('of tree', async () => {
    const lines = [
      'src',
      ...many(10, (folder) => [
        `├── part${folder}`,
        '│   ├── inner',
        ...many(
          4,
          (at) =>
            `│   │   ├── ${folder === 6 && at === 2 ? 'marked' : `file-number-${at}`}-of-part-${folder}.ts`,
        ),
        `│   └── index-of-the-part-number-${folder}.ts`,
      ]).flat(),
    ];
    const { kept } = await cut({ origin: command('tree src'), lines, word: 'marked' });
    const at = kept.findIndex((line) => line.includes('marked'));
    expect(kept.slice(at - 2, at).filter((line) => !line.startsWith('✂'))).toEqual(
      expect.arrayContaining(['│   ├── inner']),
    );
    expect(kept).toContain('├── part6');
    expect(kept).not.toContain('├── part2');
  });
});

describe('[P21] tables keep the names of their columns', () => {
  const rows = (delimiter: string) =>
    many(60, (at) =>
      ['order', at, at === 40 ? 'marked' : 'shipped', `${at}.50`, 'Some Street'].join(delimiter),
    );

  it.each([
    ['CSV', command('cat orders.csv'), ['name,number,state,price,street', ...rows(',')], 1],
    ['CSV of no name', command('./report'), ['name,number,state,price,street', ...rows(',')], 1],
    [
      'TSV',
      { kind: 'file', path: 'a.tsv' } as const,
      ['name\tnumber\tstate\tprice\tstreet', ...rows('\t')],
      1,
    ],
    [
      'psql',
      command('psql -c "select"'),
      [' name | number | state | price | street ', '------+------+------+-----+-----', ...rows(' | ')],
      2,
    ],
    ['kubectl', command('kubectl get pods'), ['NAME   READY   STATUS   RESTARTS   AGE', ...rows('   ')], 1],
  ])('%s', async (_, origin, lines) => {
    const { kept, kind, annotations } = await cut({ origin, lines, word: 'marked' });
    expect(kind.shape).toBe('table');
    expect(kept).toContain(lines[0]);
    expect(kept.some((line) => line.includes('marked'))).toBe(true);
    expect(kept.length).toBeLessThan(12);
    expect(annotations[0]?.marker).toMatch(/^✂ \d+-\d+$/);
  });
});

describe('[P21] data keeps the path to what stays', () => {
  const json = JSON.stringify(
    {
      services: Object.fromEntries(
        many(8, (at) => [
          `service${at}`,
          {
            image: `registry.example/service-${at}`,
            limits: { memory: `${at}Gi`, note: at === 5 ? 'marked' : 'nothing of note' },
          },
        ]),
      ),
    },
    null,
    2,
  ).split('\n');
  const yaml = [
    'services:',
    ...many(8, (at) => [
      `  service${at}:`,
      `    image: registry.example/service-${at}`,
      '    limits:',
      `      memory: ${at}Gi of the memory of this machine`,
      `      note: ${at === 5 ? 'marked' : 'nothing of note'}`,
    ]).flat(),
  ];

  const toml = many(8, (at) => [
    `[services.service${at}]`,
    `image = "registry.example/service-${at}"`,
    `memory = "${at}Gi of the memory of this machine"`,
    `note = "${at === 5 ? 'marked' : 'nothing of note'}"`,
    '',
  ]).flat();

  const jsonPath = ['  "services": {', '    "service5": {', '      "limits": {'];
  it.each([
    { name: 'JSON', origin: { kind: 'file', path: 'compose.json' } as const, lines: json, path: jsonPath },
    { name: 'JSON of no name', origin: command('docker inspect x'), lines: json, path: jsonPath },
    {
      name: 'YAML',
      origin: command('cat compose.yml'),
      lines: yaml,
      path: ['services:', '  service5:', '    limits:'],
    },
    {
      name: 'TOML',
      origin: command('cat compose.toml'),
      lines: toml,
      path: ['[services.service5]'],
    },
  ])('of $name', async ({ origin, lines, path }) => {
    const { kept, kind } = await cut({ origin, lines, word: 'marked' });
    expect(kind.shape).toBe('data');
    expect(kept.some((line) => line.includes('marked'))).toBe(true);
    expect(kept).toEqual(expect.arrayContaining(path));
    expect(kept.join()).not.toContain('service2');
  });

  it('and its gaps name the section of TOML they begin in', async () => {
    const { annotations } = await cut({ origin: command('cat compose.toml'), lines: toml, word: 'marked' });
    expect(annotations[0]?.reason).toBe('key services.service0');
  });
});

it('[P21] HTML keeps the elements around what stays', async () => {
  const lines = [
    '<!DOCTYPE html>',
    '<html>',
    '<body>',
    ...many(8, (at) => [
      `  <section id="part-${at}" class="wide">`,
      `    <h2>Part number ${at} of the page</h2>`,
      '    <ul>',
      ...many(
        5,
        (item) =>
          `      <li>Item ${item} of ${at}${at === 5 && item === 3 ? ' marked' : ''} with some text<br></li>`,
      ),
      '    </ul>',
      '  </section>',
    ]).flat(),
    '</body>',
    '</html>',
  ];
  const { kept, kind, annotations } = await cut({
    origin: { kind: 'file', path: 'index.html' },
    lines,
    word: 'marked',
  });
  expect(kind.shape).toBe('markup');
  expect(kept).toEqual(
    expect.arrayContaining(['<body>', '  <section id="part-5" class="wide">', '    <ul>']),
  );
  expect(kept).not.toContain('  <section id="part-2" class="wide">');
  expect(annotations.map(({ reason }) => reason).join()).toContain('element section#part-0, +4');
});

it('[P17] gaps of a long diff name the files, or the file whose hunks went', async () => {
  const lines = many(6, (file) => [
    `diff --git a/src/part${file}.ts b/src/part${file}.ts`,
    `--- a/src/part${file}.ts`,
    `+++ b/src/part${file}.ts`,
    ...many(8, (at) => [
      `@@ -${at * 20 + 1},8 +${at * 20 + 1},8 @@`,
      ...many(
        8,
        (line) =>
          `+ changed line ${line} of hunk ${at}${file === 3 && at === 4 ? ' marked' : ''} with padding padding padding`,
      ),
    ]).flat(),
  ]).flat();
  const { annotations } = await cut({ origin: command('git diff'), lines, word: 'marked' });
  const reasons = annotations.map(({ reason }) => reason);
  expect(reasons).toContain('files src/part4.ts, src/part5.ts');
  expect(reasons).toContain('4 hunks of src/part3.ts');
});
