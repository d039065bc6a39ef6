import { LineReader, openRegularFile } from '@secateur/base/runtime/bounded-reading.ts';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { type Fields, isFields, parsedFields, parsedJson } from '@secateur/base/text/json.ts';
import {
  type AgentStep,
  type Cutter,
  type PricedStep,
  priceOfRun,
  Replay,
  type ReplayedStep,
  WrittenLater,
} from '../../replay/replay.ts';
import type { HookClient } from '../../servers/hooks/client.ts';
import { HOOK_CLIENTS } from '../../servers/hooks/clients.ts';
import { isOwnOutput } from '../../servers/hooks/cut-output.ts';
import type { TranscriptEntry } from '../../servers/hooks/transcript.ts';
import { holdsMarker } from '../../servers/hooks/written-markers.ts';

interface ReplayOptions {
  cut: Cutter;
  /** Start time in ms since the epoch. Older lines of the file are skipped. */
  sinceMs: number;
  assumed: AssumedIntegration;
  /** Called after each line with the number of bytes read since the previous call. */
  progress(bytes: number): void;
}

export type ReplayedSession = Awaited<ReturnType<typeof replaySession>>;

/** Estimated tokens that an agent program sends before the conversation: its system prompt and tools. */
const PROMPT_TOKENS = 15_000;

/** Replays a file in two passes: the first reads what the agent wrote, the second what it saw. Keeps one output in memory. */
export async function replaySession(path: string, options: ReplayOptions) {
  const written = await readWriting(path, options);
  const replay = new Replay(options.cut);
  const byTool = new Map<string, ToolSums>();
  const before: PricedStep[] = [];
  const after: PricedStep[] = [];
  /** Names of the clients that wrote the session. */
  const clients = new Set<string>();
  let oddLines = 0;
  for await (const { step, client, isOdd } of stepsOf(path, options)) {
    if (isOdd) oddLines += 1;
    if (step === undefined) continue;
    if (client !== undefined) clients.add(client.name);
    const replayed = replay.take(step, written.labelOutput(before.length, step.output));
    add(byTool, step, replayed);
    before.push(replayed.priced.before);
    after.push(replayed.priced.after);
  }
  const priceOf = (steps: readonly PricedStep[]) =>
    steps.length === 0 ? 0 : priceOfRun(PROMPT_TOKENS, steps);
  /** Prices in input tokens. */
  const prices = { priceBefore: priceOf(before), priceAfter: priceOf(after) };
  return { byTool, clients: [...clients], oddLines, ...prices };
}

async function readWriting(path: string, options: ReplayOptions): Promise<WrittenLater> {
  const written = new WrittenLater();
  const steps = new SessionSteps(options.assumed);
  let count = 0;
  for await (const { step } of stepsOf(path, options, steps)) {
    if (step !== undefined) written.addWriting(count++, step.writing);
  }
  written.addWriting(count, steps.lastWords);
  return written;
}

async function* stepsOf(path: string, options: ReplayOptions, steps = new SessionSteps(options.assumed)) {
  let read = 0;
  for await (const { entries, client, bytes, isOdd } of readSession(path, options.sinceMs)) {
    options.progress(bytes - read);
    read = bytes;
    if (isOdd) yield { step: undefined, client, isOdd };
    for (const entry of entries) yield { step: steps.take(entry, client), client, isOdd: false };
  }
}

function add(byTool: Map<string, ToolSums>, { tool, isOutOfReach }: AgentStep, step: ReplayedStep): void {
  const sums = byTool.get(tool) ?? emptySums();
  byTool.set(tool, sums);
  sums.calls += 1;
  if (isOutOfReach) sums.outOfReach += 1;
  sums.tokensBefore += step.tokensBefore;
  sums.tokensAfter += step.tokensAfter;
  sums.recoveryTokens += step.recoveryTokens;
  sums.recoveries += step.recoveries;
  sums.usedLines += step.used.lines;
  sums.usedLinesSeen += step.used.seen;
}

export type ToolSums = ReturnType<typeof emptySums>;

export function emptySums() {
  return {
    calls: 0,
    /** Number of calls whose output the assumed integration cannot change. */
    outOfReach: 0,
    tokensBefore: 0,
    tokensAfter: 0,
    recoveryTokens: 0,
    recoveries: 0,
    usedLines: 0,
    usedLinesSeen: 0,
  };
}

interface SessionLine {
  entries: readonly TranscriptEntry[];
  /** Client that wrote the line; `undefined` if its format is unknown. */
  client: HookClient | undefined;
  /** Approximate number of bytes of the file read so far. */
  bytes: number;
  /** Whether the line is not valid JSON. The file is malformed, or the client is still writing the line. */
  isOdd: boolean;
}

