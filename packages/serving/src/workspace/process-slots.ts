import { Turns } from '@secateur/base/runtime/turns.ts';

/** Bounds the number of concurrent programs; further ones wait their turn. */
export interface ProcessSlots {
  /** Returns a place in the queue; `undefined` if it is full. */
  enter(): ProcessPlace | undefined;
}

export interface ProcessPlace {
  /** Resolves when it is this one's turn. */
  readonly ready: Promise<void>;
  /** Gives the slot, or the place in the queue, back. */
  leave(): void;
}

export interface ProcessLimits {
  readonly running: number;
  readonly waiting: number;
}

/**
 * Starting a program blocks for milliseconds, and an event loop accepts one connection a turn: with more turns than
 * programs, who connects waits for few of them.
 */
const TURNS_APART = 8;

export function openProcessSlots({ running, waiting }: ProcessLimits): ProcessSlots {
  const inside = new Set<object>();
  const queue = new Map<object, () => void>();
  const turns = new Turns(TURNS_APART);
  const admitNext = () => {
    for (const [place, start] of queue) {
      if (inside.size >= running) return;
      queue.delete(place);
      inside.add(place);
      start();
    }
  };
  return {
    enter: () => {
      if (inside.size >= running && queue.size >= waiting) return undefined;
      const place = {};
      const admitted = new Promise<void>((resolve) => queue.set(place, resolve));
      admitNext();
      return {
        ready: admitted.then(() => turns.next()),
        leave: () => {
          queue.delete(place);
          if (inside.delete(place)) admitNext();
        },
      };
    },
  };
}
