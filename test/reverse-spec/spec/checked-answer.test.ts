import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runBatch } from '../../../packages/reverse-spec/src/spec/batch.ts';
import { checkSpecs } from '../../../packages/reverse-spec/src/spec/check.ts';
import { generate } from '../../../packages/reverse-spec/src/spec/generate.ts';
import { anthropicWriter } from '../../../packages/reverse-spec/src/spec/model-writers.ts';
import { sentencesOf } from '../../../packages/reverse-spec/src/spec/writing/answer.ts';
import { readDocumentText } from '../../../packages/reverse-spec/src/spec/writing/document/document-text.ts';
import { type MessagesStandIn, says, startMessagesStandIn } from '../../support/messages-stand-in.ts';
import { parts, project, write } from '../../support/spec-project.ts';

let api: MessagesStandIn;
beforeEach(async () => {
  api = await startMessagesStandIn();
});
afterEach(() => api.close());

const SOURCE = `/** Routes requests. */
export class Mux {
  serve(path: string): number {
    if (path === '') throw new Error('empty path');
    return this.find(path);
  }

  find(path: string): number {
    return path.length;
  }
}
`;

const ANSWER = {
  intent: 'Routes requests by path. It uses `QuantumRouter` for speed.',
  businessLogic:
    '### Serving\n\n1. `Mux.serve` refuses an empty path (src/mux.ts#L4).\n2. It then asks `find`.\n3. It loads `turbo.ts` first.\n4. Everything else is simple.',
  dataStructures: 'None.',
  constraints: '- `path` must not be empty (src/mux.ts#L4-L400).',
  edgeCases: 'None.',
  technicalDebt: 'None.',
  testCoverage: 'None.',
  dependencies: 'None.',
};

const writer = () =>
  anthropicWriter({ apiKey: 'k', baseUrl: api.url, model: 'm', log: () => {}, maxRetries: 0 });

async function written(answer: string, cwd = project({ 'src/mux.ts': SOURCE })) {
  api.answer(says(answer));
  const request = { targetPath: 'src', deep: false, outputDir: 'specs', astOnly: false };
  const result = await generate(request, parts(cwd, { modelWriter: writer(), language: 'en' }));
  const { sections } = readDocumentText(readFileSync(result.specPath, 'utf8'));
  const section = (id: string) => sections.find((each) => each.id === id)?.body ?? '';
  return { ...result, section, cwd };
}

describe('[R77] names of a model that occur in no file', () => {
  it('generate removes sentences with names that occur in no file, lists the names and lowers the confidence', async () => {
    const { section, warnings, confidence } = await written(JSON.stringify(ANSWER));
    expect(section('intent')).toContain('Routes requests by path.');
    expect(section('intent')).not.toContain('QuantumRouter');
    expect(section('businessLogic')).not.toContain('turbo.ts');
    expect(warnings).toEqual([
      'left out, since `QuantumRouter` occurs in none of the files: It uses `QuantumRouter` for speed.',
      'left out, since `turbo.ts` occurs in none of the files: It loads `turbo.ts` first.',
    ]);
    expect(confidence).toBe('medium');
  });

  it('generate keeps a model response and its confidence if all names occur in the source', async () => {
    const answer = {
      ...ANSWER,
      intent: "Routes with `Mux.serve(path)`; `null` is not `'empty path'`.",
      businessLogic: '`Mux` serves.',
    };
    const { section, warnings, confidence } = await written(JSON.stringify(answer));
    expect(section('intent')).toBe(answer.intent);
    expect({ warnings, confidence }).toEqual({ warnings: [], confidence: 'high' });
  });

  it('generate writes from the parsed source with low confidence if no sentence of the response remains', async () => {
    const invented = Object.fromEntries(Object.keys(ANSWER).map((key) => [key, 'Uses `QuantumRouter`.']));
    const { section, confidence } = await written(JSON.stringify(invented));
    expect(confidence).toBe('low');
    expect(section('intent')).not.toContain('Quantum');
  });

  it('generate also removes sentences with invented names from a Markdown response', async () => {
    const text = Object.entries(ANSWER).map(([key, prose]) => `## ${key}\n\n${prose}`);
    const { section } = await written(text.join('\n\n'));
    expect(section('intent')).toContain('Routes requests by path.');
    expect(section('intent')).not.toContain('QuantumRouter');
  });
});

describe('[R77] claims with links to lines', () => {
  it('generate links each claim to the lines that it names, to the lines of its names, or to whole files', async () => {
    const { section } = await written(JSON.stringify(ANSWER));
    const link = (lines: string) => `[src/mux.ts#${lines}](<../src/mux.ts#${lines}>)`;
    expect(section('businessLogic')).toContain(`1. \`Mux.serve\` refuses an empty path. (${link('L4')})`);
    expect(section('businessLogic')).toContain(`2. It then asks \`find\`. (${link('L8-L10')})`);
    expect(section('businessLogic')).toContain(
      `4. Everything else is simple. (inferred from ${link('L1-L11')})`,
    );
    // The file has no line 400, and `path` is not a declaration.
    expect(section('constraints')).toContain(`(inferred from ${link('L1-L11')})`);
  });

  it('check reports a claim whose source lines changed, but not a claim whose lines only moved', async () => {
    const cwd = project({ 'src/mux.ts': SOURCE });
    api.answer(
      says(
        JSON.stringify({
          ...ANSWER,
          constraints: '- None.',
          businessLogic: '1. `Mux.serve` refuses an empty path (src/mux.ts#L4).\n2. It asks `find`.',
        }),
      ),
    );
    const request = { force: false, astOnly: false, outputDir: 'specs', concurrency: 1 };
    await runBatch(request, parts(cwd, { modelWriter: writer() }));
    const stale = async () => {
      const { items, summary } = await checkSpecs(
        { paths: [], outputDir: 'specs' },
        parts(cwd, { messageLanguage: 'en' }),
      );
      const own = items.filter(
        ({ category, symbolName }) => category === 'claim' && symbolName === 'businessLogic',
      );
      return { low: summary.low, own };
    };
    expect((await stale()).own).toEqual([]);
    write(cwd, { 'src/mux.ts': `// moved\n\n${SOURCE}` });
    expect((await stale()).own).toEqual([]);
    write(cwd, { 'src/mux.ts': SOURCE.replace("path === ''", 'path.length < 2') });
    const { own, low } = await stale();
    expect(own).toMatchObject([
      {
        severity: 'LOW',
        location: 'src/mux.ts:4',
        description: '"`Mux.serve` refuses an empty path." is based on src/mux.ts#L4, which changed',
        detectedBy: 'evidence',
        specPath: 'specs/src.spec.md',
      },
    ]);
    expect(low).toBeGreaterThan(0);
    expect(readFileSync(join(cwd, 'specs/.baseline/src.json'), 'utf8')).toContain('"claims"');
  });
});

it('[R77] sentencesOf does not split a sentence inside backticks or brackets', () => {
  expect(sentencesOf('Calls `a.b. c` (see x. y). Then stops。然后结束。 (a.ts#L3)')).toEqual([
    'Calls `a.b. c` (see x. y).',
    ' Then stops。',
    '然后结束。 (a.ts#L3)',
  ]);
});
