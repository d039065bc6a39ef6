import { setting } from '../setting.ts';
import { hostList, integer, oneOf, onOff, text } from '../values.ts';

export const wireSettings = {
  allowRemote: setting({
    env: 'SECATEUR_ALLOW_REMOTE',
    toml: 'secateur.allow_remote',
    flag: 'allow-remote',
    value: onOff,
    fallback: false,
    doc: 'Lets a server listen on an address other machines reach; needs `SECATEUR_BEARER_TOKEN`.',
  }),
  bearerToken: setting<string | undefined>({
    env: 'SECATEUR_BEARER_TOKEN',
    toml: 'secateur.bearer_token',
    value: text,
    fallback: undefined,
    secret: true,
    doc: 'When set, every request must carry it as `Authorization: Bearer …`.',
  }),
  allowedHosts: setting<readonly string[]>({
    env: 'SECATEUR_ALLOWED_HOSTS',
    toml: 'secateur.allowed_hosts',
    flag: 'allowed-hosts',
    value: hostList,
    fallback: [],
    fallbackText: 'none',
    doc: 'Further names that the Host and Origin headers of a request may carry, beside loopback ones; without ports.',
  }),
  maxBodyBytes: setting({
    env: 'SECATEUR_MAX_BODY_BYTES',
    toml: 'secateur.max_body_bytes',
    flag: 'max-body-bytes',
    value: integer({ min: 1024, max: 1_073_741_824 }),
    fallback: 16_777_216,
    doc: 'Larger requests are refused with 413.',
  }),
  loopbackUsers: setting({
    env: 'SECATEUR_LOOPBACK_USERS',
    toml: 'secateur.loopback_users',
    value: oneOf(['own', 'any']),
    fallback: 'own',
    doc: 'Which accounts of this machine may call without a token: `own` is the one the server runs as (told by the kernel on Linux; elsewhere set `SECATEUR_BEARER_TOKEN`), `any` is everybody.',
  }),
  maxCalls: setting({
    env: 'SECATEUR_MAX_CALLS',
    toml: 'secateur.max_calls',
    value: integer({ min: 1, max: 100_000 }),
    fallback: 128,
    doc: 'Calls a server answers at once; more get 503 with `Retry-After`. Health checks are always answered.',
  }),
  maxClientCalls: setting({
    env: 'SECATEUR_MAX_CALLS_PER_CLIENT',
    toml: 'secateur.max_calls_per_client',
    value: integer({ min: 1, max: 100_000 }),
    fallback: 64,
    doc: 'Calls of one other machine at once; more get 429 with `Retry-After`.',
  }),
  maxHeldBytes: setting({
    env: 'SECATEUR_MAX_HELD_BYTES',
    toml: 'secateur.max_held_bytes',
    value: integer({ min: 1_048_576, max: Number.MAX_SAFE_INTEGER }),
    fallback: 134_217_728,
    doc: 'Bytes of requests under way and of answers not yet taken; beyond it new calls get 503 with `Retry-After`.',
  }),
  writeTimeoutMs: setting({
    env: 'SECATEUR_WRITE_TIMEOUT_MS',
    toml: 'secateur.write_timeout_ms',
    value: integer({ min: 100, max: 3_600_000 }),
    fallback: 30_000,
    doc: 'Milliseconds a client may leave its answer untaken before its connection is closed.',
  }),
};
