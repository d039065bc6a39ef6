/** Bounds how many programs run at once; further ones wait their turn. */
export interface ProcessSlots {
  /** A place in the queue; nothing when it is full. */
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

export function openProcessSlots({ running, waiting }: ProcessLimits): ProcessSlots {
  const inside = new Set<object>();
  const queue = new Map<object, () => void>();
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
      const ready = new Promise<void>((resolve) => queue.set(place, resolve));
      admitNext();
      return {
        ready,
        leave: () => {
          queue.delete(place);
          if (inside.delete(place)) admitNext();
        },
      };
    },
  };
}
