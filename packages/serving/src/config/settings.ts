import type { Setting, SettingTable, ValuesOf } from './setting.ts';
import { auditSettings } from './settings/audit.ts';
import { focusSettings } from './settings/focus.ts';
import { gatewaySettings } from './settings/gateway.ts';
import { hookSettings } from './settings/hook.ts';
import { prunerSettings } from './settings/pruner.ts';
import { recoverySettings } from './settings/recovery.ts';
import { reverseSpecSettings } from './settings/reverse-spec.ts';
import { upSettings, wireSettings } from './settings/wire.ts';
import type { Environment } from './values.ts';

/** All settings. The parser, `--help` and `docs/configuration.md` are generated from these rows. */
export const settings = {
  pruner: prunerSettings,
  focus: focusSettings,
  gateway: gatewaySettings,
  hook: hookSettings,
  reverseSpec: reverseSpecSettings,
  recovery: recoverySettings,
  wire: wireSettings,
  audit: auditSettings,
  up: upSettings,
} satisfies Record<string, SettingTable>;

export type SectionName = keyof typeof settings;

export type Config = { readonly [Section in SectionName]: ValuesOf<(typeof settings)[Section]> };

/** Prefixes of variables of Sécateur, including variables that this version does not know. */
const OWN = 'SECATEUR_ JEEVES_PRUNER_ JEEVES_MCP_PRUNER_ MCP_PRUNER_ MCP_GATEWAY_ REVERSE_SPEC_';
const PREFIXES = OWN.split(' ');

/**
 * Returns the environment without settings, tokens and addresses of Sécateur, for upstream servers and other
 * programs. A server that needs such a variable gets it from its table in the settings.
 */
export function withoutOwnVariables(env: Environment): Environment {
  const rows = Object.values(settings).flatMap((section) => Object.values<Setting<unknown>>(section));
  // Includes variables that other programs use too, such as `OPENAI_API_KEY`.
  const own = new Set(rows.flatMap((row) => [row.env, ...(row.envAliases ?? [])]));
  const isOwn = (name: string) =>
    name === 'SECATEUR' || own.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOwn(name.toUpperCase())));
}
