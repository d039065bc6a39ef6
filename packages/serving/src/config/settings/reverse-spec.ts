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
    'Key of the model that writes the prose of a spec; without it only `--ast-only` works.',
    { toml: 'reverse_spec.anthropic_api_key' },
  ),
  anthropicBaseUrl: setting<string | undefined>(
    { env: 'ANTHROPIC_BASE_URL', value: webUrl, fallback: undefined },
    'Where the Messages API answers.',
    { fallbackText: "Anthropic's own", toml: 'reverse_spec.anthropic_base_url' },
  ),
  modelUrl: setting<string | undefined>(
    { env: 'REVERSE_SPEC_MODEL_URL', flag: 'model-url', value: webUrl, fallback: undefined },
    'An endpoint that speaks chat completions (`…/v1`): it writes the prose instead of Anthropic.',
  ),
  modelKey: setting<string | undefined>(
    { env: 'REVERSE_SPEC_MODEL_KEY', value: text, fallback: undefined, secret: true },
    'Key for `REVERSE_SPEC_MODEL_URL`, where it wants one.',
    { envAliases: ['OPENAI_API_KEY'] },
  ),
  price: setting<string | undefined>(
    { env: 'REVERSE_SPEC_PRICE', flag: 'price', value: pricePair, fallback: undefined },
    'US dollars a million tokens of input and output, as `3/15`: for `--dry-run` and `--max-cost`.',
    { fallbackText: "Anthropic's list price of November 2026 where it lists the model, else unset" },
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
        'the language the document has already; for new ones and for messages Chinese over MCP, and on the command line that of the locale (`LANG`)',
    },
  ),
  granularity: setting(
    { env: 'REVERSE_SPEC_GRANULARITY', value: oneOf(['package', 'folder', 'file']), fallback: 'package' },
    'What one document of `batch` is about. A package is a folder with a manifest or a Go, Java or Kotlin package; large ones are cut at their folders, small folders are told with the one above.',
    { flag: 'granularity' },
  ),
  baseline: setting(
    { env: 'REVERSE_SPEC_BASELINE', flag: 'baseline', value: oneOf(['side', 'embedded']), fallback: 'side' },
    'Where the skeletons `diff` compares with are kept: `.baseline/` beside the documents, or inside them.',
  ),
  outputDir: setting(
    { env: 'REVERSE_SPEC_OUTPUT_DIR', flag: 'output-dir', value: text, fallback: 'specs' },
    'Where specs are written; relative to the working directory, for `batch` to the project.',
  ),
  cacheDir: setting(
    { env: 'REVERSE_SPEC_CACHE_DIR', flag: 'cache-dir', value: path, fallback: defaultCacheDir },
    'Keeps what was read of unchanged files, without secrets and without source text.',
    { fallbackText: 'the user cache directory (`~/.cache/secateur/skeletons` on Linux)' },
  ),
  tokenBudget: setting(
    { env: 'REVERSE_SPEC_TOKEN_BUDGET', value: integer({ min: 1000, max: 10_000_000 }), fallback: 100_000 },
    'Tokens one context may hold; code snippets go first, the skeleton never.',
    { flag: 'token-budget' },
  ),
  maxFileBytes: setting(
    {
      env: 'REVERSE_SPEC_MAX_FILE_BYTES',
      value: integer({ min: 1024, max: 1_073_741_824 }),
      fallback: 1_048_576,
    },
    'Larger files are skipped and listed.',
  ),
  include: setting<readonly string[]>(
    { env: 'REVERSE_SPEC_INCLUDE', flag: 'include', value: globList, fallback: [] },
    'Globs of the only files to read, commas between; what they name is a module even if it is a test, an example, generated or vendored.',
    { fallbackText: 'everything git knows' },
  ),
  exclude: setting<readonly string[]>(
    { env: 'REVERSE_SPEC_EXCLUDE', flag: 'exclude', value: globList, fallback: [], project: true },
    'Globs of files that are never read, commas between; a glob without a slash means names in any folder.',
    { fallbackText: 'nothing' },
  ),
  concurrency: setting(
    { env: 'REVERSE_SPEC_CONCURRENCY', value: integer({ min: 1, max: 64 }), fallback: 3 },
    'Modules `batch` writes at the same time.',
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
