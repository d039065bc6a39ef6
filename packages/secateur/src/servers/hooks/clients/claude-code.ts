import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '@secateur/base/runtime/bounded-reading.ts';
import { attempt } from '@secateur/base/runtime/domain-error.ts';
import { type Fields, isFields, parsedFields } from '@secateur/base/text/json.ts';
import type { Origin as TextOrigin } from '@secateur/engine/request.ts';
import type { LaunchContext } from '@secateur/serving/config/values.ts';
import {
  callIn,
  type HookClient,
  type HookEvent,
  type HookSample,
  lifecycleReader,
  readSlots,
  replaceSlots,
  type Slot,
  type ToolCall,
  textAt,
  textParts,
} from '../client.ts';
import type { ClientFolders, ClientHome, EventFiles, TranscriptEntry } from '../transcript.ts';
import { findWaitingCall } from './claude-code/failed-command.ts';

/** Returns the shell line of the hook in the plugin; `undefined` if the plugin is not installed and enabled. */
function pluginCommand({ env, homeDir }: LaunchContext): string | undefined {
  const folder = configFolder({ env, homeDir });
  const { enabledPlugins } = jsonIn(join(folder, 'settings.json'));
  const { plugins } = jsonIn(join(folder, 'plugins/installed_plugins.json'));
  const enabled = Object.entries(isFields(enabledPlugins) ? enabledPlugins : {});
  const [name] = enabled.find(([each, isOn]) => isOn === true && each.startsWith('secateur@')) ?? [];
  const found = name !== undefined && isFields(plugins) ? plugins[name] : undefined;
  const newest: unknown = Array.isArray(found) ? found.at(-1) : undefined;
  const path = isFields(newest) ? textAt(newest, 'installPath') : undefined;
  if (path === undefined) return undefined;
  return `sh ${JSON.stringify(join(path, 'hook.sh'))} claude-code`;
}

const MAX_SETTINGS_BYTES = 16 * 1024 * 1024;

function jsonIn(path: string): Fields {
  const file = readRegularFile(path, { maxBytes: MAX_SETTINGS_BYTES, followLinks: true });
  return file.kind === 'read' ? (parsedFields(file.bytes.toString('utf8')) ?? {}) : {};
}

/** Claude Code. The answers that it accepts were tested with the real program: `docs/decisions/90-hooks.md`. */
export const claudeCode: HookClient = {
  name: 'claude-code',
  title: 'Claude Code',
  read: lifecycleReader({
    callOf: (event) => callIn(event, sourceOf, transcriptOf),
    writing: new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'Bash', 'apply_patch']),
    outputEvent,
  }),
  readEntry,
  folders,
  tellsWhatIsShown: true,
  recoverTool: 'recover_text',
  installation: {
    file: (origin) => join(configFolder(origin), 'settings.json'),
    folder: configFolder,
    prefixVariable: 'CLAUDE_CODE_SHELL_PREFIX',
    form: {
      kind: 'groups',
      matchers: {
        PreToolUse: 'Edit|Write|MultiEdit|NotebookEdit|Bash|mcp__.*',
        PostToolUse: 'Bash|Read|Grep|Glob|WebFetch|Task|Agent|mcp__.*',
      },
      tellsSubagents: true,
    },
    pluginCommand,
  },
  originOf: sourceOf,
  replaces: {
    test: (tool, isError) => !isError && (tool.startsWith('mcp__') || Object.hasOwn(SLOTS, tool)),
    note: 'failing commands keep their whole output',
  },
  sample: (stdout) =>
    bashSample(stdout, {
      tool_use_id: 'sample',
      tool_input: { command: 'npm test', description: 'Find out why the retry test fails' },
    }),
  failedCommand: async (command, home) => {
    const [projects, tasks] = folders(home).outputs ?? [];
    if (projects === undefined || tasks === undefined) return undefined;
    const call = await findWaitingCall(command, { projects, tasks }, { readEntry });
    if (call === undefined) return undefined;
    const { id, input, transcriptPath, agentId } = call;
    const event = { tool_use_id: id, tool_input: input, transcript_path: transcriptPath, agent_id: agentId };
    return (stdout) => bashSample(stdout, { ...event, cwd: command.cwd });
  },
};

