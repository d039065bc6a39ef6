import { setting } from '../setting.ts';
import { host, integer, milliseconds, onOff, port } from '../values.ts';
import { defaultUpstreams, upstreamTables } from './gateway-upstreams.ts';

const anyInteger = integer({ min: -1 });
const size = integer({ min: 0 });

export const gatewaySettings = {
  host: setting(
    { env: 'MCP_GATEWAY_HOST', flag: 'host', listening: true, value: host, fallback: '127.0.0.1' },
    'Address the gateway listens on.',
  ),
  port: setting(
    { env: 'MCP_GATEWAY_PORT', flag: 'port', listening: true, value: port, fallback: 8000 },
    'Port the gateway listens on; 0 chooses a free port.',
  ),
  connectTimeoutMs: setting(
    { env: 'MCP_GATEWAY_CONNECT_TIMEOUT_MS', value: milliseconds, fallback: 5000 },
    'Timeout for connecting to an upstream, in milliseconds.',
  ),
  timeoutMs: setting(
    { env: 'MCP_GATEWAY_TIMEOUT_MS', value: milliseconds, fallback: 30_000 },
    'Timeout of a whole call, in milliseconds.',
  ),
  maxChars: setting(
    { env: 'MCP_GATEWAY_MAX_CHARS', flag: 'max-chars', value: anyInteger, fallback: 4000 },
    'Maximum characters of a string in results; longer strings are masked. 0 or less switches masking off.',
  ),
  headChars: setting(
    { env: 'MCP_GATEWAY_HEAD_CHARS', value: size, fallback: 2000 },
    'Characters kept at the start of a masked string.',
  ),
  tailChars: setting(
    { env: 'MCP_GATEWAY_TAIL_CHARS', value: size, fallback: 2000 },
    'Characters kept at the end of a masked string.',
  ),
  maxMediaBytes: setting(
    { env: 'MCP_GATEWAY_MAX_MEDIA_BYTES', value: anyInteger, fallback: 1_048_576 },
    'Maximum bytes of an image or audio that is returned unchanged; larger ones are replaced by a text. 0 masks their base64 like any string.',
  ),
  maxResultChars: setting(
    { env: 'MCP_GATEWAY_MAX_RESULT_CHARS', value: anyInteger, fallback: 40_000 },
    'Maximum characters of a result; a larger one keeps only the first and last elements of its longest arrays. 0 or less switches this off.',
  ),
  injectRecoverTool: setting(
    { env: 'MCP_GATEWAY_INJECT_RECOVER_TOOL', value: onOff, fallback: true },
    "Adds `recover_text` to every upstream's tools, so that agents can recover masked text.",
  ),
  pruneBeforeMask: setting(
    { env: 'MCP_GATEWAY_PRUNE_BEFORE_MASK', value: onOff, fallback: false },
    "Prunes long texts with a goal taken from the call's arguments, before masking strings that are still too long.",
  ),
  maxResponseBytes: setting(
    { env: 'MCP_GATEWAY_MAX_RESPONSE_BYTES', value: integer({ min: 1024 }), fallback: 67_108_864 },
    'Maximum bytes of a response of an upstream; a larger one causes the error `response_too_large`.',
  ),
  maxProcesses: setting(
    { env: 'MCP_GATEWAY_MAX_PROCESSES', value: integer({ min: 1, max: 1000 }), fallback: 8 },
    'Maximum number of processes of one stdio server. Each user has separate processes, shared by clients with the same handshake.',
  ),
  breakerFailures: setting(
    { env: 'MCP_GATEWAY_BREAKER_FAILURES', value: integer({ min: 1, max: 1_000_000 }), fallback: 5 },
    'Number of consecutive transport failures after which an upstream is not called for a while.',
  ),
  breakerCooldownMs: setting(
    { env: 'MCP_GATEWAY_BREAKER_COOLDOWN_MS', value: milliseconds, fallback: 30_000 },
    'Milliseconds for which a failing upstream is not called; then one call probes it.',
  ),
  servers: setting(
    { toml: 'mcp_gateway.servers', value: upstreamTables, fallback: defaultUpstreams },
    'The upstream servers: one table `[mcp_gateway.servers.<name>]` per server, added to the default ones.',
    {
      fallbackText: Object.entries(defaultUpstreams)
        .map(([name, { url }]) => `\`${name}\` → ${url}`)
        .join(', '),
    },
  ),
};
