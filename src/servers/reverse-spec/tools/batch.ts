import { runBatch } from '../../../spec/batch.ts';
import { dryRunBatch } from '../../../spec/dry-run.ts';
import { Type } from '../../../wire/schema.ts';
import type { Tool } from '../../../wire/tool.ts';
import type { ReverseSpecParts } from '../server.ts';
import { specTool } from '../spec-tool.ts';

const inputSchema = Type.Object(
  {
    projectRoot: Type.Optional(Type.String({ description: '项目根目录（默认为当前工作目录）' })),
    force: Type.Optional(Type.Boolean({ description: '强制重新生成所有 spec', default: false })),
    astOnly: Type.Optional(
      Type.Boolean({ description: '仅由 AST 生成，不调用模型、不访问网络', default: false }),
    ),
    dryRun: Type.Optional(
      Type.Boolean({ description: '只估算模型调用次数与 token 用量，不生成', default: false }),
    ),
  },
  { required: [] },
);

export function batchTool(parts: ReverseSpecParts): Tool {
  return specTool({
    name: 'batch',
    description: '批量 Spec 生成',
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    inputSchema,
    run: ({ projectRoot, force = false, astOnly = false, dryRun = false }, call) => {
      const { outputDir, concurrency } = parts;
      const request = {
        force,
        astOnly,
        outputDir,
        concurrency,
        ...(projectRoot !== undefined && { projectRoot }),
      };
      return dryRun ? dryRunBatch(request, { ...parts, ...call }) : runBatch(request, { ...parts, ...call });
    },
  });
}