function bashSample(stdout: string, fields: Fields): HookSample {
  return {
    event: {
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_response: { stdout, stderr: '', interrupted: false, isImage: false },
      ...fields,
    },
    shownIn: ({ hookSpecificOutput }) =>
      readSlots(hookSpecificOutput, [{ path: ['updatedToolOutput', 'stdout'] }])[0] || undefined,
  };
}

function configFolder({ env, homeDir }: ClientHome): string {
  return env.CLAUDE_CONFIG_DIR ?? join(homeDir, '.claude');
}

/** Returns the client's folders: `projects` for transcripts and long results, and a temporary one for tasks. */
function folders(home: ClientHome): ClientFolders {
  const projects = join(configFolder(home), 'projects');
  const tasks = join(home.env.CLAUDE_CODE_TMPDIR ?? '/tmp', `claude-${process.getuid?.() ?? ''}`);
  return { transcripts: [projects], outputs: isOwnFolder(tasks) ? [projects, tasks] : [projects] };
}

/** Whether a folder belongs to this user. In a shared temporary folder, another user may have created it. */
function isOwnFolder(path: string): boolean {
  const found = attempt(() => lstatSync(path));
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}

/** Returns the path of the transcript. That of a subagent is beside that of the session. */
function transcriptOf(event: Fields): string | undefined {
  const session = textAt(event, 'transcript_path');
  const agent = textAt(event, 'agent_id');
  if (session === undefined || agent === undefined || !/^[\w-]+$/.test(agent)) return session;
  return join(session.replace(/\.jsonl$/, ''), 'subagents', `agent-${agent}.jsonl`);
}

function sourceOf(tool: string, input: Fields): TextOrigin {
  const command = textAt(input, 'command');
  if (tool === 'Bash' && command !== undefined) return { kind: 'command', command };
  const path = textAt(input, 'file_path');
  if (tool === 'Read' && path !== undefined)
    return { kind: 'file', path, isPart: input.offset !== undefined || input.limit !== undefined };
  const pattern = textAt(input, 'pattern');
  if ((tool === 'Grep' || tool === 'Glob') && pattern !== undefined) return { kind: 'search', pattern };
  return OTHER_ORIGINS[tool] ?? (tool.startsWith('mcp__') ? { kind: 'result' } : { kind: 'other' });
}

const OTHER_ORIGINS: Readonly<Record<string, TextOrigin>> = {
  WebFetch: { kind: 'page' },
  Task: { kind: 'report' },
  Agent: { kind: 'report' },
};

async function outputEvent(
  call: ToolCall,
  { tool_response: given }: Fields,
  files: EventFiles,
): Promise<HookEvent | undefined> {
  const response = call.tool === 'Bash' ? await withPersisted(given, files) : given;
  const slots = slotsOf(call.tool, response);
  if (slots.length === 0) return undefined;
  const wasPersisted = response !== given;
  return {
    kind: 'output',
    call,
    texts: readSlots(response, slots),
    ...(call.tool === 'Read' ? { numbered: true, firstLine: startLineOf(response) } : {}),
    ...(wasPersisted ? { mostChars: INLINE_CHARS } : {}),
    // Claude Code accepts an object with the fields of the response, and silently ignores a string.
    replace: (texts) => ({
      hookSpecificOutput: {
        hookEventName: 'PostToolUse',
        updatedToolOutput: replaceSlots(response, slots, texts),
      },
    }),
  };
}

/** Maximum characters of an output that Claude Code shows. Of a longer one it shows 2 kB, but it shows a hook's answer in full. */
const INLINE_CHARS = 30_000;
const MAX_PERSISTED_BYTES = 8 * 1024 * 1024;

