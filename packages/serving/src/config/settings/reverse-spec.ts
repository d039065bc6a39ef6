import { join } from 'node:path';
import { setting } from '../setting.ts';
import { globList, httpUrl, integer, type Origin, oneOf, path, text, type ValueKind } from '../values.ts';

const pricePair: ValueKind<string> = {
  ...text,
  expected: 'two prices as INPUT/OUTPUT',
  read: (raw, origin) => {
    const isPair = typeof raw === 'string' && /^\d+(?:\.\d+)?\/\d+(?:\.\d+)?$/.test(raw.trim());
    return isPair ? text.read(raw, origin) : { kind: 'bad' };
  },
};

export const reverseSpecSettings = {
  anthropicApiKey: setting<string | undefined>({
    env: 'ANTHROPIC_API_KEY',
    toml: 'reverse_spec.anthropic_api_key',
    value: text,
    fallback: undefined,
    secret: true,
    doc: 'Key of the model that writes the prose of a spec; without it only `--ast-only` works.',
  }),
  anthropicBaseUrl: setting<string | undefined>({
    env: 'ANTHROPIC_BASE_URL',
    toml: 'reverse_spec.anthropic_base_url',
    value: httpUrl,
    fallback: undefined,
    fallbackText: "Anthropic's own",
    doc: 'Where the Messages API answers.',
  }),
  modelUrl: setting<string | undefined>({
    env: 'REVERSE_SPEC_MODEL_URL',
    flag: 'model-url',
    value: httpUrl,
    fallback: undefined,
    doc: 'An endpoint that speaks chat completions (`…/v1`): it writes the prose instead of Anthropic.',
  }),
  modelKey: setting<string | undefined>({
    env: 'REVERSE_SPEC_MODEL_KEY',
    envAliases: ['OPENAI_API_KEY'],
    value: text,
    fallback: undefined,
    secret: true,
    doc: 'Key for `REVERSE_SPEC_MODEL_URL`, where it wants one.',
  }),
  price: setting<string | undefined>({
    env: 'REVERSE_SPEC_PRICE',
    flag: 'price',
    value: pricePair,
    fallback: undefined,
    fallbackText: "Anthropic's list price of November 2026 where it lists the model, else unset",
    doc: 'US dollars a million tokens of input and output, as `3/15`: for `--dry-run` and `--max-cost`.',
  }),
  model: setting({
    env: 'REVERSE_SPEC_MODEL',
    flag: 'model',
    value: text,
    fallback: 'claude-sonnet-5-5',
    doc: 'Model that writes the prose of a spec.',
  }),
  language: setting<'zh' | 'en' | 'fr' | undefined>({
    env: 'REVERSE_SPEC_LANG',
    flag: 'lang',
    value: oneOf(['zh', 'en', 'fr']),
    fallback: undefined,
    fallbackText:
      'the language the document has already; for new ones and for messages Chinese over MCP, and on the command line that of the locale (`LANG`)',
    doc: 'Language of the documents and of all messages.',
  }),
  granularity: setting({
    env: 'REVERSE_SPEC_GRANULARITY',
    flag: 'granularity',
    value: oneOf(['package', 'folder', 'file']),
    fallback: 'package',
    doc: 'What one document of `batch` is about. A package is a folder with a manifest or a Go, Java or Kotlin package; large ones are cut at their folders, small folders are told with the one above.',
  }),
  baseline: setting({
    env: 'REVERSE_SPEC_BASELINE',
    flag: 'baseline',
    value: oneOf(['side', 'embedded']),
    fallback: 'side',
    doc: 'Where the skeletons `diff` compares with are kept: `.baseline/` beside the documents, or inside them.',
  }),
  outputDir: setting({
    env: 'REVERSE_SPEC_OUTPUT_DIR',
    flag: 'output-dir',
    value: text,
    fallback: 'specs',
    doc: 'Where specs are written; relative to the working directory, for `batch` to the project.',
  }),
  cacheDir: setting({
    env: 'REVERSE_SPEC_CACHE_DIR',
    flag: 'cache-dir',
    value: path,
    fallback: defaultCacheDir,
    fallbackText: 'the user cache directory (`~/.cache/secateur/skeletons` on Linux)',
    doc: 'Keeps what was read of unchanged files, without secrets and without source text.',
  }),
  tokenBudget: setting({
    env: 'REVERSE_SPEC_TOKEN_BUDGET',
    flag: 'token-budget',
    value: integer({ min: 1000, max: 10_000_000 }),
    fallback: 100_000,
    doc: 'Tokens one context may hold; code snippets go first, the skeleton never.',
  }),
  maxFileBytes: setting({
    env: 'REVERSE_SPEC_MAX_FILE_BYTES',
    value: integer({ min: 1024, max: 1_073_741_824 }),
    fallback: 1_048_576,
    doc: 'Larger files are skipped and listed.',
  }),
  include: setting<readonly string[]>({
    env: 'REVERSE_SPEC_INCLUDE',
    flag: 'include',
    value: globList,
    fallback: [],
    fallbackText: 'everything git knows',
    doc: 'Globs of the only files to read, commas between; what they name is a module even if it is a test, an example, generated or vendored.',
  }),
  exclude: setting<readonly string[]>({
    env: 'REVERSE_SPEC_EXCLUDE',
    flag: 'exclude',
    value: globList,
    fallback: [],
    fallbackText: 'nothing',
    project: true,
    doc: 'Globs of files that are never read, commas between; a glob without a slash means names in any folder.',
  }),
  concurrency: setting({
    env: 'REVERSE_SPEC_CONCURRENCY',
    flag: 'concurrency',
    value: integer({ min: 1, max: 64 }),
    fallback: 3,
    doc: 'Modules `batch` writes at the same time.',
  }),
};

function defaultCacheDir({ env, homeDir, platform }: Origin): string {
  const base = env.XDG_CACHE_HOME || cacheHome(homeDir, platform, env.LOCALAPPDATA);
  return join(base, 'secateur', 'skeletons');
}

function cacheHome(homeDir: string, platform: NodeJS.Platform, localAppData: string | undefined): string {
  if (platform === 'darwin') return join(homeDir, 'Library', 'Caches');
  if (platform === 'win32') return localAppData ?? join(homeDir, 'AppData', 'Local');
  return join(homeDir, '.cache');
}
