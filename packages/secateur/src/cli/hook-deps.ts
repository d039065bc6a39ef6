import { appendFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt } from '@secateur/base/runtime/domain-error.ts';
import { type EventLog, jsonEventLog, type LineSink } from '@secateur/base/runtime/event-log.ts';
import { type Deadline, deadlineIn, systemClock, withTimeoutOr } from '@secateur/base/runtime/time.ts';
import { makeFolder } from '@secateur/base/runtime/writing-files.ts';
import { notingPruner } from '@secateur/engine/cut-note.ts';
import type { Pruner } from '@secateur/engine/pruner.ts';
import { createNotes, type Notes } from '@secateur/engine/recovery/notes.ts';
import type { RecoveryStore } from '@secateur/engine/recovery/store.ts';
import type { Config } from '@secateur/serving/config/settings.ts';
import type { HookDeps } from '../servers/hooks/hook.ts';
import { cutLimitsOf } from './cut-settings.ts';
import { openLedger, openRecoveryStore, recoveryOver, setAsideLog } from './open-stores.ts';
import { type OwnProgram, ownProgram, shellLine } from './own-program.ts';

export interface HookProcess extends OwnProgram {
  readonly errors: LineSink;
  /** Deadline of the cut. Default: the configured time limit, starting now. */
  readonly until?: Deadline;
  /** Sentences about wrong settings in configuration files. */
  readonly faults?: readonly string[];
}

export type HookConfig = Pick<Config, 'hook' | 'pruner' | 'recovery' | 'audit'>;

/** Opens the dependencies for one answer. The engine runs in this thread, because a new thread would start too slowly. */
export async function withHookDeps<Result>(
  config: HookConfig,
  { until = deadlineIn(config.hook.timeoutMs, systemClock), ...surroundings }: HookProcess,
  use: (parts: HookDeps) => Promise<Result>,
): Promise<Result> {
  const ledger = openLedger(config);
  const log = failureLog(config, surroundings.errors);
  let store: RecoveryStore | undefined;
  let notes: Notes | undefined;
  const parts: HookDeps = {
    pruner: async () => {
      store = await openRecoveryStore(config.recovery, { onSetAside: setAsideLog(log) });
      const pruner = await openInlinePruner(config, { store, until });
      if (config.audit.level !== 'full') return pruner;
      notes = createNotes(store);
      return notingPruner(pruner, notes);
    },
    ledger,
    clock: systemClock,
    log,
    settings: config.hook,
    ...cutLimitsOf(config.pruner),
    until,
    program: shellLine(ownProgram(surroundings)),
    access: 'all',
    home: surroundings.origin,
    faults: surroundings.faults,
  };
  const result = await use(parts);
  await withTimeoutOr(notes?.settled() ?? Promise.resolve(), NOTE_MS, undefined);
  await store?.close();
  return result;
}

/** Time limit in ms to store the record of a cut after the answer was sent. */
const NOTE_MS = 500;

async function openInlinePruner(
  config: HookConfig,
  { store, until }: { store: RecoveryStore; until: Deadline },
): Promise<Pruner> {
  const [{ createPruner }, { inlineEngine }] = await Promise.all([
    import('@secateur/engine/pruner.ts'),
    import('@secateur/engine/inline-engine.ts'),
  ]);
  const engine = inlineEngine(undefined, until);
  const { maxInputChars, structure } = config.pruner;
  const recovery = recoveryOver(store, config.recovery);
  return createPruner({ recovery, engine, clock: systemClock, maxInputChars, structure });
}

/** Maximum bytes of the log. A larger log gets no further lines until the user removes the file. */
const MAX_LOG_BYTES = 1_048_576;

export function failureLog(
  { hook, recovery }: Pick<HookConfig, 'hook' | 'recovery'>,
  errors: LineSink,
): EventLog {
  if (hook.log === 'stderr') return jsonEventLog(errors, systemClock);
  const path = join(recovery.dataDir, 'hook.log');
  return jsonEventLog({ write: (line) => appendBounded(path, line) }, systemClock);
}

/** Appends a line to the log. Ignores failures, because a log must not block the agent. */
function appendBounded(path: string, line: string): void {
  attempt(() => {
    makeFolder(dirname(path));
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size < MAX_LOG_BYTES) appendFileSync(path, line, { mode: 0o600 });
  });
}
