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

/** Reads the hook events of a client and writes answers in its format. */
export interface EventReader {
  readonly name: string;
  /** Returns the request in an event. `undefined` if it does not concern Sécateur or its format is unknown. */
  read(event: Fields, files: EventFiles): Promise<HookEvent | undefined>;
  readEntry(line: Fields): readonly TranscriptEntry[];
  /** Returns the folders of this client's files. Default: none, so that no file named by an event is opened. */
  folders?(home: ClientHome): ClientFolders;
  /**
   * Whether the client's transcript shows which outputs it still sends to the model: compactions, cleared
   * results and times. Default: false, so that no output counts as shown before (P52).
   */
  readonly tellsWhatIsShown?: boolean;
  /** Name of this client's tool that recovers lines. Default: none, only the shell command. */
  readonly recoverTool?: string;
  /** Whether the client always asks its user before `secateur recover`, whatever rules `connect` adds. */
  readonly asksAboutCommands?: boolean;
  /** Text about cut outputs that agents get at the start of a session, without a full stop. */
  readonly sessionNote?: string;
  /** Text that the client shows its user at the start of a session. */
  readonly userNote?: string;
}

/** One agent program, with its hook events and its settings. */
export interface HookClient extends EventReader {
  readonly title: string;
  readonly installation: HookInstallation;
  /** Returns the origin of a call's output. Default: the command line in the call, if there is one. */
  originOf?(tool: string, input: Fields): TextOrigin;
  /** Selects the outputs that hooks can replace. Default: all. `note` describes the restriction. */
  readonly replaces?: { test(tool: string, isError: boolean): boolean; readonly note: string };
  /** Returns an event for a command that printed `output`. `secateur doctor` tests the hook with it. */
  sample(output: string): HookSample;
  /**
   * Finds the call of a failed command, for clients whose hooks cannot replace its output (A11). Returns the
   * input of a hook for this output. `undefined` if the agent does not wait for the call, as for a background
   * task.
   */
  failedCommand?(
    command: FailedCommand,
    home: ClientHome,
  ): Promise<((output: string) => HookSample) | undefined>;
}

export interface HookInstallation {
  file(origin: LaunchContext): string;
  /** Returns the client's own settings folder. The scripts that the settings name are installed in it. */
  folder(origin: LaunchContext): string;
  /** Name of the variable in the client's settings that sets a program to run every command line. */
  readonly prefixVariable?: string;
  /** Format of the hooks: groups in a file of the client, or a separate file. */
  readonly form: HookGroups | HookFile;
  /** Returns the shell line of the hook in a plugin of the client; `undefined` without such a plugin. */
  pluginCommand?(origin: LaunchContext): string | undefined;
  /** Steps that the user has to do before the hooks run. */
  readonly advice?: string;
}

/** Hook groups in the format of Claude Code. `matchers` select the tool calls for which the hook runs. */
export interface HookGroups {
  readonly kind: 'groups';
  readonly matchers: { readonly PreToolUse: string; readonly PostToolUse: string };
  /** Whether subagents get the explanation of markers when they start. Default: false. */
  readonly tellsSubagents?: boolean;
}

export interface HookFile {
  readonly kind: 'file';
  /** Returns the text of the hook file that runs the shell line `command`. */
  write(command: string): string;
  /** Matches the shell line in such a file. The group contains the line as JSON. */
  readonly command: RegExp;
}

/** A command that has failed, as the client started it. */
export interface FailedCommand {
  /** The file from which the client reads the output of the command. */
  readonly path: string;
  /** Whole command line, with everything that the client adds to the agent's command. */
  readonly line: string;
  readonly cwd: string;
}

export interface HookSample {
  readonly event: Fields;
  /** Returns the text that the agent reads after this answer of the hook. */
  shownIn(answer: Fields): unknown;
}

/** Answer of a hook that changes nothing. The agent continues as if there were no hook. */
export const NO_CHANGE: Fields = Object.freeze({});

export type HookEvent = OutputEvent | WriteEvent | SessionEvent;

/** A tool has returned an output whose texts may be cut. */
export interface OutputEvent {
  readonly kind: 'output';
  readonly call: ToolCall;
  readonly texts: readonly string[];
  /** Whether the user requested a cut with a goal. Default: false. */
  readonly isExplicit?: boolean;
  /** Whether kept lines are shown with their numbers. Set if the client numbers the lines of any text from 1. */
  readonly numbered?: boolean;
  /** Line number of the text's first line in its file. */
  readonly firstLine?: number | undefined;
  /** Maximum characters of an answer. The client itself shortens longer outputs. */
  readonly mostChars?: number;
  /** Returns the answer in the client's format, with the original texts replaced by `texts`. */
  replace(texts: readonly string[]): Fields;
}

/** A tool is about to write or run the arguments of a call. */
export interface WriteEvent {
  readonly kind: 'write';
  readonly call: ToolCall;
  /** Arguments of the call. Texts in them may be written to a file or run by a shell. */
  readonly input: unknown;
  /** File that the call would write; absent if the call names none. */
  readonly path?: string | undefined;
  refuse(reason: string): Fields;
}

