import { prepare } from '../../../spec/prepare.ts';
import { Type } from '../../../wire/schema.ts';
import type { Tool } from '../../../wire/tool.ts';
import type { ReverseSpecParts } from '../server.ts';
import { specTool } from '../spec-tool.ts';

const inputSchema = Type.Object({
  targetPath: Type.String({ description: '目标文件或目录路径（绝对或相对于 cwd）' }),
  deep: Type.Optional(Type.Boolean({ description: '深度分析模式（包含函数体）', default: false })),
});

export function prepareTool(parts: ReverseSpecParts): Tool {
  return specTool({
    name: 'prepare',
    description: 'AST 预处理 + 上下文组装',
    annotations: { readOnlyHint: true, openWorldHint: false },
    inputSchema,
    run: ({ targetPath, deep = false }, call) => prepare({ targetPath, deep }, { ...parts, ...call }),
  });
}
