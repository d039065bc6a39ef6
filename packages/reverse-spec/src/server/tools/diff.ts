import { Type } from '@secateur/base/tools/schema.ts';
import type { Tool } from '@secateur/base/tools/tool.ts';
import { detectDrift } from '../../spec/drift.ts';
import type { ReverseSpecParts } from '../server.ts';
import { specTool } from '../spec-tool.ts';

const inputSchema = Type.Object({
  specPath: Type.String({ description: 'Spec 文件路径（.spec.md）' }),
  sourcePath: Type.String({ description: '源代码文件或目录路径' }),
  report: Type.Optional(Type.Boolean({ description: '在 spec 旁的 drift-logs/ 写入 Markdown 报告' })),
});

export function diffTool(parts: ReverseSpecParts): Tool {
  return specTool(parts, {
    name: 'diff',
    description: 'Spec 漂移检测',
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    inputSchema,
    run: ({ specPath, sourcePath, report = false }, own) =>
      detectDrift({ specPath, sourcePath, report }, own),
  });
}
