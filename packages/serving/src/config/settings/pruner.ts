import { setting } from '../setting.ts';
import {
  count,
  decimal,
  host,
  integer,
  lenient,
  milliseconds,
  oneOf,
  port,
  someOf,
  text,
  webUrl,
} from '../values.ts';

/** All rules that may remove lines. A test compares this list with that of the engine. */
export const RULE_NAMES = [
  'passed-tests',
  'progress',
  'repeated-lines',
  'identical-lines',
  'library-frames',
  'licence-header',
  'long-lines',
  'unrelated-units',
  'oversized-rows',
  'record-fields',
  'diff-parts',
  'shown-before',
] as const;

export const prunerSettings = {
  host: setting(
    { env: 'MCP_PRUNER_HOST', flag: 'host', listening: true, value: host, fallback: '127.0.0.1' },
    'Address the pruner listens on.',
  ),
  port: setting(
    { env: 'MCP_PRUNER_PORT', flag: 'port', listening: true, value: port, fallback: 8006 },
    'Port the pruner listens on; 0 chooses a free port.',
  ),
  maxInputChars: setting(
    { env: 'MCP_PRUNER_MAX_INPUT_CHARS', value: integer({ min: 1 }), fallback: 2_097_152 },
    'Maximum characters of a text; longer ones are returned unchanged with `used_fallback` and the warning `input_too_large`.',
    { flag: 'max-input-chars' },
  ),
  minChars: setting(
    { env: 'SECATEUR_MIN_CHARS', toml: 'mcp_pruner.min_chars', project: true, value: count, fallback: 1000 },
    'Outputs with fewer characters are returned unchanged (command line, focus tools, hooks, gateway; not `prune_text`).',
    { envAliases: ['SECATEUR_LEAST_CHARS'], tomlAliases: ['mcp_pruner.least_chars'] },
  ),
  minSavedTokens: setting(
    { env: 'SECATEUR_MIN_SAVED_TOKENS', project: true, value: count, fallback: 60 },
    'Outputs for which pruning would save fewer tokens are returned unchanged (command line, focus tools, hooks, gateway; not `prune_text`).',
    {
      envAliases: ['SECATEUR_LEAST_SAVED_TOKENS'],
      tomlAliases: ['mcp_pruner.least_saved_tokens'],
      toml: 'mcp_pruner.min_saved_tokens',
    },
  ),
  minSavedShare: setting(
    { env: 'SECATEUR_MIN_SAVED_SHARE', project: true, value: decimal, fallback: 0.2 },
    'Outputs for which pruning would save a smaller share of their tokens are returned unchanged (command line, focus tools, hooks, gateway; not `prune_text`).',
    {
      envAliases: ['SECATEUR_LEAST_SAVED_SHARE'],
      tomlAliases: ['mcp_pruner.least_saved_share'],
      toml: 'mcp_pruner.min_saved_share',
    },
  ),
  maxUnchangedChars: setting(
    { env: 'SECATEUR_MAX_UNCHANGED_CHARS', value: count, fallback: 16_000 },
    'Maximum characters of data and of outputs of precise requests (line ranges, searches, listings, scripts) that hooks return unchanged. It is doubled if the request asks for all of something.',
    { toml: 'mcp_pruner.max_unchanged_chars' },
  ),
  minDumpChars: setting(
    { env: 'SECATEUR_MIN_DUMP_CHARS', toml: 'mcp_pruner.min_dump_chars', value: count, fallback: 6000 },
    'Maximum characters of whole files, documents and pages that hooks return unchanged.',
  ),
  maxDiffChars: setting(
    { env: 'SECATEUR_MAX_DIFF_CHARS', toml: 'mcp_pruner.max_diff_chars', value: count, fallback: 20_000 },
    'Maximum characters of diffs and patches that hooks return unchanged; longer ones lose whole files, hunks or commits.',
  ),
  disabledRules: setting<readonly (typeof RULE_NAMES)[number][]>(
    { env: 'SECATEUR_DISABLED_RULES', value: someOf(RULE_NAMES), fallback: [] },
    'Rules that hooks, focus tools and gateway do not apply, by the names that `secateur explain` shows.',
    { fallbackText: 'none', toml: 'mcp_pruner.disabled_rules' },
  ),
  structure: setting(
    { env: 'MCP_PRUNER_STRUCTURE', value: oneOf(['by-need', 'all']), fallback: 'by-need' },
    'For a `max_prune_ratio` above .6: `by-need` keeps declarations, imports and headings only if kept lines need them, `all` keeps all of them.',
  ),
  backend: setting(
    {
      env: 'KIMI_PRUNING_BACKEND',
      value: lenient(oneOf(['heuristic', 'deepinfra'], { cloud: 'deepinfra' })),
      fallback: 'heuristic',
    },
    'Backend that scores lines: `heuristic` runs on this machine, `deepinfra` (alias `cloud`) sends lines to DeepInfra. Another value is ignored.',
    { toml: 'mcp_pruner.backend', flag: 'backend' },
  ),
  cacheTtlS: setting(
    { env: 'MCP_PRUNER_CACHE_TTL_S', value: count, fallback: 30 },
    'Seconds for which the DeepInfra scores of a text and goal are reused, whatever the other options of a call are. 0 switches the cache off.',
  ),
  cacheMaxItems: setting(
    { env: 'MCP_PRUNER_CACHE_MAX_ITEMS', toml: 'mcp_pruner.cache_max_entries', value: count, fallback: 256 },
    'Maximum number of texts and goals whose DeepInfra scores are cached in memory; the `redis` store is limited only by the time to live.',
    { envAliases: ['MCP_PRUNER_CACHE_MAX_ENTRIES'], tomlAliases: ['mcp_pruner.cache_max_items'] },
  ),
  deepinfraApiKey: setting<string | undefined>(
    { env: 'DEEPINFRA_API_KEY', value: text, fallback: undefined, secret: true },
    'API key of the DeepInfra backend.',
    { toml: 'mcp_pruner.deepinfra_api_key' },
  ),
  deepinfraEndpointUrl: setting(
    {
      env: 'DEEPINFRA_ENDPOINT_URL',
      value: webUrl,
      fallback: 'https://api.deepinfra.com/v1/inference/Qwen/Qwen3-Reranker-0.6B',
    },
    'URL to which the DeepInfra backend sends lines.',
    { toml: 'mcp_pruner.deepinfra_endpoint_url' },
  ),
  deepinfraTimeoutMs: setting(
    { env: 'DEEPINFRA_TIMEOUT_MS', value: milliseconds, fallback: 20_000 },
    'Timeout of one DeepInfra call, in milliseconds.',
    { toml: 'mcp_pruner.deepinfra_timeout_ms' },
  ),
  deepinfraMaxDocs: setting(
    { env: 'DEEPINFRA_MAX_DOCS', value: integer({ min: 1 }), fallback: 64 },
    'Maximum number of lines per DeepInfra call; the local scorer chooses them and scores the rest.',
    { toml: 'mcp_pruner.deepinfra_max_docs' },
  ),
};
