import type { SpecModule } from './modules.ts';

/** Runs at most so many at a time; none starts before everything it depends on has ended, well or not. */
export async function runInOrder<Item extends Pick<SpecModule, 'label' | 'dependsOn'>>(
  items: readonly Item[],
  { concurrency, signal }: { concurrency: number; signal?: AbortSignal | undefined },
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = new Set(items);
  const unfinished = new Set(items.map(({ label }) => label));
  const running = new Set<Promise<void>>();
  const start = (item: Item) => {
    waiting.delete(item);
    const work = run(item).finally(() => {
      unfinished.delete(item.label);
      running.delete(work);
    });
    running.add(work);
  };
  try {
    while (waiting.size > 0 || running.size > 0) {
      signal?.throwIfAborted();
      const isReady = ({ dependsOn }: Item) => !dependsOn.some((label) => unfinished.has(label));
      const ready = [...waiting].filter(isReady).slice(0, concurrency - running.size);
      for (const item of ready) start(item);
      await Promise.race(running);
    }
  } finally {
    await Promise.allSettled(running);
  }
}
