import { expect, it } from 'vitest';
import { settings, withoutOwnVariables } from '../../../packages/serving/src/config/settings.ts';

it('[X30] withoutOwnVariables removes all variables of the settings, their aliases, and unknown SECATEUR_ variables', () => {
  const rows = Object.values(settings).flatMap((section) => Object.values(section)) as {
    env?: string;
    envAliases?: readonly string[];
  }[];
  const names = rows.flatMap(({ env = '', envAliases = [] }) => [env, ...envAliases]).filter(Boolean);
  expect(names.length).toBeGreaterThan(50);
  const own = Object.fromEntries([...names, 'SECATEUR_NEWER', 'secateur_lower'].map((name) => [name, 'x']));
  const others = { PATH: '/bin', HOME: '/home/x', GITHUB_TOKEN: 'kept for a server that needs it' };
  expect(withoutOwnVariables({ ...own, ...others })).toEqual(others);
});
