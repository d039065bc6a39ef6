import { Type } from '@secateur/base/tools/schema.ts';
import type { Tool } from '@secateur/base/tools/tool.ts';
import { dryRunBatch, runBatch } from '../../spec/batch.ts';
import type { ReverseSpecParts } from '../server.ts';
import { languageArgument, specTool } from '../spec-tool.ts';

const inputSchema = Type.Object(
  {
    projectRoot: Type.Optional(Type.String({ description: '项目根目录（默认为当前工作目录）' })),
    force: Type.Optional(Type.Boolean({ description: '强制重新生成所有 spec', default: false })),
    astOnly: Type.Optional(
      Type.Boolean({ description: '仅由 AST 生成，不调用模型、不访问网络', default: false }),
    ),
    deep: Type.Optional(Type.Boolean({ description: '深度分析模式（包含函数体）', default: false })),
    criteria: Type.Optional(
      Type.Boolean({ description: '在边界条件一节加入验收标准（WHEN … THE … SHALL …）', default: false }),
    ),
    maxCost: Type.Optional(Type.Number({ description: '费用上限（美元），达到之前停止' })),
    lang: Type.Optional(languageArgument),
    dryRun: Type.Optional(
      Type.Boolean({ description: '只估算模型调用次数与 token 用量，不生成', default: false }),
    ),
  },
  { required: [] },
);

export function batchTool(parts: ReverseSpecParts): Tool {
  return specTool(parts, {
    name: 'batch',
    description: '批量 Spec 生成',
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    inputSchema,
    run: (
      {
        projectRoot,
        force = false,
        astOnly = false,
        dryRun = false,
        deep = false,
        criteria = false,
        maxCost,
      },
      own,
    ) => {
      const { outputDir, concurrency, granularity } = own;
      const limits = { concurrency, maxCost };
      const request = { projectRoot, outputDir, granularity, force, astOnly, deep, criteria, ...limits };
      return dryRun ? dryRunBatch(request, own) : runBatch(request, own);
    },
  });
}
