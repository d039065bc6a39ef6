import { join } from 'node:path';
import { type Fields, isFields } from '@secateur/base/text/json.ts';
import type { LaunchContext } from '@secateur/serving/config/values.ts';
import { shellLine } from '../own-program.ts';
import { OWN_NAME } from './clients.ts';
import { clientFolder, hooksFileOf } from './hooks-file.ts';
import { appendValue, parsedObject, removeValue, setValue, type Texts, undoValue } from './pending-edits.ts';
import type { WholeRequest } from './plan.ts';

/**
 * Permission rules of a client. Some allow an agent to recover lines without asking the user (A14). Rules
 * that deny commands do not apply to the tools of an MCP server (A13).
 */
interface ClientRules {
  /** File to which the rules are added, in the client's folder. */
  readonly file: string;
  /** Adds missing rules to a settings text; returns the new text and the added rules. */
  add(text: string, request: WholeRequest, path: string): { text: string; rules: readonly string[] };
  remove(text: string, request: WholeRequest, before: string): string;
  /** Returns the files that may contain deny rules of this client. */
  denials?(cwd: string, folder: string): readonly string[];
}

const TOOL = 'recover_text';

/** Matches Sécateur's rule for `secateur recover`, with any path of the program. The group contains the path. */
const OWN_RULE = /^(?:Bash\()?([^)]{0,500}\bsecateur(?:\.js)?"?) recover(?::\*\)| \*)$/;

function recoverLine({ program }: WholeRequest): string {
  return shellLine([...program, 'recover']);
}

/** Whether a rule of Sécateur has another path of the program than `wanted`. */
function isStale(rule: string, wanted: string): boolean {
  return rule !== wanted && (OWN_RULE.exec(rule)?.[1]?.includes('/') ?? false);
}

const OWN_TOOL = `mcp__${OWN_NAME}__${TOOL}`;
const PLUGIN_TOOL = `mcp__plugin_${OWN_NAME}_${OWN_NAME}__${TOOL}`;

const ALLOW = ['permissions', 'allow'];

const claudeCode: ClientRules = {
  file: 'settings.json',
  add: (text, request, path) => {
    const command = `Bash(${recoverLine(request)}:*)`;
    const rules = [hasPlugin(request) ? PLUGIN_TOOL : OWN_TOOL, command];
    const start = text.trim() === '' ? '{}\n' : text;
    const clean = withoutRules(start, path, { isGone: (rule) => isStale(rule, command), before: start });
    const added = rules.filter((rule) => !allowedIn(clean, path).includes(rule));
    return { rules: added, text: added.reduce((each, rule) => appendValue(each, ALLOW, rule), clean) };
  },
  remove: (text, _, before) => {
    const isOwn = (rule: string) => OWN_RULE.test(rule) || [OWN_TOOL, PLUGIN_TOOL].includes(rule);
    const old = allowedIn(before, 'before');
    return withoutRules(text, 'text', { isGone: (rule) => isOwn(rule) && !old.includes(rule), before });
  },
};

function allowedIn(text: string, path: string): readonly string[] {
  const { permissions } = parsedObject(text, path);
  const allow: unknown = isFields(permissions) ? permissions.allow : undefined;
  return Array.isArray(allow) ? allow.map(String) : [];
}

function withoutRules(
  text: string,
  path: string,
  { isGone, before }: { isGone: (rule: string) => boolean; before: string },
): string {
  return allowedIn(text, path).reduceRight(
    (each, rule, at) => (isGone(rule) ? removeValue(each, [...ALLOW, at], before) : each),
    text,
  );
}

/** Codex. The entry of its server contains the rule for recover_text; rules for commands are in other files. */
const codex: ClientRules = {
  file: 'rules/secateur.rules',
  add: (text, request) => {
    const words = [...request.program, 'recover'];
    const rule = `prefix_rule(pattern=${JSON.stringify(words)}, decision="allow")`;
    const whole = `# Written by \`secateur connect codex\`; --undo removes it. Lets the agent get removed lines back.\n${rule}\n`;
    return { text: whole, rules: text === whole ? [] : [rule] };
  },
  remove: () => '',
};

/** opencode. It allows commands by default, so rules are added only if others make it ask. */
const opencode: ClientRules = {
  file: 'opencode.json',
  add: (text, request, path) => {
    const { permission } = parsedObject(text, path);
    const rules: Fields = isFields(permission) ? permission : { '*': permission };
    const { '*': others, bash = others } = rules;
    const shell: Fields = isFields(bash) ? bash : { '*': bash };
    const pattern = `${recoverLine(request)} *`;
    const isAsked = others === 'ask' && rules[OPENCODE_TOOL] === undefined;
    const isShellAsked = (shell['*'] ?? others) === 'ask' && shell[pattern] === undefined;
    const added = [...(isAsked ? [[OPENCODE_TOOL]] : []), ...(isShellAsked ? [['bash', pattern]] : [])];
    if (added.length === 0) return { text, rules: [] };
    const stale = Object.keys(isFields(bash) ? bash : {}).filter((key) => isStale(key, pattern));
    const fresh = stale.reduce((each, key) => removeValue(each, [...SHELL, key], each), text);
    const start = isFields(permission) ? fresh : setValue(text, ['permission'], rules);
    const base = isShellAsked && !isFields(bash) ? setValue(start, SHELL, shell) : start;
    return {
      text: added.reduce((each, at) => setValue(each, ['permission', ...at], 'allow'), base),
      rules: added.map((at) => `${at.join(' ')}: allow`),
    };
  },
  remove: (text, request, before) => {
    const { permission } = parsedObject(before, '');
    const hasPatterns = isFields(permission) && isFields(permission.bash);
    const patterns = hasPatterns ? [`${recoverLine(request)} *`] : [];
    const bare = undoValue(text, ['permission', OPENCODE_TOOL], before);
    return undoValue(bare, [...SHELL, ...patterns], before);
  },
  denials: (...folders) =>
    folders.flatMap((folder) => ['opencode.json', 'opencode.jsonc'].map((name) => join(folder, name))),
};

const SHELL = ['permission', 'bash'];

const OPENCODE_TOOL = `${OWN_NAME}_${TOOL}`;

/** Copilot CLI. It asks about commands per project, and a program cannot add rules to its settings. */
const copilotCli: ClientRules = {
  file: 'settings.json',
  add: (text) => ({ text, rules: [] }),
  remove: (text) => text,
  denials: (cwd, folder) => [
    ...['settings.json', 'config.json'].map((name) => join(folder, name)),
    ...['settings.json', 'settings.local.json'].map((name) => join(cwd, '.github/copilot', name)),
  ],
};

const RULES: Readonly<Record<string, ClientRules>> = {
  'claude-code': claudeCode,
  codex,
  opencode,
  'copilot-cli': copilotCli,
};

/** Whether a plugin of the client already provides the hooks and recover_text. */
export function hasPlugin({ client, origin }: Pick<WholeRequest, 'client' | 'origin'>): boolean {
  return hooksFileOf(client.name, origin)?.client.installation.pluginCommand?.(origin) !== undefined;
}

export function addRules(request: WholeRequest, texts: Texts): readonly string[] {
  const { client, origin } = request;
  const rules = RULES[client.name];
  const path = rulesFile(client.name, origin);
  if (rules === undefined || path === undefined) return [];
  const added = rules.add(texts.get(path), request, path);
  if (added.rules.length > 0) texts.set(path, added.text);
  return added.rules;
}

/** Whether the client's rules file contains the rules of Sécateur. */
export function hasRules(client: string, texts: Texts, origin: LaunchContext): boolean {
  const path = rulesFile(client, origin);
  return path !== undefined && /\brecover(?:_text)?\b/.test(texts.before(path) ?? '');
}

export function rulesFile(client: string, origin: LaunchContext): string | undefined {
  const rules = RULES[client];
  return rules && join(clientFolder(client, origin), rules.file);
}

export function removeRules(
  request: WholeRequest,
  path: string,
  { text, before }: { text: string; before: string },
): string {
  const { client, origin } = request;
  if (rulesFile(client.name, origin) !== path) return text;
  return RULES[client.name]?.remove(text, request, before) ?? text;
}

/** Returns a deny rule in the client's settings, and its file. `undefined` if there is no such rule. */
export function denyRule({ client, origin }: WholeRequest, texts: Texts): string | undefined {
  for (const path of RULES[client.name]?.denials?.(origin.cwd, clientFolder(client.name, origin)) ?? []) {
    const text = texts.before(path);
    const rule = text === undefined ? undefined : denialIn(parsedObject(text, path));
    if (rule !== undefined) return `${rule} in ${path}`;
  }
  return undefined;
}

/** Returns a deny rule in settings of opencode or Copilot CLI, whose keys do not overlap. */
function denialIn({ permission, agent, tools, permissions, ...others }: Fields): string | undefined {
  const { excludedTools, deniedTools, deniedUrls } = others;
  const off = Object.entries(isFields(tools) ? tools : {}).find(([, isOn]) => isOn === false);
  const denied = isFields(permissions) ? permissions.deny : undefined;
  const lists = { 'permissions.deny': denied, excludedTools, deniedTools, deniedUrls };
  const listed = Object.entries(lists).find(([, list]) => Array.isArray(list) && list.length > 0);
  return denyIn({ permission, agent }) ?? (off === undefined ? listed?.[0] : `tools.${off[0]}`);
}

function denyIn(value: unknown, path: readonly string[] = []): string | undefined {
  if (value === 'deny') return path.join('.');
  if (!isFields(value)) return undefined;
  const found = Object.entries(value).map(([key, each]) => denyIn(each, [...path, key]));
  return found.find((each) => each !== undefined);
}
