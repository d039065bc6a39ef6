import { randomBytes } from 'node:crypto';
import { systemClock } from '../../packages/base/src/runtime/time.ts';
import { inlineEngine } from '../../packages/engine/src/inline-engine.ts';
import { createPruner, type Pruner, type PrunerParts } from '../../packages/engine/src/pruner.ts';
import { createRecovery, type Recovery } from '../../packages/engine/src/recovery/recovery.ts';
import { MemoryStore } from '../../packages/engine/src/recovery/stores/memory.ts';
import type { PruneOptions, PruneRequest } from '../../packages/engine/src/request.ts';

export interface TestPruner extends Pruner {
  recovery: Recovery;
}

/** The real pruner on a memory store, its cutting done in this thread. */
export function testPruner(parts: Partial<PrunerParts> = {}): TestPruner {
  const store = new MemoryStore({ ttlMs: 600_000, maxBytes: 512 << 20, clock: systemClock, randomBytes });
  const recovery = parts.recovery ?? createRecovery({ store, randomBytes });
  const pruner = createPruner({
    engine: inlineEngine(),
    clock: systemClock,
    maxInputChars: 2_000_000,
    ...parts,
    recovery,
  });
  return { ...pruner, recovery };
}

export interface WaitingPruner extends Pruner {
  /** Number of cuts that wait, and of those that their callers gave up. */
  readonly waiting: number;
  readonly givenUp: number;
}

/** A pruner that cuts only after its caller has left: shows whether the abort reaches it. */
export function waitingPruner(pruner: Pruner = testPruner()): WaitingPruner {
  const calls: (AbortSignal | undefined)[] = [];
  return {
    get waiting() {
      return calls.length;
    },
    get givenUp() {
      return calls.filter((signal) => signal?.aborted).length;
    },
    prune: async (request, signal) => {
      calls.push(signal);
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      return pruner.prune(request, signal);
    },
  };
}

const defaultOptions: PruneOptions = {
  maxPruneRatio: 0.7,
  minKeepLines: 0,
  timeoutMs: 60_000,
  annotateLines: false,
  includeMarkers: true,
  markers: 'canonical',
};

export function pruneRequest(
  request: Partial<Omit<PruneRequest, 'options'>> & { options?: Partial<PruneOptions> },
): PruneRequest {
  return {
    text: '',
    focus: { question: 'why does the retry policy give up' },
    sourceType: 'code',
    ...request,
    options: { ...defaultOptions, ...request.options },
  };
}
