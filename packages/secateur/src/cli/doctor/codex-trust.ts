import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type Fields, isFields } from '@secateur/base/text/json-value.ts';
import { tryParseToml } from '@secateur/serving/config/config-file.ts';
import { parsedObject } from '../connect/jsonc.ts';
import { readClientFile } from '../connect/texts.ts';

/**
 * Lists the events whose hooks in Codex's `hooks.json` are skipped: their user has not trusted them with `/hooks`, or
 * they have changed since. Codex keeps a hash of each trusted hook in its `config.toml`.
 */
export function untrustedEvents(hooksPath: string, isOwn: (command: string) => boolean): readonly string[] {
  const config = tryParseToml(readClientFile(join(dirname(hooksPath), 'config.toml')) ?? '');
  const hooks = config instanceof Error ? undefined : config.hooks;
  const trusted = isFields(hooks) && isFields(hooks.state) ? hooks.state : {};
  const listed = parsedObject(readClientFile(hooksPath) ?? '', hooksPath).hooks;
  return Object.entries(isFields(listed) ? listed : {}).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group: unknown, at) => {
      const hook = isFields(group) && Array.isArray(group.hooks) ? (group.hooks[0] as unknown) : undefined;
      if (!isFields(group) || !isFields(hook) || !isOwn(String(hook.command))) return [];
      const name = event.replaceAll(/(?<=[a-z])([A-Z])/g, '_$1').toLowerCase();
      const state = trusted[`${hooksPath}:${name}:${at}:0`];
      return isFields(state) && state.trusted_hash === hashOf(name, group, hook) ? [] : [event];
    }),
  );
}

/** As Codex 0.166 computes it: SHA-256 of compact JSON with sorted keys. */
function hashOf(event_name: string, { matcher }: Fields, { command, timeout, type }: Fields): string {
  const hooks = [{ async: false, command, timeout, type }];
  const identity = JSON.stringify({ event_name, hooks, matcher });
  return `sha256:${createHash('sha256').update(identity).digest('hex')}`;
}
