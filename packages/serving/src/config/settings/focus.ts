import { setting } from '../setting.ts';
import {
  existingDirectory,
  integer,
  lenientBoolean,
  loopbackHost,
  oneOf,
  port,
  urlOrWord,
} from '../values.ts';

export const focusSettings = {
  enabled: setting(
    { env: 'JEEVES_MCP_PRUNER_ENABLED', value: lenientBoolean, fallback: false, errorCode: 'config_invalid' },
    'Whether the runner starts the focus tools for an agent run; an unknown value counts as false.',
  ),
  host: setting(
    { env: 'JEEVES_MCP_PRUNER_HOST', flag: 'host', value: loopbackHost, fallback: '127.0.0.1' },
    'Address the focus tools listen on.',
    { errorCode: 'invalid_host', listening: true },
  ),
  port: setting(
    { env: 'JEEVES_MCP_PRUNER_PORT', flag: 'port', listening: true, value: port, fallback: 0 },
    'Port the focus tools listen on; 0 chooses a free port. `secateur up` uses 8008.',
    { errorCode: 'invalid_port' },
  ),
  rootDir: setting(
    { env: 'JEEVES_MCP_PRUNER_ROOT_DIR', value: existingDirectory, fallback: (origin) => origin.cwd },
    'The only directory `read`, `bash` and `grep` work in.',
    { fallbackText: 'the working directory', errorCode: 'invalid_root_dir', flag: 'root' },
  ),
  logFormat: setting(
    { env: 'JEEVES_MCP_PRUNER_LOG_FORMAT', value: oneOf(['json', 'text']), fallback: 'json' },
    'Format of events: one JSON object per line, or text for people.',
    { errorCode: 'invalid_log_format', flag: 'log-format' },
  ),
  answer: setting(
    { env: 'JEEVES_MCP_PRUNER_ANSWER', flag: 'answer', value: oneOf(['both', 'text']), fallback: 'both' },
    'Content of results: `both` is text and structured content, `text` is text only, which costs 4 to 18 % fewer tokens in clients that show structured content (Claude Code, Codex).',
    { fallbackText: '`text`; `both` for `jeeves-mcp-pruner`', errorCode: 'invalid_answer' },
  ),
  prunerEndpoint: setting<string | undefined>(
    { env: 'JEEVES_PRUNER_ENDPOINT', value: urlOrWord('embedded'), fallback: undefined },
    'Pruner for calls with a focus question: a URL, or `embedded` for the engine in this process.',
    {
      fallbackText: '`embedded`; unset for `jeeves-mcp-pruner`: output is never pruned',
      errorCode: 'invalid_pruner_endpoint',
      toml: 'mcp_focus.pruner_endpoint',
      flag: 'pruner-endpoint',
    },
  ),
  prunerTimeoutMs: setting(
    { env: 'JEEVES_PRUNER_TIMEOUT_MS', value: integer({ min: 100, max: 30_000 }), fallback: 2000 },
    'Timeout for pruning one output, in milliseconds; after it the raw output is returned.',
    { errorCode: 'invalid_timeout_ms', toml: 'mcp_focus.pruner_timeout_ms' },
  ),
  maxPruneInputBytes: setting(
    {
      env: 'JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES',
      value: integer({ min: 1024, max: 2_097_152 }),
      fallback: 262_144,
    },
    'Maximum bytes of an output that is pruned; larger ones are returned raw.',
    {
      fallbackText:
        'none for the embedded engine of `secateur`; 262144 for a URL and for `jeeves-mcp-pruner`',
      errorCode: 'invalid_max_prune_input_bytes',
    },
  ),
};
