import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nearestOwner } from '../../../src/pruning/cut/reasons/owners.ts';

it('[P17] finds the owner of a block as a walk upwards would', () => {
  const owners = fc
    .uniqueArray(fc.record({ index: fc.nat(60), indent: fc.nat(6) }), { selector: ({ index }) => index })
    .map((list) => list.sort((a, b) => a.index - b.index));
  fc.assert(
    fc.property(owners, fc.nat(61), fc.nat(7), (list, line, depth) => {
      const byWalking = list.findLast(({ index, indent }) => index < line && indent < depth);
      expect(nearestOwner(list)(line, depth)).toBe(byWalking);
    }),
  );
});
