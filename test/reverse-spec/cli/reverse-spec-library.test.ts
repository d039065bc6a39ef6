import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as library from '../../../packages/reverse-spec/src/main/library.ts';
import { project, write } from '../../support/spec-project.ts';

const { prepareContext, generateSpec, runBatch, detectDrift } = library;
const options = (cwd: string) => ({ cwd, env: { PATH: process.env.PATH, SECATEUR_DATA_DIR: cwd } });
const SOURCE = 'export function f(a: string): void {}\n';

describe('the library reverse-spec', () => {
  it('[R82] the library reverse-spec exports only prepareContext, generateSpec, runBatch and detectDrift', () => {
    expect(Object.keys(library).sort()).toEqual([
      'detectDrift',
      'generateSpec',
      'prepareContext',
      'runBatch',
    ]);
    const { exports } = JSON.parse(readFileSync('packages/reverse-spec/package.json', 'utf8'));
    expect(Object.keys(exports)).toContain('.');
  });

  it('[R82] prepareContext returns the skeleton of each file, the merged skeleton, the context and the paths', async () => {
    const cwd = project({ 'src/a.ts': SOURCE });
    const result = await prepareContext('src', options(cwd));
    expect(result.skeletons.map(({ exports }) => exports.map(({ name }) => name))).toEqual([['f']]);
    expect(result.filePaths).toEqual(['src/a.ts']);
    expect(result.context.prompt).toContain('# 目标: src');
  });

  it('[R82] generateSpec writes one document; runBatch writes all documents and the index', async () => {
    const cwd = project({ 'src/a.ts': SOURCE });
    const { specPath, confidence } = await generateSpec('src', {
      ...options(cwd),
      astOnly: true,
      lang: 'en',
    });
    expect(readFileSync(specPath, 'utf8')).toContain('# Specification of src');
    expect(confidence).toBe('low');
    const steps: string[] = [];
    const batch = await runBatch('.', {
      ...options(cwd),
      astOnly: true,
      outputDir: 'docs',
      progress: ({ message }) => steps.push(message),
    });
    expect(batch).toMatchObject({ totalModules: 1, successful: 1, failed: 0 });
    expect(existsSync(join(cwd, 'docs/_index.spec.md'))).toBe(true);
    expect(steps.length).toBeGreaterThan(1);
  });

  it('[R82] detectDrift reports what changed in the source since a document was written', async () => {
    const cwd = project({ 'src/a.ts': SOURCE });
    await generateSpec('src', { ...options(cwd), astOnly: true });
    write(cwd, { 'src/a.ts': 'export function f(a: number): void {}\n' });
    const { summary, items } = await detectDrift('specs/src.spec.md', 'src', options(cwd));
    expect(summary).toMatchObject({ high: 0, medium: 1 });
    expect(items[0]?.symbolName).toBe('f');
  });

  it('[R82] the library functions reject with the same error messages as the MCP tools', async () => {
    const cwd = project({ 'src/a.ts': SOURCE });
    await expect(prepareContext('nowhere', options(cwd))).rejects.toThrow('目标路径不存在: nowhere');
    await expect(generateSpec('src', options(cwd))).rejects.toThrow('未检测到 ANTHROPIC_API_KEY');
    await expect(generateSpec('nowhere', { ...options(cwd), lang: 'en' })).rejects.toMatchObject({
      code: 'target_not_found',
      message: 'target does not exist: nowhere',
    });
  });
});
