import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '@secateur/base/runtime/open-regular-file.ts';
import { type Fields, isFields, parsedFields } from '@secateur/base/text/json-value.ts';
import type { Origin } from '@secateur/serving/config/origin.ts';
import { textAt } from '../../client.ts';

/** The shell line of our hook where the plugin brings it, and nothing where it is not installed or switched off. */
export function pluginCommand({ env, homeDir }: Origin): string | undefined {
  const folder = env.CLAUDE_CONFIG_DIR ?? join(homeDir, '.claude');
  const { enabledPlugins } = jsonIn(join(folder, 'settings.json'));
  const { plugins } = jsonIn(join(folder, 'plugins/installed_plugins.json'));
  const names = Object.entries(isFields(enabledPlugins) ? enabledPlugins : {}).filter(
    ([, isOn]) => isOn === true,
  );
  const name = names.map(([each]) => each).find((each) => each.startsWith('secateur@'));
  const found = name !== undefined && isFields(plugins) ? plugins[name] : undefined;
  const newest: unknown = Array.isArray(found) ? found.at(-1) : undefined;
  const path = isFields(newest) ? textAt(newest, 'installPath') : undefined;
  if (path === undefined) return undefined;
  const script = join(path, 'hook.sh');
  // A plugin of an earlier version has none.
  if (!existsSync(script)) return `node ${JSON.stringify(join(path, 'launch.mjs'))} hook claude-code`;
  return `sh ${JSON.stringify(script)} claude-code`;
}

const MAX_SETTINGS_BYTES = 16 * 1024 * 1024;

function jsonIn(path: string): Fields {
  const file = readRegularFile(path, { maxBytes: MAX_SETTINGS_BYTES, followLinks: true });
  return file.kind === 'read' ? (parsedFields(file.bytes.toString('utf8')) ?? {}) : {};
}
