import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { estimateTokens } from '../../packages/base/src/text/token-estimate.ts';
import type { AgentStep, UsedLines } from '../../packages/secateur/src/replay/replay.ts';

/** A run with what its agent used, as `runs.jsonl` has it. */
export interface LabelledRun {
  id: string;
  repository: string;
  /** Tokens that every request carries before the first step. */
  promptTokens: number;
  steps: AgentStep[];
  labels: UsedLines[];
}

interface Row {
  run: string;
  repo: string;
  prompt_chars: number;
  task: string;
  steps: { goal: string; command: string; output: string; used: number[]; again: number[] }[];
}

/** Every `step`-th run of a file of JSON lines, packed with xz or not. */
export async function* readLabelledRuns(file: string, step: number): AsyncGenerator<LabelledRun> {
  let at = 0;
  for await (const line of createInterface({ input: open(file) })) {
    at += 1;
    if (line !== '' && (at - 1) % step === 0) yield toRun(JSON.parse(line) as Row);
  }
}

function open(file: string): Readable {
  if (!file.endsWith('.xz')) return createReadStream(file);
  return spawn('xz', ['-dc', file], { stdio: ['ignore', 'pipe', 'inherit'] }).stdout;
}

function toRun(row: Row): LabelledRun {
  return {
    id: row.run,
    repository: row.repo.toLowerCase(),

    promptTokens: Math.max(estimateTokens(row.task), Math.round(row.prompt_chars / 4)),
    steps: row.steps.map(({ goal, command, output }) => ({
      tool: 'Bash',
      task: row.task,
      words: goal,
      command,
      output,
    })),
    labels: row.steps.map(({ used, again }) => ({ used, again })),
  };
}
