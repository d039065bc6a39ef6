import { setting } from '../setting.ts';
import { integer } from '../values.ts';

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
