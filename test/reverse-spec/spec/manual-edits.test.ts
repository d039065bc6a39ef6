import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { generate } from '../../../packages/reverse-spec/src/spec/generate.ts';
import { documentLanguages, stringsByLanguage } from '../../../packages/reverse-spec/src/spec/locales.ts';
import { readEmbeddedBaseline } from '../../../packages/reverse-spec/src/spec/writing/document/baseline.ts';
import { sectionIds } from '../../../packages/reverse-spec/src/spec/writing/document/document-text.ts';
import {
  type FreshText,
  mergeManualEdits,
} from '../../../packages/reverse-spec/src/spec/writing/document/manual-edits.ts';
import { parts, project, write } from '../../support/spec-project.ts';

const request = { targetPath: 'src', deep: false, outputDir: 'specs', astOnly: true };

const files = {
  'src/queue.ts':
    '/** Takes the oldest ticket. */\nexport function take(): void {}\n\n/** Puts one back. */\nexport function put(): void {}\n',
};

/** Returns an existing document after `edit`, an optional change of the source, and regeneration. */
async function regenerated(
  edit: (text: string) => string,
  change: Record<string, string> = {},
  more: { embedBaseline?: boolean } = {},
): Promise<{ text: string; warnings: string[]; again(): Promise<string> }> {
  const cwd = project(files);
  const { specPath } = await generate(request, parts(cwd, more));
  writeFileSync(specPath, edit(readFileSync(specPath, 'utf8')));
  write(cwd, change);
  const run = async () => {
    const { warnings } = await generate(request, parts(cwd, more));
    return { warnings, text: readFileSync(specPath, 'utf8') };
  };
  const { text, warnings } = await run();
  return { text, warnings, again: async () => (await run()).text };
}

const after = (line: string, more: string) => (text: string) =>
  text.replace(new RegExp(`^(${line}.*)$`, 'm'), `$1\n\n${more}`);

const bodyOf = (text: string) => text.slice(text.indexOf('\n# '));

function sectionOf(text: string, title: string): string {
  const start = text.indexOf(`\n## ${title}`);
  const end = text.indexOf('\n## ', start + 1);
  return text.slice(start, end === -1 ? text.length : end);
}

const kept = '<!-- keep -->\nAsk Ada before changing this.\n<!-- /keep -->';

it.each(['## 意图', '## 业务逻辑', '#### `take`', '### `src/queue.ts`', '### 依赖图'])(
  '[R57] generate keeps text between keep comments directly below %s',
  async (heading) => {
    const { text, warnings, again } = await regenerated(after(heading, kept), {
      'src/queue.ts': files['src/queue.ts'].replace('take()', 'take(count: number)'),
    });
    expect(text).toContain(`${text.match(new RegExp(`^${heading}.*$`, 'm'))?.[0]}\n\n${kept}\n`);
    expect(text).toContain('take(count: number)');
    expect(warnings).toEqual([]);
    expect(bodyOf(await again())).toBe(bodyOf(text));
  },
);

