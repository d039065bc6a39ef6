import { join } from 'node:path';
import { type Fields, isFields, parsedFields } from '@secateur/base/text/json.ts';
import type { Origin as TextOrigin } from '@secateur/engine/request.ts';
import {
  callIn,
  type HookClient,
  type HookEvent,
  lifecycleReader,
  type ToolCall,
  textAt,
  textParts,
} from '../client.ts';
import { type ClientHome, type EventFiles, entriesBefore, type TranscriptEntry } from '../transcript.ts';

/** Codex. Its shell tool is called `Bash`. The answers that it accepts were tested: `docs/decisions/90-hooks.md`. */
export const codex: HookClient = {
  name: 'codex',
  title: 'Codex',
  read: lifecycleReader({ callOf, writing: new Set(['Bash', 'apply_patch', 'Edit', 'Write']), outputEvent }),
  readEntry,
  folders: (home) => ({ transcripts: [join(codexFolder(home), 'sessions')] }),
  tellsWhatIsShown: true,
  recoverTool: 'recover_text',
  sessionNote: 'Codex labels such an output "Blocked", but the command has run',
  userNote:
    'secateur: an output that Codex labels "Blocked" was shortened for the agent. The command has run, and nothing was refused.',
  installation: {
    file: (origin) => join(codexFolder(origin), 'hooks.json'),
    folder: codexFolder,
    form: {
      kind: 'groups',
      matchers: { PreToolUse: '^(Bash|apply_patch|Edit|Write|mcp__.*)$', PostToolUse: '^(Bash|mcp__.*)$' },
    },
    advice:
      'Codex runs hooks only after you have approved them: enter /hooks in Codex and trust the three hooks of secateur.',
  },
  sample: (output) => ({
    event: {
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_use_id: 'sample',
      tool_input: { command: 'npm test' },
      tool_response: output,
      // The response does not contain the exit code.
      entries: [{ kind: 'exit', id: 'sample', code: 1, output: '' }],
    },
    shownIn: ({ reason }) => reason,
  }),
};

function codexFolder({ env, homeDir }: ClientHome): string {
  return env.CODEX_HOME ?? join(homeDir, '.codex');
}

function callOf({ tool_input: given, ...event }: Fields): ToolCall | undefined {
  const tool_input = isFields(given) ? given : {};
  return callIn({ ...event, tool_input }, sourceOf, (each) => textAt(each, 'transcript_path'));
}

function sourceOf(tool: string, input: Fields): TextOrigin {
  const command = textAt(input, 'command');
  return tool === 'Bash' && command !== undefined ? { kind: 'command', command } : { kind: 'other' };
}

async function outputEvent(
  call: ToolCall,
  { tool_response: response }: Fields,
  files: EventFiles,
): Promise<HookEvent | undefined> {
  if (call.tool.startsWith('mcp__')) return toolEvent(call, response);
  if (call.tool !== 'Bash' || typeof response !== 'string') return undefined;
  // The answer replaces everything that the model reads, so it repeats the exit code, which is in the
  // transcript.
  const exit = await exitOf(call, files);
  if (exit === undefined) return undefined;
  return {
    kind: 'output',
    call,
    // The event lacks the middle of a long output, but the transcript contains all of it.
    texts: [exit.output.length > response.length ? exit.output : response],
    replace: ([text = '']) => replacing(`Process exited with code ${exit.code}\nOutput:\n${text}`),
  };
}

type Exit = Extract<TranscriptEntry, { kind: 'exit' }>;

async function exitOf(call: ToolCall, files: EventFiles): Promise<Exit | undefined> {
  const entries = await entriesBefore(call, { readEntry }, files);
  return entries.findLast((entry): entry is Exit => entry.kind === 'exit' && entry.id === call.id);
}

function toolEvent(call: ToolCall, response: unknown): HookEvent | undefined {
  if (!isFields(response) || response.isError === true || !Array.isArray(response.content)) return undefined;
  const parts: unknown[] = response.content;
  const texts = parts.flatMap((part) => {
    const text = isFields(part) && part.type === 'text' ? textAt(part, 'text') : undefined;
    return text === undefined ? [] : [text];
  });
  // Replacing this response would lose an image.
  if (texts.length < parts.length) return undefined;
  return { kind: 'output', call, texts, replace: (cut) => replacing(cut.join('\n')) };
}

/** Returns an answer in the only form that changes what the model reads. Codex ignores other fields. */
function replacing(text: string): Fields {
  return { decision: 'block', reason: text };
}

function readEntry({ type, payload, timestamp }: Fields): readonly TranscriptEntry[] {
  if (type === 'compacted') return [{ kind: 'compaction' }];
  if (!isFields(payload)) return [];
  if (type === 'event_msg') return exitEntry(payload);
  if (type !== 'response_item') return [];
  if (payload.type === 'message') return said(payload);
  const { call_id: id } = payload;
  if (typeof id !== 'string') return [];
  if (payload.type === 'function_call')
    return [{ kind: 'call', id, tool: String(payload.name), input: inputOf(payload.arguments) }];
  if (payload.type !== 'function_call_output') return [];
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) || undefined : undefined;
  return [{ kind: 'result', id, text: textParts(payload.output).join('\n'), at }];
}

/** Returns the arguments of a call, which are JSON in a string. The command may be in `cmd` or be a list of words. */
function inputOf(given: unknown): unknown {
  const input = typeof given === 'string' ? parsedFields(given) : undefined;
  if (input === undefined) return given;
  const words: unknown = input.cmd ?? input.command;
  const command: unknown = Array.isArray(words) ? words.at(-1) : words;
  return typeof command === 'string' ? { ...input, command } : input;
}

function exitEntry({ item }: Fields): TranscriptEntry[] {
  if (!isFields(item) || item.type !== 'CommandExecution') return [];
  const { id, exit_code: code } = item;
  if (typeof id !== 'string' || typeof code !== 'number') return [];
  return [{ kind: 'exit', id, code, output: textAt(item, 'aggregated_output') ?? '' }];
}

/** Matches elements in a user's message that Codex added. */
const OF_THE_CLIENT = /^\s*<(?:environment_context|user_instructions|skills_instructions|turn_aborted)/;

function said({ role, content }: Fields): TranscriptEntry[] {
  const text = (Array.isArray(content) ? content : [])
    .flatMap((part: unknown) => (isFields(part) ? [textAt(part, 'text') ?? ''] : []))
    .join('\n');
  if (text.trim() === '' || OF_THE_CLIENT.test(text)) return [];
  if (role === 'user') return [{ kind: 'user', text }];
  return role === 'assistant' ? [{ kind: 'agent', text }] : [];
}
