import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadingParts } from '../reading-parts.ts';
import { saveText } from '../writing/save-spec.ts';
import { type BatchRequest, outputDirOf } from './plan.ts';

const NAME = '.reverse-spec-batch.json';

/**
 * Remembers when a run began until it has ended. Every finished spec carries its own structure hash and time, so this
 * one moment is all a resumed run needs: it tells the specs of the killed run from older ones.
 */
export interface Checkpoint {
  /** When the run that is being resumed began; nothing when none is. */
  startedAt: string | undefined;
  clear(): Promise<void>;
}

export async function openCheckpoint(
  request: BatchRequest,
  { cwd, clock }: Pick<ReadingParts, 'cwd' | 'clock'>,
): Promise<Checkpoint> {
  const directory = outputDirOf(request, cwd);
  const startedAt = await interruptedRun(join(directory, NAME), request.force);
  if (startedAt === undefined) {
    const text = JSON.stringify({ startedAt: new Date(clock.now()).toISOString(), force: request.force });
    await saveText(directory, NAME, `${text}\n`);
  }
  return { startedAt, clear: () => rm(join(directory, NAME), { force: true }) };
}

async function interruptedRun(file: string, force: boolean): Promise<string | undefined> {
  try {
    const saved = JSON.parse(await readFile(file, 'utf8')) as { startedAt?: unknown; force?: unknown };
    return saved.force === force && typeof saved.startedAt === 'string' ? saved.startedAt : undefined;
  } catch {
    return undefined;
  }
}
