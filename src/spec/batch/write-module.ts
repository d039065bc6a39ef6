import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../../runtime/domain-error.ts';
import { composeSpec } from '../compose.ts';
import { readStoredWriting } from '../document/baseline-file.ts';
import { readFrontMatter } from '../document/front-matter.ts';
import { AST_ONLY, writingKey } from '../freshness.ts';
import type { WritingParts } from '../generate.ts';
import { saveSpec } from '../save-spec.ts';
import type { SpecWriter, Writing } from '../writer.ts';
import { readKnownSpec } from './known-spec.ts';
import type { SpecModule } from './modules.ts';
import type { BatchPlan } from './plan.ts';

export type ModuleOutcome =
  | { kind: 'written'; specPath: string; tokens: number; warnings: string[] }
  | { kind: 'degraded'; specPath: string; tokens: number; warnings: string[] }
  | { kind: 'failed'; reason: string };

export interface BatchWriter {
  plan: BatchPlan;
  writer: SpecWriter;
}

/** One module's spec. Its failure is its own: the others go on. */
export async function writeModule(
  module: SpecModule,
  batch: BatchWriter,
  parts: WritingParts,
): Promise<ModuleOutcome> {
  try {
    return await write(module, batch, parts);
  } catch (error) {
    parts.signal?.throwIfAborted();
    return {
      kind: 'failed',
      reason: error instanceof DomainError ? error.message : `内部错误: ${messageOf(error)}`,
    };
  }
}

async function write(
  module: SpecModule,
  { plan, writer }: BatchWriter,
  parts: WritingParts,
): Promise<ModuleOutcome> {
  const { facts, context } = await composeModule(module, plan, parts);
  const request = { facts, context, ...(parts.signal && { signal: parts.signal }) };
  const before = await writingBefore(module, plan);
  const writing = before?.writing ?? (await writer.write(request));
  const { specPath, warnings } = await saveSpec(
    {
      facts,
      writing,
      model: before?.model ?? writer.model,
      language: plan.language,
      outputDir: plan.outputDir,
      name: module.specName,
    },
    parts,
  );
  const tokens = writing.tokenUsage.input + writing.tokenUsage.output;
  const kind = writing.degraded ? 'degraded' : 'written';
  return { kind, specPath, tokens, warnings: [...writing.warnings, ...warnings] };
}

/** What was paid for is used again while what it was written from holds, by a run without a model too. */
async function writingBefore(
  { specName, origins, reasons }: SpecModule,
  { outputDir }: BatchPlan,
): Promise<{ writing: Writing; model: string } | undefined> {
  if (reasons.includes('forced')) return undefined;
  const specPath = join(outputDir, specName);
  const document = await readFile(specPath, 'utf8').catch(() => '');
  const { model = '' } = origins.model === AST_ONLY ? readFrontMatter(document) : origins;
  const writing = await readStoredWriting(specPath, document, writingKey({ ...origins, model }));
  return writing && { writing, model };
}

/** What the modules below say they are for helps a writer to say what this one is for. */
export async function composeModule(module: SpecModule, plan: BatchPlan, parts: WritingParts) {
  const lines: string[] = [];
  const needed = new Set(module.dependsOn.slice(0, MAX_BACKGROUND));
  for (const { label, specName } of plan.modules.filter((each) => needed.has(each.label))) {
    const spec = await readKnownSpec(plan.outputDir, specName);
    if (spec !== undefined && spec.intent !== '') lines.push(`- ${label}: ${spec.intent}`);
  }
  const { target, files, notes } = module;
  const background = lines.length === 0 ? {} : { background: lines.join('\n') };
  const { project, outputDir, specOf } = plan;
  return composeSpec({ target, files, notes, project, deep: false, outputDir, specOf, ...background }, parts);
}

const MAX_BACKGROUND = 20;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
