import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runBatch } from '../../../packages/reverse-spec/src/spec/batch.ts';
import { generate } from '../../../packages/reverse-spec/src/spec/generate.ts';
import { readDocumentText } from '../../../packages/reverse-spec/src/spec/writing/document/document-text.ts';
import { parts, project } from '../../support/spec-project.ts';

const SOURCE = `def pick(count, multiple):
    if count and multiple:
        raise TypeError("'count' is not valid with 'multiple'.")


def never():
    raise RuntimeError("never reached")
`;

function edgeCases(cwd: string): string {
  const document = readFileSync(join(cwd, 'specs/src.spec.md'), 'utf8');
  return readDocumentText(document).sections.find(({ id }) => id === 'edgeCases')?.body ?? '';
}

it('[R80] generate adds acceptance criteria to the section Edge cases on request; the document still has nine sections', async () => {
  const cwd = project({ 'src/a.py': SOURCE });
  const request = { targetPath: 'src', deep: false, outputDir: 'specs', astOnly: true };
  await generate(request, { ...parts(cwd), language: 'en' });
  expect(edgeCases(cwd)).not.toContain('SHALL');
  await generate({ ...request, criteria: true }, { ...parts(cwd), language: 'en' });
  const document = readFileSync(join(cwd, 'specs/src.spec.md'), 'utf8');
  expect(readDocumentText(document).sections).toHaveLength(9);
  expect(edgeCases(cwd)).toContain(
    "- WHEN `count and multiple` THE `pick` SHALL raise `TypeError` (`'count' is not valid with 'multiple'.`) ([src/a.py#L3](<../src/a.py#L3>))",
  );
  // An error without a condition gives no criterion.
  expect(edgeCases(cwd).match(/SHALL/g)).toHaveLength(1);
});

it('[R71] [R80] an acceptance criterion lists all conditions around an error, the outermost first', async () => {
  const source = [
    'def pick(count, names):',
    '    if count > 3:',
    '        if names:',
    '            return names',
    '        else:',
    "            raise ValueError('no names')",
    '',
  ].join('\n');
  const cwd = project({ 'src/a.py': source });
  const request = { targetPath: 'src', deep: false, outputDir: 'specs', astOnly: true, criteria: true };
  await generate(request, { ...parts(cwd), language: 'en' });
  expect(edgeCases(cwd)).toContain(
    '- WHEN `count > 3` AND NOT `names` THE `pick` SHALL raise `ValueError` (`no names`)',
  );
});

it('[R80] batch with acceptance criteria rewrites documents that have none; later runs keep the criteria', async () => {
  const cwd = project({ 'src/a.py': SOURCE });
  const request = { force: false, astOnly: true, outputDir: 'specs', concurrency: 2 };
  await runBatch(request, parts(cwd));
  const { renewed } = await runBatch({ ...request, criteria: true }, parts(cwd));
  expect(renewed).toEqual([{ target: 'src', reasons: ['criteria'] }]);
  expect(edgeCases(cwd)).toContain('SHALL 抛出 `TypeError`');
  expect((await runBatch(request, parts(cwd))).skipped).toBe(1);
  await runBatch({ ...request, force: true }, parts(cwd));
  expect(edgeCases(cwd)).toContain('SHALL');
});
