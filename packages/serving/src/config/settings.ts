import type { SettingTable, ValuesOf } from './setting.ts';
import { auditSettings } from './settings/audit.ts';
import { focusSettings } from './settings/focus.ts';
import { gatewaySettings } from './settings/gateway.ts';
import { hookSettings } from './settings/hook.ts';
import { prunerSettings } from './settings/pruner.ts';
import { recoverySettings } from './settings/recovery.ts';
import { reverseSpecSettings } from './settings/reverse-spec.ts';
import { upSettings } from './settings/up.ts';
import { wireSettings } from './settings/wire.ts';

/** Every setting of the product. The parser, `--help` and `docs/configuration.md` come from these rows. */
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