/** Reads a long output from the file of Claude Code. The event contains only the beginning. */
async function withPersisted(response: unknown, files: EventFiles): Promise<unknown> {
  if (!isFields(response)) return response;
  const path = textAt(response, 'persistedOutputPath');
  if (path === undefined) return response;
  const file = files.openOutput(path);
  if (file === undefined) return undefined;
  try {
    if (file.size > MAX_PERSISTED_BYTES) return undefined;
    const stdout = (await file.readAt(0, file.size)).toString('utf8');
    const kept = Object.entries(response).filter(([key]) => !key.startsWith('persisted'));
    return { ...Object.fromEntries(kept), stdout };
  } finally {
    file.close();
  }
}

function slotsOf(tool: string, response: unknown): Slot[] {
  if (tool.startsWith('mcp__')) return partSlots(response);
  if (!isFields(response)) return [];
  return SLOTS[tool]?.(response) ?? [];
}

/** Functions that return the slots of the texts in a tool's response, by tool. Outputs of other built-in tools are not cut. */
const SLOTS: Readonly<Record<string, (response: Fields) => Slot[]>> = {
  Bash: ({ isImage }) => (isImage === true ? [] : [{ path: ['stdout'] }, { path: ['stderr'] }]),
  Read: (response) =>
    response.type === 'text' && startLineOf(response) !== undefined ? [{ path: ['file', 'content'] }] : [],
  Grep: ({ mode }) => [mode === 'content' ? { path: ['content'] } : { path: ['filenames'], isList: true }],
  Glob: () => [{ path: ['filenames'], isList: true }],
  WebFetch: () => [{ path: ['result'] }],
  Task: partSlots,
  Agent: partSlots,
};

/** Returns the slots in a string, in a list of content parts, or in an object with such a list. */
function partSlots(response: unknown): Slot[] {
  if (typeof response === 'string') return [{ path: [] }];
  const [parts, prefix] = isFields(response) ? [response.content, ['content']] : [response, []];
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part: unknown, index) =>
    isFields(part) && part.type === 'text' ? [{ path: [...prefix, index, 'text'] }] : [],
  );
}

/** Returns the number of the first line that the tool read; `undefined` if the response has an unknown form. */
function startLineOf(response: unknown): number | undefined {
  if (!isFields(response) || !isFields(response.file)) return undefined;
  const { startLine = 1 } = response.file;
  return Number.isSafeInteger(startLine) && Number(startLine) >= 1 ? Number(startLine) : undefined;
}

/** Types of entries for a summary of the conversation or the removal of old results. */
const FORGETTING = new Set<unknown>(['compact_boundary', 'microcompact_boundary']);

function readEntry(line: Fields): readonly TranscriptEntry[] {
  const { type, message } = line;
  if (type === 'system' && FORGETTING.has(line.subtype)) return [{ kind: 'compaction' }];
  if ((type !== 'user' && type !== 'assistant') || line.isMeta === true || !isFields(message)) return [];
  const { content } = message;
  const blocks: unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  const at = Date.parse(textAt(line, 'timestamp') ?? '') || undefined;
  const read = blocks.flatMap((block) => (isFields(block) ? blockEntry({ role: type, at }, block) : []));
  return line.isCompactSummary === true ? [{ kind: 'compaction' }, ...read] : read;
}

function blockEntry(
  { role, at }: { role: 'user' | 'assistant'; at: number | undefined },
  block: Fields,
): TranscriptEntry[] {
  const text = textAt(block, 'text');
  if (block.type === 'text' && text !== undefined) return said(role, text);
  const { id, name, tool_use_id } = block;
  if (block.type === 'tool_use' && typeof id === 'string' && typeof name === 'string')
    return [{ kind: 'call', id, tool: name, input: block.input }];
  if (block.type === 'tool_result' && typeof tool_use_id === 'string') {
    const text = textParts(block.content).join('\n');
    return [{ kind: 'result', id: tool_use_id, text, at, ...(block.is_error === true && { isError: true }) }];
  }
  return [];
}

/** Matches elements in a user's message that Claude Code added. */
const OF_THE_CLIENT = /^\s*<(?:system-reminder|command-|local-command|task-notification)/;

function said(role: 'user' | 'assistant', text: string): TranscriptEntry[] {
  if (text.trim() === '' || (role === 'user' && OF_THE_CLIENT.test(text))) return [];
  return [{ kind: role === 'user' ? 'user' : 'agent', text }];
}
