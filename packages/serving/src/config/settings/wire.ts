import { HTTP_LIMITS } from '@secateur/base/runtime/http-limits.ts';
import { setting } from '../setting.ts';
import { addressList, hostList, integer, milliseconds, oneOf, onOff, text } from '../values.ts';

export const wireSettings = {
  allowRemote: setting(
    { env: 'SECATEUR_ALLOW_REMOTE', flag: 'allow-remote', value: onOff, fallback: false },
    'Allows a server to listen on an address that other machines can reach; needs a token and `SECATEUR_TLS_TERMINATED`.',
  ),
  tlsTerminated: setting(
    { env: 'SECATEUR_TLS_TERMINATED', flag: 'tls-terminated', value: onOff, fallback: false },
    'Declares that a proxy in front of the servers terminates TLS; without it servers listen on loopback only.',
  ),
  trustedProxies: setting<readonly string[]>(
    { env: 'SECATEUR_TRUSTED_PROXIES', value: addressList, fallback: [], fallbackText: 'none' },
    'Addresses or networks (`10.0.0.0/8`) of proxies whose `X-Forwarded-For` is trusted.',
  ),
  closeGraceMs: setting(
    { env: 'SECATEUR_SHUTDOWN_TIMEOUT_MS', value: milliseconds, fallback: HTTP_LIMITS.closeGraceMs },
    'Milliseconds that running calls have to finish when a server is stopped.',
  ),
  drainMs: setting(
    { env: 'SECATEUR_SHUTDOWN_DELAY_MS', value: integer({ min: 0, max: 600_000 }), fallback: 0 },
    'Milliseconds for which `GET /ready` answers 503 before the listener closes, so that a load balancer sends no more calls.',
  ),
  bearerToken: setting<string | undefined>(
    { env: 'SECATEUR_BEARER_TOKEN', value: text, fallback: undefined, secret: true },
    'Token that every request must send as `Authorization: Bearer …`.',
  ),
  allowedHosts: setting<readonly string[]>(
    { env: 'SECATEUR_ALLOWED_HOSTS', flag: 'allowed-hosts', value: hostList, fallback: [] },
    'Host names accepted in the Host and Origin headers besides loopback names; without ports.',
    { fallbackText: 'none' },
  ),
  maxBodyBytes: setting(
    {
      env: 'SECATEUR_MAX_BODY_BYTES',
      value: integer({ min: 1024, max: 1_073_741_824 }),
      fallback: HTTP_LIMITS.maxBodyBytes,
    },
    'Maximum bytes of a request; larger ones are refused with 413. The pruner accepts at least 32 MiB and four bytes per character of `MCP_PRUNER_MAX_INPUT_CHARS`, up to `SECATEUR_MAX_HELD_BYTES`.',
    { flag: 'max-body-bytes' },
  ),
  loopbackUsers: setting(
    { env: 'SECATEUR_LOOPBACK_USERS', value: oneOf(['own', 'any']), fallback: 'own' },
    'Local users that may call without a token. `own`: the user that runs the server (checked on Linux; on other systems the focus tools of `up` require the token in `focus-token` in the data directory). `any`: all users.',
  ),
  maxCalls: setting(
    { env: 'SECATEUR_MAX_CALLS', value: integer({ min: 1, max: 100_000 }), fallback: HTTP_LIMITS.maxCalls },
    'Maximum number of concurrent calls of a server; more get 503 with `Retry-After`. Health checks are always answered; the pruner accepts at most 64.',
  ),
  maxClientCalls: setting(
    {
      env: 'SECATEUR_MAX_CALLS_PER_CLIENT',
      value: integer({ min: 1, max: 100_000 }),
      fallback: HTTP_LIMITS.maxClientCalls,
    },
    'Maximum number of concurrent calls of one other machine; more get 429 with `Retry-After`.',
  ),
  maxHeldBytes: setting(
    {
      env: 'SECATEUR_MAX_HELD_BYTES',
      value: integer({ min: 1_048_576 }),
      fallback: HTTP_LIMITS.maxHeldBytes,
    },
    'Maximum bytes of running requests and unread responses; above it new calls get 503 with `Retry-After`.',
  ),
  writeTimeoutMs: setting(
    {
      env: 'SECATEUR_WRITE_TIMEOUT_MS',
      value: integer({ min: 100, max: 3_600_000 }),
      fallback: HTTP_LIMITS.writeTimeoutMs,
    },
    'Milliseconds after which the connection of a client that does not read its response is closed.',
  ),
};

export const upSettings = {
  readyTimeoutMs: setting(
    { env: 'SECATEUR_READY_TIMEOUT_MS', value: integer({ min: 100, max: 600_000 }), fallback: 12_000 },
    'Milliseconds for which `up --detach` waits until the servers answer.',
    { flag: 'ready-timeout-ms' },
  ),
  stopTimeoutMs: setting(
    { env: 'SECATEUR_STOP_TIMEOUT_MS', value: integer({ min: 100, max: 600_000 }), fallback: 5000 },
    'Milliseconds for which `stop` waits before it sends SIGKILL.',
    { flag: 'stop-timeout-ms' },
  ),
};
