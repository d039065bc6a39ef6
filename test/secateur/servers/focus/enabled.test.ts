import { expect, it } from 'vitest';
import { loadConfig } from '../../../../packages/serving/src/config/load.ts';

function enabled(value?: string): boolean {
  const env = value === undefined ? {} : { JEEVES_MCP_PRUNER_ENABLED: value };
  const origin = { env, cwd: '/', platform: 'linux', homeDir: '/' } as const;
  return loadConfig(['focus'], { origin, flags: new Map() }).config.focus.enabled;
}

it('`enabled` returns true for 1, true, yes and on, and false for other values [FV1]', () => {
  for (const value of ['1', 'true', 'yes', 'on', 'TRUE']) expect(enabled(value), value).toBe(true);
  for (const value of ['0', 'false', 'no', 'off', 'maybe', '2', undefined])
    expect(enabled(value), value).toBe(false);
});