/** A session begins, and the agent may get one message. */
export interface SessionEvent {
  readonly kind: 'session';
  tell(message: string): Fields;
}

export interface ToolCall {
  /** Name of the tool, as the client spells it. */
  readonly tool: string;
  readonly id?: string | undefined;
  readonly source: TextOrigin;
  /** File or folder that the call names; absent if it names none. */
  readonly path?: string | undefined;
  /** Purpose of the call in the agent's words; absent if it states none. */
  readonly purpose?: string | undefined;
  /** Path of the session's transcript. A relative path is in the client's own folder. */
  readonly transcriptPath?: string | undefined;
  /** Messages before this call, if the event contains them. The transcript is not read then. */
  readonly entries?: readonly TranscriptEntry[] | undefined;
  readonly cwd?: string | undefined;
}

export function textAt(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the file that a call names. Knows the arguments that clients use for files. */
export function pathIn(input: unknown): string | undefined {
  if (!isFields(input)) return undefined;
  const names = ['file_path', 'filePath', 'notebook_path', 'path'];
  return names.map((name) => textAt(input, name)).find((path) => path !== undefined);
}

/** Returns the origin of an output, by the common names of arguments. */
export function originIn(input: unknown): TextOrigin {
  if (!isFields(input)) return { kind: 'result' };
  const command = textAt(input, 'command') ?? textAt(input, 'cmd');
  if (command !== undefined) return { kind: 'command', command };
  const pattern = textAt(input, 'pattern') ?? textAt(input, 'regex');
  if (pattern !== undefined) return { kind: 'search', pattern };
  const path = pathIn(input);
  return path === undefined ? { kind: 'result' } : { kind: 'file', path };
}

/** Returns the call in an event with Claude Code's fields; `undefined` if tool or arguments are missing. */
export function callIn(
  event: Fields,
  sourceOf: (tool: string, input: Fields) => TextOrigin,
  transcriptOf: (event: Fields) => string | undefined,
): ToolCall | undefined {
  const tool = textAt(event, 'tool_name');
  const input = event.tool_input;
  if (tool === undefined || !isFields(input)) return undefined;
  return {
    tool,
    id: textAt(event, 'tool_use_id'),
    source: sourceOf(tool, input),
    purpose: textAt(input, 'description') ?? textAt(input, 'prompt'),
    transcriptPath: transcriptOf(event),
    cwd: textAt(event, 'cwd'),
  };
}

/** Returns the origin of an output, for clients whose shell and reading tool have these names. */
export function originNamed(
  input: Fields,
  { tool, shell, reader, path: key }: { tool: string; shell: string; reader: string; path: string },
): TextOrigin {
  const command = textAt(input, 'command');
  if (tool === shell && command !== undefined) return { kind: 'command', command };
  const path = textAt(input, key);
  if (tool === reader && path !== undefined) return { kind: 'file', path };
  const pattern = textAt(input, 'pattern');
  return pattern === undefined ? { kind: 'other' } : { kind: 'search', pattern };
}

/** Differences between the clients that use the event names of Claude Code. */
interface LifecycleDialect {
  callOf(event: Fields): ToolCall | undefined;
  /** Names of the tools that write or run their arguments. */
  readonly writing: ReadonlySet<string>;
  outputEvent(call: ToolCall, event: Fields, files: EventFiles): Promise<HookEvent | undefined>;
  /** Answers of the client, if they differ from those of Claude Code. */
  readonly answers?: { tell(message: string): Fields; refuse(reason: string): Fields };
}

/** Reads `SessionStart`, `SubagentStart`, `PreToolUse` and `PostToolUse` events with the fields of Claude Code. */
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

/** Matches names of MCP tools: `mcp__SERVER__TOOL`, or `SERVER-TOOL` in Copilot CLI. The write guard checks the texts of their calls. */
const MCP_TOOL = /^mcp__|-/;

function tellAtStart(hookEventName: string): (message: string) => Fields {
  return (message) => ({ hookSpecificOutput: { hookEventName, additionalContext: message } });
}

/** Denies a call. A hook never approves a call in place of the user. */
function refuse(reason: string): Fields {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  };
}

/** Path to a text, or to a list of lines, in a JSON value. */
export interface Slot {
  readonly path: readonly (string | number)[];
  readonly isList?: boolean;
}

/** Returns the text of each slot; empty if the value has no slot. */
export function readSlots(value: unknown, slots: readonly Slot[]): string[] {
  return slots.map(({ path, isList }) => {
    const found = path.reduce(stepInto, value);
    const texts: unknown = isList ? found : [found];
    const isText = Array.isArray(texts) && texts.every((text) => typeof text === 'string');
    return isText ? texts.join('\n') : '';
  });
}

/** Returns a copy of the value with new texts in its slots. Each container on their paths is copied once. */
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

/** Returns all strings in a value, except keys. */
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
