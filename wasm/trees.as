// Boosted trees over the columns of a text, one tree for all lines after another: its splits stay at hand.

/** A split: where its column lies among the values, in bytes, and its threshold. */
const SPLIT_BYTES: usize = 8;

/** Adds to the odds of every line the leaf that each tree leads it to; the sums are 64-bit. */
export function addLeaves(
  values: usize, lines: i32, splits: usize, leaves: usize, trees: i32, depth: i32, odds: usize,
): void {
  const inner: i32 = (1 << depth) - 1;
  for (let tree = 0; tree < trees; tree += 1) {
    for (let line = 0; line < lines; line += 1) {
      const own = values + ((<usize>line) << 2);
      let node: i32 = 0;
      for (let step = 0; step < depth; step += 1) {
        const split = splits + (<usize>node) * SPLIT_BYTES;
        // No branch: which way a line goes is hard to foresee.
        node = 2 * node + 2 - i32(load<f32>(own + load<u32>(split)) < load<f32>(split, 4));
      }
      const sum = odds + ((<usize>line) << 3);
      store<f64>(sum, load<f64>(sum) + <f64>load<f32>(leaves + ((<usize>(node - inner)) << 2)));
    }
    splits += (<usize>inner) * SPLIT_BYTES;
    leaves += (<usize>(inner + 1)) << 2;
  }
}
