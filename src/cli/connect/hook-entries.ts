import type { HookGroups } from '../../servers/hooks/client.ts';
import type { Fields } from '../../text/json-value.ts';
import { blankComments } from './json-comments.ts';

const TIMEOUT_S = 10;
const OWN_COMMAND = /\bsecateur\b.{0,500}\bhook [a-z-]{1,60}$/;

type Group = { readonly matcher?: string; readonly hooks: readonly Fields[] };

/** One group an event, in the shape Claude Code and Codex share. */
export function hookGroups(command: string, { matchers }: HookGroups): Readonly<Record<string, Group>> {
  const hooks = [{ type: 'command', command, timeout: TIMEOUT_S }];
  return {
    SessionStart: { hooks },
    PreToolUse: { matcher: matchers.PreToolUse, hooks },
    PostToolUse: { matcher: matchers.PostToolUse, hooks },
  };
}

export function isOwnGroup(group: unknown): boolean {
  return commandsIn(group).some((command) => OWN_COMMAND.test(command));
}

/** The commands of ours in a client's file of hooks; none in a file that cannot be read. */
export function ownCommands(text: string): string[] {
  try {
    return commandsIn(JSON.parse(blankComments(text))).filter((command) => OWN_COMMAND.test(command));
  } catch {
    return [];
  }
}

function commandsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'command' in value && typeof value.command === 'string' ? [value.command] : [];
  return [...own, ...Object.values(value).flatMap(commandsIn)];
}
