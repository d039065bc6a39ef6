import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NeedQueue } from '../../../src/pruning/cut/select/need-queue.ts';

it('hands out the most needed first, equal ones in text order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 60 }), (needs) => {
      const queue = new NeedQueue(Float64Array.from(needs));
      for (const index of needs.keys()) queue.add(index);
      const taken = needs.map(() => queue.take() ?? -1);
      const sorted = [...needs.keys()].sort((a, b) => (needs[b] ?? 0) - (needs[a] ?? 0) || a - b);
      expect(taken).toEqual(sorted);
      expect(queue.take()).toBeUndefined();
    }),
  );
});
