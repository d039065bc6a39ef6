import { type PricedStep, priceOfRun } from '../../replay/price.ts';
import { type AgentStep, type Cutter, Replay, type ReplayedStep } from '../../replay/replay.ts';
import { WrittenLater } from '../../replay/used-lines.ts';
import { readSession } from './read-session.ts';
import { type AssumedIntegration, SessionSteps } from './session-steps.ts';

export interface ReplayOptions {
  cut: Cutter;
  /** Lines of the file older than this are passed over. */
  sinceMs: number;
  assumed: AssumedIntegration;
  /** Told after every line how many more bytes of the file were read. */
  progress(bytes: number): void;
}

export interface ReplayedSession {
  byTool: ReadonlyMap<string, ToolSums>;
  /** Names of the clients that wrote the session. */
  clients: readonly string[];
  oddLines: number;
  /** In input tokens. */
  priceBefore: number;
  priceAfter: number;
}

export interface ToolSums {
  calls: number;
  /** Calls whose output the assumed integration cannot change. */
  outOfReach: number;
  tokensBefore: number;
  tokensAfter: number;
  recoveryTokens: number;
  recoveries: number;
  usedLines: number;
  usedLinesSeen: number;
}

/** What an agent program sends before the first word: system prompt and tools, roughly. */
const PROMPT_TOKENS = 15_000;

/** Reads the file twice, first for what the agent wrote, then for what it was shown: never more than one output is held. */
export async function replaySession(path: string, options: ReplayOptions): Promise<ReplayedSession> {
  const written = await readWriting(path, options);
  const replay = new Replay(options.cut);
  const byTool = new Map<string, ToolSums>();
  const before: PricedStep[] = [];
  const after: PricedStep[] = [];
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
  return {
    byTool,
    clients: [...clients],
    oddLines,
    priceBefore: priceOf(before),
    priceAfter: priceOf(after),
  };
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

export function emptySums(): ToolSums {
  return {
    calls: 0,
    outOfReach: 0,
    tokensBefore: 0,
    tokensAfter: 0,
    recoveryTokens: 0,
    recoveries: 0,
    usedLines: 0,
    usedLinesSeen: 0,
  };
}