const CHUNK_BYTES = 1024 * 1024;
/** Maximum bytes of a line. No client writes longer lines; they are counted as invalid JSON. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Reads a session file of any size line by line. Keeps only messages, calls and results. */
async function* readSession(path: string, sinceMs: number): AsyncGenerator<SessionLine> {
  const file = openRegularFile(path, { followLinks: true });
  if (file.kind === 'refused') throw new DomainError('cannot_read', `${path} ${file.reason}`);
  const lines: (Buffer | undefined)[] = [];
  const reader = new LineReader(MAX_LINE_BYTES, {
    line: (bytes) => lines.push(bytes),
    tooLong: () => {
      lines.push(undefined);
      return undefined;
    },
  });
  try {
    for (let bytes = 0, isEnd = false; !isEnd; ) {
      const chunk = await file.readAt(bytes, CHUNK_BYTES);
      bytes += chunk.length;
      isEnd = chunk.length === 0;
      if (isEnd) reader.end();
      else reader.push(chunk);
      for (const line of lines.splice(0)) yield { ...readLine(line, sinceMs), bytes };
    }
  } finally {
    file.close();
  }
}

function readLine(line: Buffer | undefined, sinceMs: number): Omit<SessionLine, 'bytes'> {
  const text = line?.toString('utf8');
  if (text?.trim() === '') return { ...NO_ENTRIES, isOdd: false };
  const fields = text === undefined ? undefined : parsedFields(text);
  const isOlder = typeof fields?.timestamp === 'string' && Date.parse(fields.timestamp) < sinceMs;
  const read = fields === undefined || isOlder ? NO_ENTRIES : entriesOf(fields);
  return { ...read, isOdd: fields === undefined };
}

const NO_ENTRIES: Pick<SessionLine, 'entries' | 'client'> = { entries: [], client: undefined };

/** Returns the entries in a line, read by the client that knows its format. No two clients share a format. */
function entriesOf(fields: Fields): Pick<SessionLine, 'entries' | 'client'> {
  for (const client of HOOK_CLIENTS) {
    const entries = client.readEntry(fields);
    if (entries.length > 0) return { entries, client };
  }
  return NO_ENTRIES;
}

/** Maximum characters kept per message. A pasted log would otherwise outweigh the rest of the request. */
const MAX_WORDS = 4000;
/** Maximum number of calls without a result that are kept. */
const MAX_OPEN_CALLS = 1000;

/** A call with all texts that the agent wrote for it. */
type WrittenStep = AgentStep & { readonly writing: string };

/** Assumptions about the integration that would have cut the outputs. */
export interface AssumedIntegration {
  /** Whether the shell prefix of Claude Code is used. It also cuts outputs of failing commands (A11). */
  readonly shellPrefix: boolean;
}

/** Converts entries to steps: a call and its output, with the request and the agent's text before it. */
class SessionSteps {
  readonly #open = new Map<string, Omit<WrittenStep, 'output'>>();
  readonly #assumed: AssumedIntegration;
  #task = '';
  #words: string[] = [];

  constructor(assumed: AssumedIntegration) {
    this.#assumed = assumed;
  }

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

  #call({ id, tool, input }: Extract<TranscriptEntry, { kind: 'call' }>, client: HookClient | undefined) {
    const words = this.#words.join('\n');
    this.#words = [];
    const texts = textsIn(input);
    const command = SHELL_TOOL.test(tool) ? commandIn(input) : `${tool} ${texts[0] ?? ''}`;
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
    // Outputs of Sécateur's tools, and outputs that were cut in the session, are not cut again.
    return { ...call, output: text, isOutOfReach: !canReplace || isOwn || holdsMarker(text) };
  }
}

function brief(text: string): string {
  if (text.length <= MAX_WORDS) return text;
  return `${text.slice(0, MAX_WORDS / 2)}\n${text.slice(-MAX_WORDS / 2)}`;
}

const SHELL_TOOL = /^(?:Bash|shell|local_shell|exec_command|container\.exec)$/;

/** Returns a command line or its words, without a shell that only runs another command line. */
function commandIn(input: unknown): string {
  const fields = parsedInput(input);
  const command = isFields(fields) ? (fields.command ?? fields.cmd) : fields;
  if (typeof command === 'string') return command;
  const words = textsIn(command);
  return /^(?:ba|z)?sh$/.test(words[0] ?? '') && words.length > 2
    ? words.slice(2).join(' ')
    : words.join(' ');
}

/** Parses arguments that Codex writes as JSON in a string. */
function parsedInput(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  const value = parsedJson(input);
  return value === undefined ? input : value;
}

/** Returns every string of a call's input, in order. */
function textsIn(input: unknown): string[] {
  const value = parsedInput(input);
  if (typeof value === 'string') return [value];
  if (Array.isArray(value))
    return value.flatMap((each: unknown) => (typeof each === 'string' ? [each] : textsIn(each)));
  return isFields(value)
    ? Object.values(value).flatMap((each) => (typeof each === 'string' ? [each] : textsIn(each)))
    : [];
}
