import { readFileSync } from 'node:fs';
import { generate } from '../../packages/reverse-spec/src/spec/generate.ts';
import { parts, project } from './spec-project.ts';

/** Writes the document of a target without a model, in English, and returns its sections by their titles. */
export async function documentOf(
  files: Record<string, string>,
  targetPath: string,
): Promise<(title: string) => string> {
  const cwd = project(files);
  const request = { targetPath, deep: false, outputDir: 'specs', astOnly: true };
  const { specPath } = await generate(request, parts(cwd, { language: 'en' }));
  const text = readFileSync(specPath, 'utf8');
  return (title) => {
    const start = text.indexOf(`\n## ${title}\n`);
    const end = text.indexOf('\n## ', start + 1);
    return text
      .slice(start, end === -1 ? text.length : end)
      .replace(`\n## ${title}\n\n`, '')
      .trimEnd();
  };
}
