import { join } from 'node:path';
import { type Fields, isFields } from '@secateur/base/text/json.ts';
import type { Origin as TextOrigin } from '@secateur/engine/request.ts';
import {
  callIn,
  type HookClient,
  type HookEvent,
  lifecycleReader,
  originNamed,
  type ToolCall,
  textAt,
} from '../client.ts';
import type { ClientHome, TranscriptEntry } from '../transcript.ts';

/** GitHub Copilot CLI. The answers that it accepts were tested with the real program: `docs/decisions/90-hooks.md`. */
export const copilotCli: HookClient = {
  name: 'copilot-cli',
  title: 'GitHub Copilot CLI',
  read: lifecycleReader({
    callOf: (event) => callIn(event, sourceOf, transcriptOf),
    writing: new Set(['Bash', 'Edit', 'Write', 'apply_patch']),
    outputEvent,
    answers: {
      tell: (message) => ({ additionalContext: message }),
      refuse: (reason) => ({ permissionDecision: 'deny', permissionDecisionReason: reason }),
    },
  }),
  readEntry,
  folders: (home) => ({ transcripts: [join(copilotFolder(home), 'session-state')] }),
  // Events contain no id of the call, so the current output cannot be distinguished from earlier ones.
  tellsWhatIsShown: false,
  recoverTool: 'recover_text',
  asksAboutCommands: true,
  installation: {
    file: (origin) => join(copilotFolder(origin), 'hooks/secateur.json'),
    folder: copilotFolder,
    form: { kind: 'file', write: hooksFile, command: /"command": ("(?:[^"\\]|\\.)*")/ },
  },
  sample: (output) => ({
    event: {
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'npm test', description: 'Find out why the retry test fails' },
      tool_result: { result_type: 'success', text_result_for_llm: output },
    },
    shownIn: ({ modifiedResult }) => (isFields(modifiedResult) ? modifiedResult.textResultForLlm : undefined),
  }),
};

function copilotFolder({ env, homeDir }: ClientHome): string {
  return env.COPILOT_HOME ?? join(homeDir, '.copilot');
}

const TIMEOUT_S = 10;
/** Matches tools whose output is cut. Names of MCP tools have a hyphen between server and tool. */
const CUT_TOOLS = 'Bash|Read|Grep|Glob|WebFetch|Task|[^-]+-.+';

function hooksFile(command: string): string {
  const hook = (matcher?: string) => [{ type: 'command', command, timeout: TIMEOUT_S, matcher }];
  // With these event names, Copilot CLI sends events with the fields and tool names of Claude Code.
  const hooks = {
    SessionStart: hook(),
    PreToolUse: hook('Bash|Edit|Write|apply_patch|[^-]+-.+'),
    PostToolUse: hook(CUT_TOOLS),
  };
  return `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`;
}

/** Returns the path of the transcript. It is derived from the session id, because events do not contain it. */
function transcriptOf(event: Fields): string | undefined {
  const sessionId = textAt(event, 'session_id') ?? '';
  if (!/^[\w-]+$/.test(sessionId)) return undefined;
  return join(sessionId, 'events.jsonl');
}

function sourceOf(tool: string, input: Fields): TextOrigin {
  return originNamed(input, { tool, shell: 'Bash', reader: 'Read', path: 'path' });
}

const IS_CUT = new RegExp(`^(?:${CUT_TOOLS})$`);
/** Matches the last line of a command's output, which contains the exit code. */
const ENDING = /\n<[^\n]*exit code -?\d+>\s*$/;

async function outputEvent(call: ToolCall, event: Fields): Promise<HookEvent | undefined> {
  const { tool_result: result, tool_input: input } = event;
  if (!IS_CUT.test(call.tool) || !isFields(result) || result.result_type !== 'success') return undefined;
  const text = textAt(result, 'text_result_for_llm');
  // The agent requested certain lines by number, so they are not cut.
  if (text === undefined || (isFields(input) && input.view_range !== undefined)) return undefined;
  const ending = ENDING.exec(text)?.[0] ?? '';
  return {
    kind: 'output',
    call,
    texts: [text.slice(0, text.length - ending.length)],
    ...(call.tool === 'Read' ? { numbered: true, firstLine: 1 } : {}),
    replace: ([cut = '']) => ({ modifiedResult: { resultType: 'success', textResultForLlm: cut + ending } }),
  };
}

function readEntry({ type, data }: Fields): readonly TranscriptEntry[] {
  if (!isFields(data)) return [];
  const text = textAt(data, 'content') ?? '';
  if (type === 'user.message') return text === '' ? [] : [{ kind: 'user', text }];
  if (type === 'assistant.message')
    return [...(text === '' ? [] : [{ kind: 'agent' as const, text }]), ...callsIn(data.toolRequests)];
  if (type !== 'tool.execution_complete' || !isFields(data.result)) return [];
  return [
    { kind: 'result', id: textAt(data, 'toolCallId') ?? '', text: textAt(data.result, 'content') ?? '' },
  ];
}

function callsIn(requests: unknown): TranscriptEntry[] {
  return (Array.isArray(requests) ? requests : []).filter(isFields).map((request) => {
    const [id = '', tool = ''] = ['toolCallId', 'name'].map((key) => textAt(request, key));
    return { kind: 'call', id, tool, input: request.arguments };
  });
}
