interface Owner {
  /** The line it stands in, 0-based. */
  index: number;
  indent: number;
}

/**
 * Finds the nearest of `owners`, which come in order, that stands above a line and is indented less than `depth`. Each
 * knows the next less indented one above it, so that a search takes as many steps as there are depths.
 */
export function nearestOwner<Found extends Owner>(
  owners: readonly Found[],
): (line: number, depth: number) => Found | undefined {
  const outer = outerOwners(owners);
  return (line, depth) => {
    let at = countBefore(owners, line) - 1;
    while (at >= 0 && (owners[at]?.indent ?? 0) >= depth) at = outer[at] ?? -1;
    return owners[at];
  };
}

/** For each, the nearest one above that is indented less, or -1. */
function outerOwners(owners: readonly Owner[]): Int32Array {
  const outer = new Int32Array(owners.length);
  for (const [at, { indent }] of owners.entries()) {
    let above = at - 1;
    while (above >= 0 && (owners[above]?.indent ?? 0) >= indent) above = outer[above] ?? -1;
    outer[at] = above;
  }
  return outer;
}

function countBefore(owners: readonly Owner[], line: number): number {
  let low = 0;
  let high = owners.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((owners[middle]?.index ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}
