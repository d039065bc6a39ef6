import type { Fields } from '@secateur/base/text/json.ts';
import { type HookClient, type HookEvent, pathIn, type ToolCall, textAt } from '../client.ts';
import { type EventFiles, sentEntries } from '../transcript.ts';

/** Differences between clients that name their events as Claude Code does. */
export interface LifecycleDialect {
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
