import { join } from 'node:path';
import { setting } from '../setting.ts';
import {
  globList,
  integer,
  type LaunchContext,
  oneOf,
  path,
  text,
  type ValueKind,
  webUrl,
} from '../values.ts';

const pricePair: ValueKind<string> = {
  ...text,
  expected: 'two prices as INPUT/OUTPUT',
  read: (raw, origin) => {
    const isPair = typeof raw === 'string' && /^\d+(?:\.\d+)?\/\d+(?:\.\d+)?$/.test(raw.trim());
    return isPair ? text.read(raw, origin) : { kind: 'bad' };
  },
};

export const reverseSpecSettings = {
  anthropicApiKey: setting<string | undefined>(
    { env: 'ANTHROPIC_API_KEY', value: text, fallback: undefined, secret: true },
    'API key of the model that writes the prose of a spec. Without a key only `--ast-only` works.',
    { toml: 'reverse_spec.anthropic_api_key' },
  ),
  anthropicBaseUrl: setting<string | undefined>(
    { env: 'ANTHROPIC_BASE_URL', value: webUrl, fallback: undefined },
    'Base URL of the Messages API.',
    { fallbackText: 'that of Anthropic', toml: 'reverse_spec.anthropic_base_url' },
  ),
  modelUrl: setting<string | undefined>(
    { env: 'REVERSE_SPEC_MODEL_URL', flag: 'model-url', value: webUrl, fallback: undefined },
    'URL of an endpoint for chat completions (`…/v1`), which writes the prose instead of Anthropic.',
  ),
  modelKey: setting<string | undefined>(
    { env: 'REVERSE_SPEC_MODEL_KEY', value: text, fallback: undefined, secret: true },
    'API key for `REVERSE_SPEC_MODEL_URL`, if it requires one.',
    { envAliases: ['OPENAI_API_KEY'] },
  ),
  price: setting<string | undefined>(
    { env: 'REVERSE_SPEC_PRICE', flag: 'price', value: pricePair, fallback: undefined },
    'US dollars per million tokens of input and output, such as `3/15`, for `--dry-run` and `--max-cost`.',
    { fallbackText: "Anthropic's list price of November 2026 if it lists the model, otherwise unset" },
  ),
  model: setting(
    { env: 'REVERSE_SPEC_MODEL', flag: 'model', value: text, fallback: 'claude-sonnet-5-5' },
    'Model that writes the prose of a spec.',
  ),
  language: setting<'zh' | 'en' | 'fr' | undefined>(
    { env: 'REVERSE_SPEC_LANG', flag: 'lang', value: oneOf(['zh', 'en', 'fr']), fallback: undefined },
    'Language of the documents and of all messages.',
    {
      fallbackText:
        'the language of the existing document; for new documents and messages, Chinese over MCP and the language of the locale (`LANG`) on the command line',
    },
  ),
  granularity: setting(
    { env: 'REVERSE_SPEC_GRANULARITY', value: oneOf(['package', 'folder', 'file']), fallback: 'package' },
    'Subject of one document of `batch`. A package is a folder with a manifest, or a package of Go, Java or Kotlin. A large package is divided by its folders; a small folder is described with the folder above it.',
    { flag: 'granularity' },
  ),
  baseline: setting(
    { env: 'REVERSE_SPEC_BASELINE', flag: 'baseline', value: oneOf(['side', 'embedded']), fallback: 'side' },
    'Place of the skeletons with which `diff` compares: files in `.baseline/` beside the documents (`side`), or the documents (`embedded`).',
  ),
  outputDir: setting(
    { env: 'REVERSE_SPEC_OUTPUT_DIR', flag: 'output-dir', value: text, fallback: 'specs' },
    'Directory for specs. It is relative to the working directory; for `batch`, to the project.',
  ),
  cacheDir: setting(
    { env: 'REVERSE_SPEC_CACHE_DIR', flag: 'cache-dir', value: path, fallback: defaultCacheDir },
    'Directory that caches the facts of unchanged files, without secrets and without source text.',
    { fallbackText: 'the user cache directory (`~/.cache/secateur/skeletons` on Linux)' },
  ),
  tokenBudget: setting(
    { env: 'REVERSE_SPEC_TOKEN_BUDGET', value: integer({ min: 1000, max: 10_000_000 }), fallback: 100_000 },
    'Maximum tokens of one prompt context. Code snippets are left out first, and the skeleton never.',
    { flag: 'token-budget' },
  ),
  maxFileBytes: setting(
    {
      env: 'REVERSE_SPEC_MAX_FILE_BYTES',
      value: integer({ min: 1024, max: 1_073_741_824 }),
      fallback: 1_048_576,
    },
    'Maximum bytes of a file. Larger files are skipped and listed.',
  ),
  include: setting<readonly string[]>(
    { env: 'REVERSE_SPEC_INCLUDE', flag: 'include', value: globList, fallback: [] },
    'Globs of the files to read, separated by commas. Matching files are treated as sources even if they are tests, examples, generated or vendored.',
    { fallbackText: 'all files that git lists' },
  ),
  exclude: setting<readonly string[]>(
    { env: 'REVERSE_SPEC_EXCLUDE', flag: 'exclude', value: globList, fallback: [], project: true },
    'Globs of files that are never read, separated by commas. A glob without a slash matches names in any folder.',
    { fallbackText: 'none' },
  ),
  concurrency: setting(
    { env: 'REVERSE_SPEC_CONCURRENCY', value: integer({ min: 1, max: 64 }), fallback: 3 },
    'Number of modules that `batch` writes concurrently.',
    { flag: 'concurrency' },
  ),
};

function defaultCacheDir({ env, homeDir, platform }: LaunchContext): string {
  const base = env.XDG_CACHE_HOME || cacheHome(homeDir, platform, env.LOCALAPPDATA);
  return join(base, 'secateur', 'skeletons');
}

function cacheHome(homeDir: string, platform: NodeJS.Platform, localAppData: string | undefined): string {
  if (platform === 'darwin') return join(homeDir, 'Library', 'Caches');
  if (platform === 'win32') return localAppData ?? join(homeDir, 'AppData', 'Local');
  return join(homeDir, '.cache');
}
