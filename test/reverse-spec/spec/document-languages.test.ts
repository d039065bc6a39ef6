import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runBatch } from '../../../packages/reverse-spec/src/spec/batch.ts';
import { generate } from '../../../packages/reverse-spec/src/spec/generate.ts';
import { documentLanguages, stringsByLanguage } from '../../../packages/reverse-spec/src/spec/locales.ts';
import { sectionIds } from '../../../packages/reverse-spec/src/spec/writing/document/document-text.ts';
import { parts, project } from '../../support/spec-project.ts';

const files = {
  'a.ts':
    "export interface A { b: string }\n/** Makes one.\n * @deprecated */\nexport function make(n: number): A {\n  // TODO more\n  if (n < 0) throw new Error('no');\n  return { b: process.env.HOME ?? '' };\n}\n",
};
const one = { targetPath: 'a.ts', deep: false, outputDir: 'specs', astOnly: true };

it.each(documentLanguages)(
  '[R56] generate writes section titles and fixed text in %s only',
  async (language) => {
    const { specPath } = await generate(one, parts(project(files), { language }));
    const text = readFileSync(specPath, 'utf8');
    const titles = sectionIds.map((id) => `## ${stringsByLanguage[language].sections[id]}`);
    expect(text.match(/^## .*$/gm)).toEqual(titles);
    expect(/\p{Script=Han}/u.test(text)).toBe(language === 'zh');
  },
);

it('[R56] generate keeps the language of a document until a call requests another; the default is Chinese', async () => {
  const cwd = project(files);
  const languageOf = async (more: { language?: 'fr' }) => {
    const { specPath } = await generate(one, parts(cwd, more));
    return /^language: (\w+)$/m.exec(readFileSync(specPath, 'utf8'))?.[1];
  };
  expect(await languageOf({})).toBe('zh');
  expect(await languageOf({ language: 'fr' })).toBe('fr');
  expect(await languageOf({})).toBe('fr');
  const batch = { force: false, astOnly: true, outputDir: 'docs', concurrency: 1 };
  await runBatch(batch, parts(cwd, { language: 'en' }));
  await runBatch({ ...batch, force: true }, parts(cwd));
  expect(readFileSync(join(cwd, 'docs/_index.spec.md'), 'utf8')).toContain('# Index of specifications');
});
