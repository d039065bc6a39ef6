import { relative, resolve } from 'node:path';
import { matcherOf } from '@secateur/base/text/glob.ts';
import { pipelinesOf, withoutPrefix } from '@secateur/base/text/shell-words.ts';
import type { ToolCall } from './client.ts';
import type { HookSettings } from './hook.ts';

/** Sécateur's own tools, by any name a client or a plugin gives their server, and its own commands. */
const OWN_TOOL = /^(?:mcp__)?(?:plugin_)?secateur[-_]|(?:^|[-_])(?:recover_text|recover_range|prune_text)$/;
const OWN_COMMAND = /\bsecateur(?:\.js)?['"]?\s+(?:recover|prune|run)\b/;
const RAW_COMMAND = /\bsecateur(?:\.js)?['"]?\s+raw\b/;

/** Whether an output is our own: cut already, or recovered, which has its own entry in the ledger. */
export function isOwnOutput({ tool, source }: Pick<ToolCall, 'tool' | 'source'>): boolean {
  return OWN_TOOL.test(tool) || (source.kind === 'command' && OWN_COMMAND.test(source.command));
}

/** Whether a call must not be cut: it is run by `secateur raw`, or the settings exclude its command or a file that it names. */
export function isExcluded(
  call: ToolCall,
  { exclude, excludeCommands }: Pick<HookSettings, 'exclude' | 'excludeCommands'>,
): boolean {
  const { source, path } = call;
  if (source.kind === 'command' && RAW_COMMAND.test(source.command)) return true;
  if (exclude.length + excludeCommands.length === 0) return false;
  const programs = source.kind === 'command' ? pipelinesOf(source.command).flat() : [];
  const lines = programs.map((words) => withoutPrefix(words).join(' '));
  if (excludeCommands.some((pattern) => lines.some((line) => beginsLike(line, pattern)))) return true;
  const named = [source.kind === 'file' ? source.path : undefined, path, ...programs.flat().flatMap(pathsIn)];
  return named.some((each) => each !== undefined && matchesAnyGlob(each, exclude, call));
}

/** Paths that a word of a command may name: `a.sql`, `--schema=a.sql`, `HEAD:a.sql`. */
function pathsIn(word: string): string[] {
  return word.split(/[=:]/).filter((part) => part !== '' && !part.startsWith('-'));
}

/**
 * Returns whether a command begins like a pattern; `*` matches any text: `npm run lint`, `terraform * plan`.
 */
function beginsLike(command: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.trim().split('*');
  if (!command.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = command.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  // A pattern ends with a word: `npm test` does not mean `npm test-all`.
  return pattern.endsWith('*') || at === command.length || command.charAt(at) === ' ';
}

/** Whether one of the globs matches a file: by its whole path, or by its path from the working directory. */
export function matchesAnyGlob(
  path: string,
  globs: readonly string[],
  { cwd }: Pick<ToolCall, 'cwd'>,
): boolean {
  const whole = path.startsWith('/') ? path.slice(1) : path;
  return globs.some((glob) => {
    const matches = matcherOf(glob);
    return matches(whole) || (cwd !== undefined && matches(relative(cwd, resolve(cwd, path))));
  });
}
