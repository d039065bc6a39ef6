/** Strongly connected components of the nodes within reach (Tarjan), without recursion: some patterns are long. */
export function componentsOf(starts: readonly number[], next: (node: number) => number[]): number[][] {
  const search = new Search(next);
  for (const start of starts) search.from(start);
  return search.components;
}

interface Visit {
  readonly node: number;
  readonly open: number[];
}

class Search {
  readonly components: number[][] = [];
  private readonly next: (node: number) => number[];
  private readonly index = new Map<number, number>();
  private readonly low = new Map<number, number>();
  private readonly path: number[] = [];
  private readonly onPath = new Set<number>();

  constructor(next: (node: number) => number[]) {
    this.next = next;
  }

  from(start: number): void {
    if (this.index.has(start)) return;
    const visits = [this.enter(start)];
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const follower = visit.open.pop();
      if (follower === undefined) {
        visits.pop();
        this.leave(visit.node, visits.at(-1)?.node);
      } else if (!this.index.has(follower)) {
        visits.push(this.enter(follower));
      } else if (this.onPath.has(follower)) {
        this.lower(visit.node, this.index.get(follower) ?? 0);
      }
    }
  }

  private enter(node: number): Visit {
    this.low.set(node, this.index.size);
    this.index.set(node, this.index.size);
    this.path.push(node);
    this.onPath.add(node);
    return { node, open: this.next(node) };
  }

  private leave(node: number, parent: number | undefined): void {
    const low = this.low.get(node) ?? 0;
    if (parent !== undefined) this.lower(parent, low);
    if (low !== this.index.get(node)) return;
    const members = this.path.splice(this.path.lastIndexOf(node));
    for (const member of members) this.onPath.delete(member);
    this.components.push(members);
  }

  private lower(node: number, to: number): void {
    this.low.set(node, Math.min(this.low.get(node) ?? 0, to));
  }
}
