import type { Fields } from './json-members.ts';

/** Which calls of a client's tools our hook wants to see. */
export interface HookMatchers {
  readonly PreToolUse: string;
  readonly PostToolUse: string;
}

const TIMEOUT_S = 10;
const OWN_COMMAND = /\bsecateur\b.*\bhook [a-z-]+$/;

type Group = { readonly matcher?: string; readonly hooks: readonly Fields[] };

/** One group an event, in the shape Claude Code and Codex share. */
export function hookGroups(command: string, matchers: HookMatchers): Readonly<Record<string, Group>> {
  const hooks = [{ type: 'command', command, timeout: TIMEOUT_S }];
  return {
    SessionStart: { hooks },
    PreToolUse: { matcher: matchers.PreToolUse, hooks },
    PostToolUse: { matcher: matchers.PostToolUse, hooks },
  };
}

export function isOwnGroup(group: unknown): boolean {
  return JSON.stringify(group)
    .split('"')
    .some((text) => OWN_COMMAND.test(text));
}
