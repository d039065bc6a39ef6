import { HTTP_LIMITS } from '@secateur/base/runtime/http-limits.ts';
import { setting } from '../setting.ts';
import { addressList, hostList, integer, milliseconds, oneOf, onOff, text } from '../values.ts';

export const wireSettings = {
  allowRemote: setting({
    env: 'SECATEUR_ALLOW_REMOTE',
    flag: 'allow-remote',
    value: onOff,
    fallback: false,
    doc: 'Lets a server listen on an address other machines reach; needs a token and `SECATEUR_TLS_TERMINATED`.',
  }),
  tlsTerminated: setting({
    env: 'SECATEUR_TLS_TERMINATED',
    flag: 'tls-terminated',
    value: onOff,
    fallback: false,
    doc: 'Declares that a proxy in front of the servers speaks TLS; without it none listens beyond loopback.',
  }),
  trustedProxies: setting<readonly string[]>({
    env: 'SECATEUR_TRUSTED_PROXIES',
    value: addressList,
    fallback: [],
    fallbackText: 'none',
    doc: 'Addresses or networks (`10.0.0.0/8`) of proxies whose `X-Forwarded-For` is believed.',
  }),
  closeGraceMs: setting({
    env: 'SECATEUR_SHUTDOWN_TIMEOUT_MS',
    value: milliseconds,
    fallback: HTTP_LIMITS.closeGraceMs,
    doc: 'How long running calls may take to finish when a server is stopped.',
  }),
  drainMs: setting({
    env: 'SECATEUR_SHUTDOWN_DELAY_MS',
    value: integer({ min: 0, max: 600_000 }),
    fallback: 0,
    doc: 'How long `GET /ready` answers 503 before the listener closes: what a load balancer needs to notice.',
  }),
  bearerToken: setting<string | undefined>({
    env: 'SECATEUR_BEARER_TOKEN',
    value: text,
    fallback: undefined,
    secret: true,
    doc: 'When set, every request must carry it as `Authorization: Bearer …`.',
  }),
  allowedHosts: setting<readonly string[]>({
    env: 'SECATEUR_ALLOWED_HOSTS',
    flag: 'allowed-hosts',
    value: hostList,
    fallback: [],
    fallbackText: 'none',
    doc: 'Further names that the Host and Origin headers of a request may carry, beside loopback ones; without ports.',
  }),
  maxBodyBytes: setting({
    env: 'SECATEUR_MAX_BODY_BYTES',
    flag: 'max-body-bytes',
    value: integer({ min: 1024, max: 1_073_741_824 }),
    fallback: HTTP_LIMITS.maxBodyBytes,
    doc: 'Larger requests are refused with 413. The pruner accepts at least 32 MiB and four bytes per character of `MCP_PRUNER_MAX_INPUT_CHARS`, up to `SECATEUR_MAX_HELD_BYTES`.',
  }),
  loopbackUsers: setting({
    env: 'SECATEUR_LOOPBACK_USERS',
    value: oneOf(['own', 'any']),
    fallback: 'own',
    doc: 'Which accounts of this machine may call without a token: `own` is the one the server runs as (told by the kernel on Linux; elsewhere the focus tools of `up` ask for the token in the data directory’s `focus-token`), `any` is everybody.',
  }),
  maxCalls: setting({
    env: 'SECATEUR_MAX_CALLS',
    value: integer({ min: 1, max: 100_000 }),
    fallback: HTTP_LIMITS.maxCalls,
    doc: 'Calls a server answers at once; more get 503 with `Retry-After`. Health checks are always answered; the pruner takes 64 at most.',
  }),
  maxClientCalls: setting({
    env: 'SECATEUR_MAX_CALLS_PER_CLIENT',
    value: integer({ min: 1, max: 100_000 }),
    fallback: HTTP_LIMITS.maxClientCalls,
    doc: 'Calls of one other machine at once; more get 429 with `Retry-After`.',
  }),
  maxHeldBytes: setting({
    env: 'SECATEUR_MAX_HELD_BYTES',
    value: integer({ min: 1_048_576, max: Number.MAX_SAFE_INTEGER }),
    fallback: HTTP_LIMITS.maxHeldBytes,
    doc: 'Bytes of requests under way and of answers not yet taken; beyond it new calls get 503 with `Retry-After`.',
  }),
  writeTimeoutMs: setting({
    env: 'SECATEUR_WRITE_TIMEOUT_MS',
    value: integer({ min: 100, max: 3_600_000 }),
    fallback: HTTP_LIMITS.writeTimeoutMs,
    doc: 'Milliseconds a client may leave its answer untaken before its connection is closed.',
  }),
};
