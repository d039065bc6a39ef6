import { resolve } from 'node:path';
import { messagesIn, specError } from './messages.ts';
import { readModules, scanModules } from './prepare/scope.ts';
import { requireSkeletons } from './prepare.ts';
import { openProject } from './reading/project.ts';
import { resolveTarget } from './reading/target.ts';
import type { ProgressReport, ReadingParts } from './reading-parts.ts';
import type { SpecWriter } from './writer.ts';
import { astOnlyWriter } from './writing/ast-only-writer.ts';
import { composeSpec, warningsAbout } from './writing/compose.ts';
import type { Price } from './writing/cost.ts';
import {
  type Confidence,
  type LanguageChoice,
  languageFor,
  type TokenUsage,
} from './writing/document/front-matter.ts';
import { requireWritable, saveSpec } from './writing/save-spec.ts';
import { specFileName } from './writing/spec-paths.ts';

export interface GenerateRequest {
  targetPath: string;
  deep: boolean;
  outputDir: string;
  /** Write from the AST alone: no model, no network. */
  astOnly: boolean;
  /** Add acceptance criteria to the section on boundary conditions. */
  criteria?: boolean;
}

export interface WritingParts extends ReadingParts, LanguageChoice {
  /** Baselines inside the documents instead of beside them. */
  embedBaseline: boolean;
  /** Price of a token, for estimates and limits. */
  price?: Price;
  /** Undefined without a key. */
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
  await resolveTarget(request.targetPath, parts.cwd);
  const writer = chooseWriter(request.astOnly, parts);
  const outputDir = resolve(parts.cwd, request.outputDir);
  await requireWritable(outputDir);
  const report = stages(parts.progress);
  const says = messagesIn(parts.messageLanguage);
  const composed = await composeTarget(request, outputDir, { ...parts, report });
  const { facts, contexts, language, base } = composed;
  report(says.stages.write(writer.model));
  const writing = await writer.write({
    facts,
    contexts: request.astOnly ? [] : contexts,
    language,
    base,
    signal: parts.signal,
  });
  report(says.stages.render);
  const name = specFileName(facts.label);
  const { criteria = false } = request;
  const finished = { facts, writing, model: writer.model, language, outputDir, name, criteria };
  const saved = await saveSpec(finished, parts);
  const { tokenUsage, confidence, warnings } = writing;
  return {
    specPath: saved.specPath,
    tokenUsage,
    confidence,
    warnings: [
      ...warningsAbout(facts, request.astOnly ? [] : contexts, says.warnings),
      ...warnings,
      ...saved.warnings,
    ],
  };
}

export interface ComposeParts extends WritingParts {
  report?: (stage: string) => void;
}

/** Everything up to the model. */
export async function composeTarget(request: GenerateRequest, outputDir: string, parts: ComposeParts) {
  const target = await resolveTarget(request.targetPath, parts.cwd);
  const { stages: names } = messagesIn(parts.messageLanguage);
  parts.report?.(names.scan);
  const scan = await scanModules(target, outputDir, parts);
  parts.report?.(names.parse);
  // The stages are the progress of one document.
  const { progress: _, ...silent } = parts;
  const { files, notes } = await readModules(target, scan, silent);
  requireSkeletons({ files, notes }, { deep: request.deep, target });
  const project = await openProject(target.base, files, silent);
  parts.report?.(names.context);
  const language = await languageFor(outputDir, specFileName(target.label), parts);
  const { deep, astOnly } = request;
  const composition = { target, files, notes, project, deep, astOnly, language, outputDir };
  const { facts, contexts } = await composeSpec(composition, parts).finally(() => project.close());
  return { facts, contexts, language, base: target.base };
}

/** Called before anything is read: without a key, starting is pointless. */
export function chooseWriter(
  astOnly: boolean,
  { modelWriter }: Pick<WritingParts, 'modelWriter'>,
): SpecWriter {
  if (astOnly) return astOnlyWriter;
  if (modelWriter !== undefined) return modelWriter;
  throw specError('no_api_key', {});
}

const STAGES = 5;

function stages(progress: ProgressReport | undefined): (message: string) => void {
  let done = 0;
  return (message) => {
    done += 1;
    progress?.({ done, total: STAGES, message });
  };
}