it('[R57] generate moves kept text whose place no longer exists to the end, under a heading that says so', async () => {
  const { text, warnings, again } = await regenerated(after('#### `put`', kept), {
    'src/queue.ts': 'export function take(): void {}\n',
  });
  const orphans = sectionOf(text, '原位置已不存在的保留内容');
  expect(orphans).toContain(`### 接口定义 › src/queue.ts › put\n\n${kept}\n`);
  expect(text.match(/^## .*$/gm)?.at(-1)).toBe('## 原位置已不存在的保留内容');
  expect(warnings).toEqual(['「接口定义 › src/queue.ts › put」已不存在，其中的保留内容移到了文末']);
  expect(bodyOf(await again())).toBe(bodyOf(text));
});

it('[R57] generate keeps a section marked as hand-written, and lists new facts for it in a section about conflicts', async () => {
  const mine = (text: string) =>
    text.replace(/^## 接口定义\n[\s\S]*?(?=^## )/m, '## 接口定义 <!-- keep section -->\n\nMine.\n\n');
  const quiet = await regenerated(mine);
  expect(sectionOf(quiet.text, '接口定义')).toBe('\n## 接口定义 <!-- keep section -->\n\nMine.\n');
  expect(quiet.text).not.toContain('## 与人工内容的冲突');
  const changed = await regenerated(mine, { 'src/queue.ts': 'export function renamed(): void {}\n' });
  expect(sectionOf(changed.text, '接口定义')).toBe('\n## 接口定义 <!-- keep section -->\n\nMine.\n');
  expect(sectionOf(changed.text, '与人工内容的冲突')).toContain('export function renamed(): void');
  expect(changed.warnings).toContain('章节「接口定义」的新内容与人工内容不同，见「与人工内容的冲突」');
  expect(bodyOf(await changed.again())).toBe(bodyOf(changed.text));
});

it('[R57] generate does not overwrite an edited section even if it has no mark', async () => {
  const edit = (text: string) => text.replace('> Takes the oldest ticket.', '> Takes the *newest* ticket.');
  const { text, warnings } = await regenerated(edit, {
    'src/queue.ts': 'export function take(count: number): void {}\n',
  });
  expect(text).toContain('Takes the *newest* ticket.');
  expect(sectionOf(text, '与人工内容的冲突')).toContain('take(count: number)');
  expect(warnings).toContain('章节「接口定义」被人工修改过，已原样保留');
});

it('[R57] generate restores a section that a user deleted', async () => {
  const edit = (text: string) => text.replace(/^## 接口定义\n[\s\S]*?(?=^## )/m, '');
  const { text, warnings } = await regenerated(edit);
  expect(sectionOf(text, '接口定义')).toContain('export function take(): void');
  expect(warnings).toEqual([]);
});

it('[R57] generate keeps the places of sections, front matter and text before the first section that a user added', async () => {
  const added = '## Runbook\n\nCall the pager.\n\n```\n## not a heading\n```';
  const { text, again } = await regenerated(
    (old) =>
      old
        .replace('## 业务逻辑', `${added}\n\n## 业务逻辑`)
        .replace('\nconfidence:', '\nowner: team-a\nreviewers:\n  - Ada\nconfidence:')
        .replace(/^(# .*)$/m, '$1\n\nRead this first.'),
    { 'src/queue.ts': 'export function renamed(): void {}\n' },
  );
  expect(text).toContain(`${added}\n\n## 业务逻辑`);
  expect(text).toMatch(/\nowner: team-a\nreviewers:\n {2}- Ada\n/);
  expect(text).toMatch(/^# src .*\n\nRead this first\.\n\n## 意图$/m);
  expect(bodyOf(await again())).toBe(bodyOf(text));
});

it('[R57] generate keeps only the section that contains an unclosed keep comment', async () => {
  const { text, warnings } = await regenerated(after('## 意图', '<!-- keep -->\nOpen end.'));
  expect(sectionOf(text, '意图')).toContain('Open end.');
  expect(sectionOf(text, '接口定义')).toContain('take');
  expect(warnings).toContain('章节「意图」被人工修改过，已原样保留');
});

it('[R57] generate does not treat tables that a formatter padded as edited', async () => {
  const { text, warnings } = await regenerated((old) =>
    old.replace(/\| --- /g, '| :-------- '.replace(':', '')),
  );
  expect(warnings).toEqual([]);
  expect(text).toContain('| --- |');
});

const nasty = fc.constantFrom(
  '## 意图',
  '## Mine',
  '### `src/queue.ts`',
  '#### `take`',
  '```',
  '~~~~',
  '---',
  '<!-- keep -->',
  '-->',
  '<!--',
  '| a | b |',
  '\t tail \r',
  '',
  '<!-- reverse-spec:baseline format=1',
  '€ 漢字 $& $1 \\',
);

const freshTexts = fc
  .record({
    names: fc.uniqueArray(fc.constantFrom('take', 'put', 'drop', 'src/queue.ts'), { maxLength: 4 }),
    words: fc.array(fc.constantFrom('Plain.', '| a | b |', '```ts\n## code\n```', '- list'), {
      maxLength: 3,
    }),
  })
  .map(({ names, words }) => {
    const body = [...words, ...names.flatMap((name) => [`#### \`${name}\``, ...words])].join('\n\n');
    return { title: '# T', bodies: body || 'None.' };
  });

type Language = (typeof documentLanguages)[number];

function freshIn(language: Language, { title, bodies }: { title: string; bodies: string }): FreshText {
  const titles = stringsByLanguage[language].sections;
  return { title, sections: sectionIds.map((id) => ({ id, title: titles[id], body: bodies })) };
}

function written(fresh: { title: string; bodies: string }, previous: string | undefined, language: Language) {
  const { body, sectionHashes } = mergeManualEdits(
    freshIn(language, fresh),
    previous,
    stringsByLanguage[language],
  );
  return `---\nsections: ${JSON.stringify(sectionHashes)}\n---\n\n${body}\n`;
}

it('[R57] property: generate keeps a kept block exactly once and unchanged, at any position and after any change', () => {
  const blocks = fc.array(fc.record({ at: fc.nat(1000), lines: fc.array(nasty, { maxLength: 5 }) }), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(
      fc.tuple(
        freshTexts,
        freshTexts,
        fc.constantFrom(...documentLanguages),
        fc.constantFrom(...documentLanguages),
      ),
      blocks,
      ([before, now, first, second], inserted) => {
        const lines = written(before, undefined, first).split('\n');
        const texts = inserted.map(({ at, lines: own }, index) => {
          const text = ['<!-- keep -->', `block ${index}.`, ...own, '<!-- /keep -->'].join('\n');
          // Behind the front matter and its blank line.
          lines.splice(4 + (at % (lines.length - 4)), 0, ...text.split('\n'));
          return text;
        });
        const edited = lines.join('\n');
        const whole = texts.filter((text) => edited.includes(text));
        const next = written(now, edited, second);
        for (const text of whole) expect(next.split(text)).toHaveLength(2);
        const again = written(now, next, second);
        expect(written(now, again, second)).toBe(again);
        for (const text of whole) expect(again.split(text)).toHaveLength(2);
      },
    ),
    { numRuns: 300 },
  );
});

it('[R57] readEmbeddedBaseline reads the baseline of a document that contains kept text', async () => {
  const { text } = await regenerated(after('### 文件清单', kept), {}, { embedBaseline: true });
  expect(readEmbeddedBaseline(text).kind).toBe('read');
});

it('[R57] generate keeps text between keep comments even if the first comment is at the end of another line', () => {
  const fresh: FreshText = { title: '# x', sections: [{ id: 'intent', title: 'Overview', body: 'fresh' }] };
  const old = '# x\n\n##<!-- keep -->\nwords\n<!-- /keep -->\n';
  expect(mergeManualEdits(fresh, old, stringsByLanguage.en).body).toContain(
    '##<!-- keep -->\nwords\n<!-- /keep -->',
  );
});
