/** One number per line. */
export type Column = Float32Array;

/** Columns that are computed together, by name. */
export type ColumnGroup = Readonly<Record<string, Column>>;

/**
 * Collects the columns of all groups in order. A map, because an object with so many members takes longer to
 * build than the columns take to compute.
 */
export function gathered(groups: readonly ColumnGroup[]): Map<string, Column> {
  const into = new Map<string, Column>();
  for (const group of groups) for (const name in group) into.set(name, group[name] as Column);
  return into;
}

/** Types of arrays from which a column can be made. */
export type Numbers = Float32Array | Float64Array | Int32Array | Uint8Array;

export function maximum(values: Numbers): number {
  let most = 0;
  for (let at = 0; at < values.length; at += 1) {
    if ((values[at] as number) > most) most = values[at] as number;
  }
  return most;
}

/** Works like `Float32Array.from`, but without its slow iterator. The most frequent columns have loops of their own. */
export function each<Value>(values: ArrayLike<Value>, make: (value: Value, line: number) => number): Column {
  const column = new Float32Array(values.length);
  for (let line = 0; line < column.length; line += 1) column[line] = make(values[line] as Value, line);
  return column;
}

/** Divides values by the largest. Returns all 0 if none is larger than 0. */
export function relative(values: Numbers): Column {
  const most = maximum(values);
  const column = new Float32Array(values.length);
  if (most <= 0) return column;
  for (let at = 0; at < values.length; at += 1) column[at] = (values[at] as number) / most;
  return column;
}

/** Returns `log1p` of each value. Skips zeros, because they are the most frequent value and stay 0. */
export function logged(values: Numbers): Column {
  const column = new Float32Array(values.length);
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] as number;
    if (value !== 0) column[at] = Math.log1p(value);
  }
  return column;
}

const BUCKETS = 1024;

/**
 * Returns for each line the share of lines with smaller values, plus half of those with equal ones. Uses
 * 1,024 buckets to take linear time.
 */
export function percentiles(values: Numbers): Column {
  const column = new Float32Array(values.length);
  const most = maximum(values);
  if (most <= 0) return column.fill(0.5);
  const buckets = new Uint16Array(values.length);
  const counts = new Int32Array(BUCKETS);
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] as number;
    // Most values of a column are 0.
    const bucket = value > 0 ? Math.min(BUCKETS - 1, Math.ceil((value / most) * (BUCKETS - 1))) : 0;
    buckets[at] = bucket;
    counts[bucket] = (counts[bucket] as number) + 1;
  }
  const shares = shareBelow(counts, values.length);
  for (let at = 0; at < values.length; at += 1) column[at] = shares[buckets[at] as number] as number;
  return column;
}

function shareBelow(counts: Int32Array, total: number): Column {
  let below = 0;
  const shares = new Float32Array(counts.length);
  for (let at = 0; at < counts.length; at += 1) {
    const count = counts[at] as number;
    if (count === 0) continue;
    shares[at] = (below + count / 2) / total;
    below += count;
  }
  return shares;
}

/** Returns each value plus half of the two adjacent ones and a quarter of those at distance two. */
export function smoothed(values: Numbers): Column {
  const column = new Float32Array(values.length);
  const last = values.length - 1;
  for (let at = 0; at <= last; at += 1) {
    let score = values[at] as number;
    if (at > 0) score += 0.5 * (values[at - 1] as number);
    if (at < last) score += 0.5 * (values[at + 1] as number);
    if (at > 1) score += 0.25 * (values[at - 2] as number);
    if (at < last - 1) score += 0.25 * (values[at + 2] as number);
    column[at] = score;
  }
  return column;
}

/** Returns the largest value within `radius` lines. Skips zeros, because they are the most frequent value. */
export function nearbyMaximum(values: Column, radius: number): Column {
  const column = new Float32Array(values.length);
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] as number;
    if (value <= 0) continue;
    const end = Math.min(values.length - 1, at + radius);
    for (let near = Math.max(0, at - radius); near <= end; near += 1)
      if ((column[near] as number) < value) column[near] = value;
  }
  return column;
}

/** Carries each value to the lines after it, with decreasing weight. */
export function fadingDown(values: Numbers, rate: number): Column {
  const column = new Float32Array(values.length);
  let held = 0;
  for (let at = 0; at < values.length; at += 1) {
    held = Math.max(rate * held, values[at] as number);
    column[at] = held;
  }
  return column;
}

/** Carries each value to the lines before it, with decreasing weight. */
export function fadingUp(values: Column, rate: number): Column {
  return fadingDown(values.slice().reverse(), rate).reverse();
}

/** Returns for each line the value of the line at an index, or 0 if the index is -1. */
export function valueAt(values: Numbers, where: Int32Array): Column {
  const column = new Float32Array(where.length);
  for (let at = 0; at < where.length; at += 1) {
    const line = where[at] as number;
    if (line >= 0) column[at] = values[line] as number;
  }
  return column;
}
