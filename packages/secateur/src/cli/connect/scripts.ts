import { join } from 'node:path';
import type { Origin } from '@secateur/serving/config/origin.ts';
import type { HookClient } from '../../servers/hooks/client.ts';
import { quoted, shellLine } from '../own-program.ts';
import { hookScript, installedProgram } from './hook-script.ts';
import { prefixScript } from './shell-prefix.ts';

/** A script of ours in a client's own folder: it exists as long as the settings that name it. */
export interface ClientScript {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

export interface ScriptOwner {
  readonly client: HookClient;
  readonly origin: Origin;
  /** Program and script of this executable; empty if they are not known. */
  readonly self: readonly string[];
}

/** Lists the scripts of a client; none on Windows, which may have no shell for them. */
export function scriptsOf({ client, origin, self }: ScriptOwner): readonly ClientScript[] {
  if (origin.platform === 'win32') return [];
  const program = installedProgram(self);
  const prefix = prefixPathOf({ client, origin });
  return [
    { path: hookPath({ client, origin }), text: hookScript(program), mode: 0o700 },
    ...(prefix === undefined ? [] : [{ path: prefix, text: prefixScript(program), mode: 0o700 }]),
  ];
}

/** Returns the shell line that a client runs for an event. Without the script it still answers "no change". */
export function hookCommand(
  { client, origin }: Omit<ScriptOwner, 'self'>,
  program: readonly string[],
): string {
  if (origin.platform === 'win32') return shellLine([...program, 'hook', client.name]);
  return `sh ${quoted(hookPath({ client, origin }))} ${client.name} || echo {}`;
}

/** Recognises the shell lines of this version and of those before it. */
export const OWN_COMMAND =
  /\bsecateur\b.{0,500}\bhook(?: [a-z-]{1,60}|\.sh["']? [a-z-]{1,60} \|\| echo \{\})$/;

function hookPath({ client, origin }: Omit<ScriptOwner, 'self'>): string {
  return join(client.installation.folder(origin), 'secateur', 'hook.sh');
}

/** Returns the path of the script for failing commands (A11), if the client needs one; Linux only. */
export function prefixPathOf({ client, origin }: Omit<ScriptOwner, 'self'>): string | undefined {
  if (client.installation.prefixVariable === undefined || origin.platform !== 'linux') return undefined;
  return join(client.installation.folder(origin), 'secateur', 'shell-prefix.sh');
}

export function isScript(path: string, { client }: Pick<ScriptOwner, 'client'>, origin: Origin): boolean {
  return scriptsOf({ client, origin, self: [] }).some((script) => script.path === path);
}
