import { setting } from '../setting.ts';
import { integer } from '../values.ts';

export const upSettings = {
  readyTimeoutMs: setting({
    env: 'SECATEUR_READY_TIMEOUT_MS',
    flag: 'ready-timeout-ms',
    value: integer({ min: 100, max: 600_000 }),
    fallback: 12_000,
    doc: 'Milliseconds for which `up --detach` waits until the servers answer.',
  }),
  stopTimeoutMs: setting({
    env: 'SECATEUR_STOP_TIMEOUT_MS',
    flag: 'stop-timeout-ms',
    value: integer({ min: 100, max: 600_000 }),
    fallback: 5000,
    doc: 'Milliseconds for which `stop` waits before it sends SIGKILL.',
  }),
};
