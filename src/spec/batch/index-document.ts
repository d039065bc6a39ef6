import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../runtime/clock.ts';
import { mermaidOf } from '../document/diagram.ts';
import { type Confidence, nextVersion, noTokens, renderFrontMatter } from '../document/front-matter.ts';
import { blocks, fenced, inlineCode, table } from '../document/markdown.ts';
import { saveText } from '../save-spec.ts';
import { type KnownSpec, readKnownSpecs } from './known-spec.ts';
import type { BatchPlan } from './plan.ts';

const NAME = '_index.spec.md';

/** The map over all modules, rendered from what lies on disk after the run. */
export async function saveIndex(plan: BatchPlan, clock: Clock): Promise<boolean> {
  if (plan.modules.length === 0) return false;
  const specs = await readKnownSpecs(plan.outputDir, plan.modules);
  const previous = await readFile(join(plan.outputDir, NAME), 'utf8').catch(() => undefined);
  await saveText(plan.outputDir, NAME, renderIndex(plan, specs, { previous, clock }));
  return true;
}

function renderIndex(
  { modules, root }: BatchPlan,
  specs: ReadonlyMap<string, KnownSpec>,
  { previous, clock }: { previous: string | undefined; clock: Clock },
): string {
  const matter = renderFrontMatter({
    type: 'index-spec',
    version: nextVersion(previous),
    sourceTarget: root.label,
    relatedFiles: modules.map(({ specName }) => specName),
    lastUpdated: new Date(clock.now()).toISOString(),
    confidence: lowest([...specs.values()]),
    skeletonHash: createHash('sha256')
      .update(
        modules
          .map(({ skeletonHash }) => skeletonHash)
          .sort()
          .join('\n'),
      )
      .digest('hex'),
    model: 'none',
    tokenUsage: noTokens,
  });
  const rows = modules.map((module) => {
    const spec = specs.get(module.label);
    const loc = module.files.reduce((sum, { skeleton }) => sum + skeleton.loc, 0);
    const exports = module.files.reduce((sum, { skeleton }) => sum + skeleton.exports.length, 0);
    const link =
      spec === undefined
        ? inlineCode(module.label)
        : `[${inlineCode(module.label)}](<${encodeURI(module.specName)}>)`;
    const state = spec === undefined ? '未生成' : spec.confidence;
    return [
      link,
      `${module.files.length}`,
      `${loc}`,
      `${exports}`,
      state,
      spec?.version ?? '',
      spec?.intent ?? '',
    ];
  });
  const edges = modules.flatMap(({ label, dependsOn }) => dependsOn.map((to) => ({ from: label, to })));
  return `${blocks(
    matter,
    '# 项目规格索引',
    `共 ${modules.length} 个模块，按依赖顺序排列：被依赖者在前。`,
    table(['模块', '文件', '行数', '导出', '可信度', '版本', '意图'], rows),
    '## 模块依赖图',
    fenced('mermaid', mermaidOf({ nodes: modules.map(({ label }) => label), edges })),
  )}\n`;
}

const CONFIDENCES: readonly Confidence[] = ['low', 'medium', 'high'];

function lowest(specs: readonly KnownSpec[]): Confidence {
  return CONFIDENCES.find((level) => specs.some(({ confidence }) => confidence === level)) ?? 'low';
}
