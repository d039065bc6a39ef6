import { DomainError } from '../../runtime/domain-error.ts';
import { composeSpec } from '../compose.ts';
import type { WritingParts } from '../generate.ts';
import { saveSpec } from '../save-spec.ts';
import type { SpecWriter } from '../writer.ts';
import { readKnownSpec } from './known-spec.ts';
import type { SpecModule } from './modules.ts';
import type { BatchPlan } from './plan.ts';

export type ModuleOutcome =
  | { kind: 'written'; specPath: string; tokens: number; warnings: string[] }
  | { kind: 'degraded'; specPath: string; tokens: number; warnings: string[] }
  | { kind: 'failed'; reason: string };

export interface Desk {
  plan: BatchPlan;
  writer: SpecWriter;
}

/** One module's spec. Trouble with it is its own: the others go on. */
export async function writeModule(
  module: SpecModule,
  desk: Desk,
  parts: WritingParts,
): Promise<ModuleOutcome> {
  try {
    return await write(module, desk, parts);
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
  { plan, writer }: Desk,
  parts: WritingParts,
): Promise<ModuleOutcome> {
  const { facts, context } = await composeModule(module, plan, parts);
  const writing = await writer.write({ facts, context, ...(parts.signal && { signal: parts.signal }) });
  const { specPath, warnings } = await saveSpec(
    { facts, writing, model: writer.model, outputDir: plan.outputDir, name: module.specName },
    parts.clock,
  );
  const tokens = writing.tokenUsage.input + writing.tokenUsage.output;
  const kind = writing.degraded ? 'degraded' : 'written';
  return { kind, specPath, tokens, warnings: [...writing.warnings, ...warnings] };
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
  return composeSpec({ target, files, notes, project: plan.project, deep: false, ...background }, parts);
}

const MAX_BACKGROUND = 20;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
