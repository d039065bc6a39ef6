import { type Fields, isFields } from '@secateur/base/text/json.ts';
import type { Origin as TextOrigin } from '@secateur/engine/request.ts';
import type { LaunchContext } from '@secateur/serving/config/values.ts';
import {
  type ClientFolders,
  type ClientHome,
  type EventFiles,
  sentEntries,
  type TranscriptEntry,
} from './transcript.ts';

/** Reads a client's events and writes our answers to it. */
export interface EventReader {
  readonly name: string;
  /** Reads what an event asks of us; `undefined` if it does not concern us or its format is unknown. */
  read(event: Fields, files: EventFiles): Promise<HookEvent | undefined>;
  /** Reads one line of its transcript. */
  readEntry(line: Fields): readonly TranscriptEntry[];
  /** The folders in which this client keeps its files; without it an event has no file opened. */
  folders?(home: ClientHome): ClientFolders;
  /**
   * Whether its transcript says which outputs the client still sends to the model: compactions, cleared results and times.
   * Without it no output counts as shown before (P52).
   */
  readonly tellsWhatIsShown?: boolean;
  /** The tool that gives lines back in this client, beside the command in a shell. */
  readonly recoverTool?: string;
  /** Whether the client asks its user before it runs `secateur recover`, with every rule that `connect` can add. */
  readonly asksAboutCommands?: boolean;
  /** Further text on cut outputs for this client's agents, at the start of a session; no full stop. */
  readonly sessionNote?: string;
  /** Text for the user, shown by the client at the start of a session. */
  readonly userNote?: string;
}

/** One agent program with hooks: everything we know of them. */
export interface HookClient extends EventReader {
  readonly title: string;
  readonly installation: HookInstallation;
  /** Returns the origin of a call's output; without it a call with a command is a command. */
  originOf?(tool: string, input: Fields): TextOrigin;
  /** Outputs its hooks can replace; without it all. `note`: the limit in words, for `secateur replay`. */
  readonly replaces?: { test(tool: string, isError: boolean): boolean; readonly note: string };
  /** Returns the client's event for a command that printed `output`: `secateur doctor` tries it. */
  sample(output: string): HookSample;
  /**
   * Finds the call of a failed command, for clients that let no hook replace its output (A11): what to send to the hook
   * for its output. `undefined` if it is not a call that the agent waits for, such as a background task.
   */
  failedCommand?(
    command: FailedCommand,
    home: ClientHome,
  ): Promise<((output: string) => HookSample) | undefined>;
}

export interface HookInstallation {
  file(origin: LaunchContext): string;
  /** The client's own folder of settings: scripts that they name are installed below it. */
  folder(origin: LaunchContext): string;
  /** The variable in the client's settings that names a program for every command line. */
  readonly prefixVariable?: string;
  /** Groups beside those of others in a file of the client's own, or a file of ours. */
  readonly form: HookGroups | HookFile;
  /** The shell line of our hook where a plugin of the client brings it. */
  pluginCommand?(origin: LaunchContext): string | undefined;
  /** Steps the user still has to take so that the hooks run. */
  readonly advice?: string;
}

/** Groups as Claude Code made them customary: which calls of its tools our hook wants to see. */
export interface HookGroups {
  readonly kind: 'groups';
  readonly matchers: { readonly PreToolUse: string; readonly PostToolUse: string };
  /** Whether its subagents learn what a marker is when they start. */
  readonly tellsSubagents?: boolean;
}

export interface HookFile {
  readonly kind: 'file';
  /** The file for a shell line that starts our hook. */
  write(command: string): string;
  /** The shell line in such a file. */
  commandIn(text: string): string | undefined;
}

/** A command that has failed, as the client started it. */
export interface FailedCommand {
  /** The file that the client reads the command's output from. */
  readonly path: string;
  /** The whole command line, with what the client puts around the agent's command. */
  readonly line: string;
  readonly cwd: string;
}

export interface HookSample {
  readonly event: Fields;
  /** Returns what the agent would read if the hook answered so. */
  shownIn(answer: Fields): unknown;
}

/** No change: the agent goes on as if we were not there. */
export const NO_CHANGE: Fields = Object.freeze({});

export type HookEvent = OutputEvent | WriteEvent | SessionEvent;

/** A tool has answered; the texts of its answer may be cut. */
export interface OutputEvent {
  readonly kind: 'output';
  readonly call: ToolCall;
  readonly texts: readonly string[];
  /** The user asked for a cut towards a goal. */
  readonly isExplicit?: boolean;
  /** Kept lines carry their own numbers: the client counts what it gets from 1. */
  readonly numbered?: boolean;
  /** The number that the first line of its text has in the file it was read from. */
  readonly firstLine?: number | undefined;
  /** Longer answers do not help: the client has a shorter way of its own. */
  readonly mostChars?: number;
  /** The client's answer with other texts in the places of `texts`. */
  replace(texts: readonly string[]): Fields;
}

/** A tool is about to write or to run what the agent gave it. */
export interface WriteEvent {
  readonly kind: 'write';
  readonly call: ToolCall;
  /** The arguments of the call: texts in them may end in a file or a shell. */
  readonly input: unknown;
  /** The file it would write, where it names one. */
  readonly path?: string | undefined;
  refuse(reason: string): Fields;
}

