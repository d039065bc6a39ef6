import { Type } from '@secateur/base/tools/schema.ts';
import type { Tool } from '@secateur/base/tools/tool.ts';
import { prepare, preparePage } from '../../spec/prepare.ts';
import type { ReverseSpecParts } from '../server.ts';
import { specTool, TextBlocks } from '../spec-tool.ts';

/**
 * Maximum number of tokens on a page by default, which clients show without moving the result into a file.
 */
const DEFAULT_PAGE_TOKENS = 10_000;

const inputSchema = Type.Object({
  targetPath: Type.String({ description: '目标文件或目录路径（绝对或相对于 cwd）' }),
  deep: Type.Optional(Type.Boolean({ description: '深度分析模式（包含函数体）', default: false })),
  format: Type.Optional(
    Type.Union([Type.Literal('json'), Type.Literal('markdown')], {
      description:
        'json: 完整结果（skeletons、mergedSkeleton、context、filePaths）；markdown: 精简文本，按 maxTokens 分页',
      default: 'json',
    }),
  ),
  maxTokens: Type.Optional(
    Type.Integer({
      description: '每页的 token 上限（markdown）',
      default: DEFAULT_PAGE_TOKENS,
      minimum: 200,
      maximum: 1_000_000,
    }),
  ),
  cursor: Type.Optional(Type.String({ description: '上一页返回的 nextCursor（markdown）' })),
});

export function prepareTool(parts: ReverseSpecParts): Tool {
  return specTool(parts, {
    name: 'prepare',
    description: 'AST 预处理 + 上下文组装',
    annotations: { readOnlyHint: true, openWorldHint: false },
    inputSchema,
    run: async ({ targetPath, deep = false, maxTokens = DEFAULT_PAGE_TOKENS, cursor, ...asked }, own) => {
      // Only pages have cursors, so a client that sends one wants pages.
      const { format = cursor === undefined ? 'json' : 'markdown' } = asked;
      if (format === 'json') return prepare({ targetPath, deep }, own);
      const request = { targetPath, deep, maxTokens, ...(cursor !== undefined && { cursor }) };
      const { text, about } = await preparePage(request, own);
      return new TextBlocks([text, JSON.stringify(about)]);
    },
  });
}
