import { join } from 'node:path';
import { setting } from '../setting.ts';
import { integer, type LaunchContext, oneOf, path, text, url } from '../values.ts';

export const recoverySettings = {
  store: setting(
    { env: 'SECATEUR_STORE', value: oneOf(['memory', 'embedded', 'redis']), fallback: 'memory' },
    'Where removed text is stored: `memory` until the process ends, `embedded` in the data directory, `redis` shared between servers.',
    {
      fallbackText: '`memory` for a bare server, `embedded` for `up`, `prune`, `recover`, `forget`',
      flag: 'store',
    },
  ),
  dataDir: setting(
    { env: 'SECATEUR_DATA_DIR', flag: 'data-dir', value: path, fallback: defaultDataDir },
    'Directory of the embedded store, the savings ledger, and the state and log of `up`.',
    { fallbackText: 'the user data directory (`~/.local/share/secateur` on Linux)' },
  ),
  tokensFile: setting<string | undefined>(
    { env: 'SECATEUR_TOKENS_FILE', value: path, fallback: undefined },
    'File of the named tokens (`secateur token add`). If it exists, every request needs one of them.',
    { fallbackText: '`tokens.json` in the data directory' },
  ),
  redisUrl: setting(
    {
      env: 'SECATEUR_REDIS_URL',
      value: url('redis:', 'rediss:', 'redis+sentinel:', 'redis+cluster:'),
      fallback: 'redis://127.0.0.1:6379',
    },
    'URL of the `redis` store; TLS as `rediss://`, an ACL user as `redis://user:password@host`, Sentinel as `redis+sentinel://host:26379/master`, a cluster as `redis+cluster://host:6379`, further nodes as `?node=host:port`.',
    { flag: 'redis-url' },
  ),
  redisPrefix: setting(
    { env: 'SECATEUR_REDIS_PREFIX', value: text, fallback: 'secateur:' },
    'Prefix of every key in Redis; an ACL has to allow only this prefix.',
  ),
  ttlS: setting<number | undefined>(
    { env: 'MCP_PRUNER_PRUNE_ID_TTL_S', value: integer({ min: 1, max: 315_360_000 }), fallback: undefined },
    'Seconds for which a removed text can be recovered; pruning it again restarts this time.',
    { fallbackText: '600 in memory, 604800 (a week) in the other stores', flag: 'ttl-s' },
  ),
  maxBytes: setting(
    { env: 'SECATEUR_STORE_MAX_BYTES', value: integer({ min: 1_048_576 }), fallback: 268_435_456 },
    'Maximum size of the memory and embedded stores in bytes (embedded: on the disk, compressed); the texts that expire first are deleted first. If several processes use one data directory, the largest limit applies until `secateur forget --all`.',
  ),
  maxRecoveredBytes: setting(
    {
      env: 'SECATEUR_RECOVER_MAX_BYTES',
      value: integer({ min: 1024, max: 268_435_456 }),
      fallback: 4_194_304,
    },
    'Maximum bytes of text per `recover_text` call; to recover more, request fewer lines per call.',
  ),
};

function defaultDataDir({ env, homeDir, platform }: LaunchContext): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homeDir, 'AppData', 'Local'), 'secateur');
  if (platform === 'darwin') return join(homeDir, 'Library', 'Application Support', 'secateur');
  return join(env.XDG_DATA_HOME ?? join(homeDir, '.local', 'share'), 'secateur');
}
