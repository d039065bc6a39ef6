import { setImmediate as nextTurn } from 'node:timers/promises';

/** Adding up this many ledger entries takes about 10 ms. */
const ITEMS_PER_SLICE = 5_000;

/** Calls `visit` for each item, in slices between which the event loop turns. The list must not change meanwhile. */
export async function forEachInSlices<Item>(
  items: readonly Item[],
  visit: (item: Item) => void,
): Promise<void> {
  for (let start = 0; start < items.length; start += ITEMS_PER_SLICE) {
    if (start > 0) await nextTurn();
    for (const item of items.slice(start, start + ITEMS_PER_SLICE)) visit(item);
  }
}
