import { resolve } from 'node:path';
import { DomainError } from '../runtime/domain-error.ts';
import { astOnlyWriter } from './ast-only-writer.ts';
import { composeSpec, warningsAbout } from './compose.ts';
import type { Confidence, TokenUsage } from './document/front-matter.ts';
import { type LanguageChoice, languageFor } from './language-choice.ts';
import { scanParts, scanTarget, withoutFolder } from './prepare/scan.ts';
import { requireSkeletons } from './prepare.ts';
import { openProject } from './project.ts';
import { readFacts } from './read-facts.ts';
import type { ProgressReport, ReadingParts } from './reading-parts.ts';
import { requireWritable, saveSpec } from './save-spec.ts';
import { specFileName } from './spec-path.ts';
import { pathInside, resolveTarget } from './target.ts';
import type { SpecWriter } from './writer.ts';

export interface GenerateRequest {
  targetPath: string;
  deep: boolean;
  outputDir: string;
  /** Write from the AST alone: no model, no network. */
  astOnly: boolean;
}

export interface WritingParts extends ReadingParts, LanguageChoice {
  /** Baselines inside the documents instead of beside them. */
  embedBaseline: boolean;
  /** Missing when there is no key. */
  modelWriter: SpecWriter | undefined;
}

export interface GenerateResult {
  specPath: string;
  tokenUsage: TokenUsage;
  confidence: Confidence;
  warnings: string[];
}

/** scan → parse → context → model → parse → render → one spec file. */
export async function generate(request: GenerateRequest, parts: WritingParts): Promise<GenerateResult> {
  const target = await resolveTarget(request.targetPath, parts.cwd);
  const writer = chooseWriter(request.astOnly, parts);
  const signal = parts.signal === undefined ? {} : { signal: parts.signal };
  const report = stages(parts.progress);
  report('扫描');
  const outputDir = resolve(parts.cwd, request.outputDir);
  await requireWritable(outputDir);
  const scan = await scanTarget(target, { modulesOnly: true, ...scanParts(parts) });
  const paths = withoutFolder(scan.paths, pathInside(target.base, outputDir));
  report('解析');
  const { progress: _, ...silent } = parts;
  const reading = await readFacts(target, paths, silent);
  const { files } = reading;
  const notes = { ...reading.notes, ...scan.notes };
  requireSkeletons({ files, notes }, { deep: request.deep, target });
  const project = await openProject({ base: target.base, files, ...signal });
  report('组装上下文');
  const { facts, context } = await composeSpec(
    { target, files, notes, project, deep: request.deep, outputDir },
    parts,
  );
  report(`撰写（${writer.model}）`);
  const writing = await writer.write({ facts, context, ...signal });
  report('渲染');
  const name = specFileName(facts.label);
  const language = await languageFor(outputDir, name, parts);
  const finished = { facts, writing, model: writer.model, language, outputDir, name };
  const saved = await saveSpec(finished, parts);
  const { tokenUsage, confidence, warnings } = writing;
  return {
    specPath: saved.specPath,
    tokenUsage,
    confidence,
    warnings: [...warningsAbout(facts, context, parts.tokenBudget), ...warnings, ...saved.warnings],
  };
}

/** Asked before anything is read: without a key there is no point in starting. */
export function chooseWriter(
  astOnly: boolean,
  { modelWriter }: Pick<WritingParts, 'modelWriter'>,
): SpecWriter {
  if (astOnly) return astOnlyWriter;
  if (modelWriter !== undefined) return modelWriter;
  throw new DomainError('no_api_key', '未检测到 ANTHROPIC_API_KEY', {
    hint: '请在启动 reverse-spec 的环境中设置 ANTHROPIC_API_KEY，或使用 astOnly: true（命令行: --ast-only）仅由 AST 生成。',
  });
}

const STAGES = 5;

function stages(progress: ProgressReport | undefined): (message: string) => void {
  let done = 0;
  return (message) => {
    done += 1;
    progress?.({ done, total: STAGES, message });
  };
}
