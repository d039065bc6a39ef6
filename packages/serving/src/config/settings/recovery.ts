import { join } from 'node:path';
import type { Origin } from '../origin.ts';
import { setting } from '../setting.ts';
import { integer, oneOf, path, text, url } from '../values.ts';

export const recoverySettings = {
  store: setting({
    env: 'SECATEUR_STORE',
    flag: 'store',
    value: oneOf(['memory', 'embedded', 'redis']),
    fallback: 'memory',
    fallbackText: '`memory` for a bare server, `embedded` for `up`, `prune`, `recover`, `forget`',
    doc: 'Where removed text is remembered: `memory` forgets when the process ends, `embedded` keeps it in the data directory, `redis` shares it between servers.',
  }),
  dataDir: setting({
    env: 'SECATEUR_DATA_DIR',
    flag: 'data-dir',
    value: path,
    fallback: defaultDataDir,
    fallbackText: 'the user data directory (`~/.local/share/secateur` on Linux)',
    doc: 'Holds the embedded store, the savings ledger, and the state and log of `up`.',
  }),
  tokensFile: setting<string | undefined>({
    env: 'SECATEUR_TOKENS_FILE',
    value: path,
    fallback: undefined,
    fallbackText: '`tokens.json` in the data directory',
    doc: 'The named tokens (`secateur token add`). Where the file exists every request needs one of them.',
  }),
  redisUrl: setting({
    env: 'SECATEUR_REDIS_URL',
    flag: 'redis-url',
    value: url('redis:', 'rediss:', 'redis+sentinel:', 'redis+cluster:'),
    fallback: 'redis://127.0.0.1:6379',
    doc: 'The server of the `redis` store; TLS as `rediss://`, an ACL user as `redis://user:password@host`, Sentinel as `redis+sentinel://host:26379/master`, a cluster as `redis+cluster://host:6379`, further nodes as `?node=host:port`.',
  }),
  redisPrefix: setting({
    env: 'SECATEUR_REDIS_PREFIX',
    value: text,
    fallback: 'secateur:',
    doc: 'Prefix of every key in Redis; all an ACL has to allow.',
  }),
  ttlS: setting<number | undefined>({
    env: 'MCP_PRUNER_PRUNE_ID_TTL_S',
    flag: 'ttl-s',
    value: integer({ min: 1, max: 315_360_000 }),
    fallback: undefined,
    fallbackText: '600 in memory, 604800 (a week) in the other stores',
    doc: 'Seconds for which a removed text can be recovered; pruning it again starts them again.',
  }),
  maxBytes: setting({
    env: 'SECATEUR_STORE_MAX_BYTES',
    value: integer({ min: 1_048_576, max: Number.MAX_SAFE_INTEGER }),
    fallback: 268_435_456,
    doc: 'Bytes the memory and embedded stores may hold (embedded: on the disk, compressed); the texts that expire first are deleted first. Of several processes that use one data directory the largest bound holds, until `secateur forget --all`.',
  }),
  maxRecoveredBytes: setting({
    env: 'SECATEUR_RECOVER_MAX_BYTES',
    value: integer({ min: 1024, max: 268_435_456 }),
    fallback: 4_194_304,
    doc: 'Bytes of text one `recover_text` call gives back; for more, ask for fewer lines at a time.',
  }),
};

function defaultDataDir({ env, homeDir, platform }: Origin): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homeDir, 'AppData', 'Local'), 'secateur');
  if (platform === 'darwin') return join(homeDir, 'Library', 'Application Support', 'secateur');
  return join(env.XDG_DATA_HOME ?? join(homeDir, '.local', 'share'), 'secateur');
}
