import { Type } from '@secateur/base/tools/schema.ts';
import type { Tool } from '@secateur/base/tools/tool.ts';
import { dryRunGenerate, generate } from '../../spec/generate.ts';
import type { ReverseSpecParts } from '../server.ts';
import { languageArgument, specTool } from '../spec-tool.ts';

const inputSchema = Type.Object({
  targetPath: Type.String({ description: '目标文件或目录路径' }),
  deep: Type.Optional(Type.Boolean({ description: '深度分析模式', default: false })),
  outputDir: Type.Optional(Type.String({ description: '输出目录', default: 'specs' })),
  astOnly: Type.Optional(
    Type.Boolean({ description: '仅由 AST 生成，不调用模型、不访问网络', default: false }),
  ),
  dryRun: Type.Optional(
    Type.Boolean({ description: '只估算模型调用次数、token 用量与价格，不生成', default: false }),
  ),
  criteria: Type.Optional(
    Type.Boolean({ description: '在边界条件一节加入验收标准（WHEN … THE … SHALL …）', default: false }),
  ),
  lang: Type.Optional(languageArgument),
});

export function generateTool(parts: ReverseSpecParts): Tool {
  return specTool(parts, {
    name: 'generate',
    description: '完整 Spec 生成流水线',
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    inputSchema,
    run: ({ dryRun, ...args }, own) => {
      const {
        targetPath,
        deep = false,
        outputDir = parts.outputDir,
        astOnly = false,
        criteria = false,
      } = args;
      const request = { targetPath, deep, outputDir, astOnly, criteria };
      return dryRun ? dryRunGenerate(request, own) : generate(request, own);
    },
  });
}