/** A session begins; the agent may get a message once. */
export interface SessionEvent {
  readonly kind: 'session';
  tell(message: string): Fields;
}

export interface ToolCall {
  /** As the client names it. */
  readonly tool: string;
  readonly id?: string | undefined;
  readonly source: TextOrigin;
  /** The file or folder that the call names. */
  readonly path?: string | undefined;
  /** The purpose of the call, as the agent states it. */
  readonly purpose?: string | undefined;
  /** The transcript of the session; a relative path is below the client's own folder. */
  readonly transcriptPath?: string | undefined;
  /** The messages before this call, if the event carries them. The transcript is then not read. */
  readonly entries?: readonly TranscriptEntry[] | undefined;
  readonly cwd?: string | undefined;
}

export function textAt(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  return typeof value === 'string' ? value : undefined;
}

/** The file a call names, by any of the names clients have for it. */
export function pathIn(input: unknown): string | undefined {
  if (!isFields(input)) return undefined;
  const names = ['file_path', 'filePath', 'notebook_path', 'path'];
  return names.map((name) => textAt(input, name)).find((path) => path !== undefined);
}

/** Differences between clients that name their events as Claude Code does. */
interface LifecycleDialect {
  callOf(event: Fields): ToolCall | undefined;
  /** Tools that write what they are given, or run it. */
  readonly writing: ReadonlySet<string>;
  outputEvent(call: ToolCall, event: Fields, files: EventFiles): Promise<HookEvent | undefined>;
  /** Its answers, where they differ from Claude Code's. */
  readonly answers?: { tell(message: string): Fields; refuse(reason: string): Fields };
}

/** Events `SessionStart`, `SubagentStart`, `PreToolUse` and `PostToolUse`, with the fields Claude Code made customary. */
export function lifecycleReader(dialect: LifecycleDialect): HookClient['read'] {
  const { callOf, writing, outputEvent, answers = { tell: tellAtStart('SessionStart'), refuse } } = dialect;
  return async (event, files) => {
    const name = textAt(event, 'hook_event_name');
    if (name === 'SessionStart') return { kind: 'session', tell: answers.tell };
    if (name === 'SubagentStart') return { kind: 'session', tell: tellAtStart('SubagentStart') };
    const read = callOf(event);
    if (read === undefined) return undefined;
    const { tool_input: input } = event;
    const call = { ...read, path: pathIn(input), entries: sentEntries(event) };
    if (name === 'PostToolUse') return outputEvent(call, event, files);
    if (name !== 'PreToolUse' || !(writing.has(call.tool) || MCP_TOOL.test(call.tool))) return undefined;
    return { kind: 'write', call, input, path: call.path, refuse: answers.refuse };
  };
}

/** `mcp__SERVER__TOOL`, or `SERVER-TOOL` in Copilot CLI: the guard looks at what such a call would write. */
const MCP_TOOL = /^mcp__|-/;

function tellAtStart(hookEventName: string): (message: string) => Fields {
  return (message) => ({ hookSpecificOutput: { hookEventName, additionalContext: message } });
}

/** The only decision ever made for the user is to refuse. */
function refuse(reason: string): Fields {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  };
}

/** A place of a text, or of a list of lines, in a JSON value. */
export interface Slot {
  readonly path: readonly (string | number)[];
  readonly isList?: boolean;
}

/** Returns the text of each slot; empty if it has none. */
export function readSlots(value: unknown, slots: readonly Slot[]): string[] {
  return slots.map(({ path, isList }) => {
    const found = path.reduce(stepInto, value);
    if (isList) return isTextList(found) ? found.join('\n') : '';
    return typeof found === 'string' ? found : '';
  });
}

/** Returns the value with other texts in its slots. Each list or object on the way is copied once, however many slots it has. */
export function replaceSlots(value: unknown, slots: readonly Slot[], texts: readonly string[]): unknown {
  const root: Container = { value };
  const copies = new Set<unknown>();
  for (const [index, { path, isList }] of slots.entries()) {
    const text = texts[index] ?? '';
    const put = isList ? text.split('\n') : text;
    if (typeof [...path].reduce(stepInto, value) === typeof put)
      replace(root, ['value', ...path], { put, copies });
  }
  return root.value;
}

/** Returns every text inside a value, keys left out. */
export function textParts(value: unknown, found: string[] = []): string[] {
  if (typeof value === 'string') found.push(value);
  else if (Array.isArray(value)) for (const inner of value) textParts(inner, found);
  else if (isFields(value)) for (const inner of Object.values(value)) textParts(inner, found);
  return found;
}

function stepInto(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

type Container = Record<string | number, unknown>;

function replace(
  root: Container,
  path: readonly (string | number)[],
  { put, copies }: { put: unknown; copies: Set<unknown> },
): void {
  let container = root;
  for (const key of path.slice(0, -1)) {
    const inner = container[key];
    if (!copies.has(inner)) {
      container[key] = Array.isArray(inner) ? [...inner] : { ...(inner as object) };
      copies.add(container[key]);
    }
    container = container[key] as Container;
  }
  container[path.at(-1) ?? ''] = put;
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
