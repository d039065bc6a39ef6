import { setting } from '../setting.ts';
import { hostList, integer, onOff, text } from '../values.ts';

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
};
