import { isFields } from '@secateur/base/text/json-value.ts';
import type { AgentStep } from '../../replay/replay.ts';
import type { HookClient } from '../../servers/hooks/client.ts';
import { isOwnOutput } from '../../servers/hooks/excluded.ts';
import type { TranscriptEntry } from '../../servers/hooks/transcript.ts';
import { holdsMarker } from '../../servers/hooks/written-markers.ts';

/** Most characters kept of a message: a pasted log in a request would drown the rest. */
const MAX_WORDS = 4000;
/** A call that is never answered must not be held for ever. */
const MAX_OPEN_CALLS = 1000;

/** A call, and everything the agent wrote for it. */
type WrittenStep = AgentStep & { readonly writing: string };

/** Assumptions on how outputs would have been cut. */
export interface AssumedIntegration {
  /** The shell prefix of Claude Code cuts outputs of failing commands too (A11). */
  readonly shellPrefix: boolean;
}

/** Turns the entries of a session into steps: a call and its answer, with the request and the words before it. */
export class SessionSteps {
  readonly #open = new Map<string, Omit<WrittenStep, 'output'>>();
  readonly #assumed: AssumedIntegration;
  #task = '';
  #words: string[] = [];

  constructor(assumed: AssumedIntegration) {
    this.#assumed = assumed;
  }

  /** The step that this entry completes. */
  take(entry: TranscriptEntry, client: HookClient | undefined): WrittenStep | undefined {
    if (entry.kind === 'user') this.#task = brief(entry.text);
    if (entry.kind === 'agent') this.#words.push(brief(entry.text));
    if (entry.kind === 'call') this.#call(entry, client);
    return entry.kind === 'result' ? this.#answer(entry, client) : undefined;
  }

  /** Returns the agent's text after its last call. */
  get lastWords(): string {
    return this.#words.join('\n');
  }

  #call(
    { id, tool, input }: Extract<TranscriptEntry, { kind: 'call' }>,
    client: HookClient | undefined,
  ): void {
    const words = this.#words.join('\n');
    this.#words = [];
    const texts = textsIn(input);
    const command = tool === 'Bash' || isShell(tool) ? commandIn(input) : `${tool} ${texts[0] ?? ''}`;
    if (this.#open.size >= MAX_OPEN_CALLS) this.#open.clear();
    const origin = isFields(input) ? client?.originOf?.(tool, input) : undefined;
    const writing = `${words}\n${texts.join('\n')}`;
    this.#open.set(id, { tool, task: this.#task, words, command, origin, writing });
  }

  #answer(
    { id, text, isError = false }: Extract<TranscriptEntry, { kind: 'result' }>,
    client: HookClient | undefined,
  ) {
    const call = this.#open.get(id);
    if (call === undefined) return undefined;
    this.#open.delete(id);
    const isFailed = isError && !(this.#assumed.shellPrefix && call.tool === 'Bash');
    const canReplace = client?.replaces?.test(call.tool, isFailed) ?? true;
    const isOwn = isOwnOutput({ tool: call.tool, source: { kind: 'command', command: call.command } });
    // Our own tools and outputs that were cut in the session are not cut again.
    return { ...call, output: text, isOutOfReach: !canReplace || isOwn || holdsMarker(text) };
  }
}

function brief(text: string): string {
  if (text.length <= MAX_WORDS) return text;
  return `${text.slice(0, MAX_WORDS / 2)}\n${text.slice(-MAX_WORDS / 2)}`;
}

function isShell(tool: string): boolean {
  return /^(?:shell|local_shell|exec_command|container\.exec)$/.test(tool);
}

/** A command line, or the words of one; a shell that only runs another line is left out. */
function commandIn(input: unknown): string {
  const fields = parsedInput(input);
  const command = isFields(fields) ? (fields.command ?? fields.cmd) : fields;
  if (typeof command === 'string') return command;
  const words = textsIn(command);
  return /^(?:ba|z)?sh$/.test(words[0] ?? '') && words.length > 2
    ? words.slice(2).join(' ')
    : words.join(' ');
}

/** Codex writes its arguments as JSON in a text. */
function parsedInput(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

/** Every text of a call's input, in order. */
function textsIn(input: unknown): string[] {
  const value = parsedInput(input);
  if (typeof value === 'string') return [value];
  if (Array.isArray(value))
    return value.flatMap((each: unknown) => (typeof each === 'string' ? [each] : textsIn(each)));
  return isFields(value)
    ? Object.values(value).flatMap((each) => (typeof each === 'string' ? [each] : textsIn(each)))
    : [];
}
