import { Type } from '@secateur/base/tools/schema.ts';
import type { Tool } from '@secateur/base/tools/tool.ts';
import type { RpcServer } from '@secateur/serving/wire/protocol.ts';
import { dryRunBatch, type Granularity, runBatch } from '../spec/batch.ts';
import { detectDrift } from '../spec/drift.ts';
import { dryRunGenerate, generate, type WritingParts } from '../spec/generate.ts';
import { prepare, preparePage } from '../spec/prepare.ts';
import { specTool, TextBlocks } from './spec-tool.ts';

export interface ReverseSpecParts extends WritingParts {
  /** Default directory for specs, relative to the project of the target. */
  outputDir: string;
  /** Number of modules that `batch` writes concurrently. */
  concurrency: number;
  /** Subject of one document of `batch`: a package, a directory or a file. */
  granularity: Granularity;
}

/** Version of the server as fixed in the tools' contract, not the version of the package. */
const SERVER_VERSION = '2.0.0';

/** Returns a server with four tools. Their calls share no state except the file system. */
export function reverseSpecServer(parts: ReverseSpecParts): RpcServer {
  return {
    name: 'reverse-spec',
    version: SERVER_VERSION,
    tools: [prepareTool(parts), generateTool(parts), batchTool(parts), diffTool(parts)],
  };
}

const flag = (description: string) => Type.Optional(Type.Boolean({ description, default: false }));
const text = (description: string) => Type.String({ description });

/** Maximum number of tokens per page by default. Clients show a page of this size inline instead of saving it to a file. */
const DEFAULT_PAGE_TOKENS = 10_000;

const prepareArguments = Type.Object({
  targetPath: text('目标文件或目录路径（绝对或相对于 cwd）'),
  deep: flag('深度分析模式（包含函数体）'),
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
  cursor: Type.Optional(text('上一页返回的 nextCursor（markdown）')),
});

function prepareTool(parts: ReverseSpecParts): Tool {
  return specTool(parts, {
    name: 'prepare',
    description: 'AST 预处理 + 上下文组装',
    annotations: { readOnlyHint: true, openWorldHint: false },
    inputSchema: prepareArguments,
    run: async ({ targetPath, deep = false, maxTokens = DEFAULT_PAGE_TOKENS, cursor, ...asked }, own) => {
      // A request with a cursor is for the next page, so the format is Markdown.
      const { format = cursor === undefined ? 'json' : 'markdown' } = asked;
      if (format === 'json') return prepare({ targetPath, deep }, own);
      const request = { targetPath, deep, maxTokens, ...(cursor !== undefined && { cursor }) };
      const page = await preparePage(request, own);
      return new TextBlocks([page.text, JSON.stringify(page.about)]);
    },
  });
}

const ASKS_MODEL = { readOnlyHint: false, destructiveHint: false, openWorldHint: true } as const;

const astOnlyArgument = flag('仅由 AST 生成，不调用模型、不访问网络');
const criteriaArgument = flag('在边界条件一节加入验收标准（WHEN … THE … SHALL …）');
/** Language of a document. Default: the language of the existing document, Chinese for a new one. */
const languageArgument = Type.Optional(
  Type.Union([Type.Literal('zh'), Type.Literal('en'), Type.Literal('fr')], {
    description: '文档语言（默认沿用已有文档的语言，新文档为中文）',
  }),
);

const generateArguments = Type.Object({
  targetPath: text('目标文件或目录路径'),
  deep: flag('深度分析模式'),
  outputDir: Type.Optional(Type.String({ description: '输出目录', default: 'specs' })),
  astOnly: astOnlyArgument,
  dryRun: flag('只估算模型调用次数、token 用量与价格，不生成'),
  criteria: criteriaArgument,
  lang: languageArgument,
});

function generateTool(parts: ReverseSpecParts): Tool {
  return specTool(parts, {
    name: 'generate',
    description: '完整 Spec 生成流水线',
    annotations: ASKS_MODEL,
    inputSchema: generateArguments,
    run: ({ dryRun, targetPath, ...asked }, own) => {
      const { deep = false, outputDir = parts.outputDir, astOnly = false, criteria = false } = asked;
      const request = { targetPath, deep, outputDir, astOnly, criteria };
      return dryRun ? dryRunGenerate(request, own) : generate(request, own);
    },
  });
}

const batchArguments = Type.Object(
  {
    projectRoot: Type.Optional(text('项目根目录（默认为当前工作目录）')),
    force: flag('强制重新生成所有 spec'),
    astOnly: astOnlyArgument,
    deep: flag('深度分析模式（包含函数体）'),
    criteria: criteriaArgument,
    maxCost: Type.Optional(Type.Number({ description: '费用上限（美元），达到之前停止' })),
    lang: languageArgument,
    dryRun: flag('只估算模型调用次数与 token 用量，不生成'),
  },
  { required: [] },
);

function batchTool(parts: ReverseSpecParts): Tool {
  return specTool(parts, {
    name: 'batch',
    description: '批量 Spec 生成',
    annotations: ASKS_MODEL,
    inputSchema: batchArguments,
    run: ({ projectRoot, maxCost, dryRun, ...asked }, own) => {
      const { force = false, astOnly = false, deep = false, criteria = false } = asked;
      const { outputDir, concurrency, granularity } = own;
      const limits = { concurrency, maxCost };
      const request = { projectRoot, outputDir, granularity, force, astOnly, deep, criteria, ...limits };
      return dryRun ? dryRunBatch(request, own) : runBatch(request, own);
    },
  });
}

const diffArguments = Type.Object({
  specPath: text('Spec 文件路径（.spec.md）'),
  sourcePath: text('源代码文件或目录路径'),
  report: Type.Optional(Type.Boolean({ description: '在 spec 旁的 drift-logs/ 写入 Markdown 报告' })),
});

function diffTool(parts: ReverseSpecParts): Tool {
  return specTool(parts, {
    name: 'diff',
    description: 'Spec 漂移检测',
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    inputSchema: diffArguments,
    run: ({ specPath, sourcePath, report = false }, own) =>
      detectDrift({ specPath, sourcePath, report }, own),
  });
}
