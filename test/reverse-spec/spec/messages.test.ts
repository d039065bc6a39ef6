import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DomainError } from '../../../packages/base/src/runtime/domain-error.ts';
import { runBatch } from '../../../packages/reverse-spec/src/spec/batch.ts';
import { detectDrift } from '../../../packages/reverse-spec/src/spec/drift.ts';
import { generate } from '../../../packages/reverse-spec/src/spec/generate.ts';
import { localizeError, specError } from '../../../packages/reverse-spec/src/spec/locales.ts';
import { prepare } from '../../../packages/reverse-spec/src/spec/prepare.ts';
import { parts, project, write } from '../../support/spec-project.ts';

const HAN = /\p{Script=Han}/u;

it('[R56] code in spec/ contains no message text: messages are in the tables, and texts for the model are in the prompts', () => {
  const folder = new URL('../../../packages/reverse-spec/src/spec/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const speaking = files.filter((file) => HAN.test(readFileSync(new URL(file, folder), 'utf8')));
  expect(speaking.filter((file) => !file.startsWith('locales/')).sort()).toEqual([
    'writing/answer.ts',
    'writing/context.ts',
    'writing/system-prompt.ts',
  ]);
});

it('[R56] a spec error has the same code, data and cause in every language', () => {
  const cause = new Error('ENOENT');
  const error = specError('spec_not_found', { path: 'specs/a.spec.md' }, cause);
  expect(error.message).toBe('spec 文件不存在或无法读取: specs/a.spec.md');
  expect(localizeError('zh', error)).toBe(error);
  const said = localizeError('en', error);
  expect(said).toMatchObject({ code: 'spec_not_found', data: { path: 'specs/a.spec.md' }, cause });
  expect(said.message).toBe('spec does not exist or cannot be read: specs/a.spec.md');
  const other = new DomainError('not_ours', 'as it is');
  expect(localizeError('fr', other)).toBe(other);
});

it('[R56] notes, warnings, progress stages and drift items are all in the requested language', async () => {
  const cwd = project({ 'src/a.ts': 'export const a = 1;\n', 'src/b.bin': Buffer.from([0, 1]) });
  const stages: string[] = [];
  const french = parts(cwd, {
    messageLanguage: 'fr',
    defaultLanguage: 'fr',
    progress: (step) => stages.push(step.message),
  });
  const { notes } = await prepare({ targetPath: 'src', deep: false }, french);
  expect(notes).toEqual({ 'src/b.bin': 'fichier binaire, ignoré' });
  stages.length = 0;
  const request = { targetPath: 'src', deep: false, outputDir: 'specs', astOnly: true };
  const { specPath, warnings } = await generate(request, french);
  expect(warnings).toEqual(["1 fichiers n'ont pas été analysés, voir la liste des fichiers"]);
  expect(stages.slice(0, 3)).toEqual(['parcours', 'analyse', 'contexte']);
  expect(readFileSync(specPath, 'utf8')).toContain('fichier binaire, ignoré');
  write(cwd, { 'src/a.ts': 'export const b = [1];\n' });
  const drift = await detectDrift({ specPath, sourcePath: 'src', report: true }, french);
  const report = readFileSync(drift.outputPath ?? '', 'utf8');
  expect(drift.recommendation).toContain('ruptures');
  expect(JSON.stringify(drift) + report).not.toMatch(HAN);
  await runBatch({ force: false, astOnly: true, outputDir: 'all', concurrency: 1 }, french);
  const documents = readdirSync(`${cwd}/all`).filter((name) => name.endsWith('.md'));
  expect(documents.length).toBeGreaterThan(1);
  for (const name of documents) expect(readFileSync(`${cwd}/all/${name}`, 'utf8')).not.toMatch(HAN);
});
