import type { DependencyEdge } from '../reading/facts.ts';
import type { ModuleFiles } from './modules.ts';

/** Dependencies before dependents; modules that need each other stand together, by name. */
export function orderByDependency(
  modules: readonly ModuleFiles[],
  edges: readonly DependencyEdge[],
): ModuleFiles[] {
  const byLabel = new Map(modules.map((module) => [module.label, module]));
  const needs = moduleEdges(byLabel, edges);
  const search = new ComponentSearch(needs);
  for (const label of [...byLabel.keys()].sort()) search.from(label);
  return search.components.flatMap((circle) =>
    [...circle].sort().flatMap((label) => {
      const module = byLabel.get(label);
      if (module === undefined) return [];
      const needed = [...(needs.get(label) ?? [])].sort();
      const dependsOn = needed.filter((other) => !circle.includes(other));
      const inCircle = needed.filter((other) => circle.includes(other));
      return [{ ...module, dependsOn, ...(inCircle.length > 0 && { circle: inCircle }) }];
    }),
  );
}

type Needs = ReadonlyMap<string, ReadonlySet<string>>;

function moduleEdges(modules: ReadonlyMap<string, ModuleFiles>, edges: readonly DependencyEdge[]): Needs {
  const needs = new Map<string, Set<string>>([...modules.keys()].map((label) => [label, new Set()]));
  const homes = new Map(
    [...modules.values()].flatMap(({ label, files }) => files.map((file) => [file.skeleton.filePath, label])),
  );
  for (const { from, to } of edges) {
    const [user, used] = [homes.get(from), homes.get(to)];
    if (user !== undefined && used !== undefined && user !== used) needs.get(user)?.add(used);
  }
  return needs;
}

interface Visit {
  label: string;
  left: string[];
}

/** Tarjan's components with a stack of its own, since a chain of modules can be longer than the call stack. */
class ComponentSearch {
  readonly components: string[][] = [];
  readonly #needs: Needs;
  readonly #index = new Map<string, number>();
  readonly #low = new Map<string, number>();
  readonly #open: string[] = [];
  readonly #isOpen = new Set<string>();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  from(label: string): void {
    if (this.#index.has(label)) return;
    const path = [this.#enter(label)];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const next = visit.left.pop();
      if (next === undefined) {
        path.pop();
        this.#leave(visit.label, path.at(-1)?.label);
      } else if (!this.#index.has(next)) path.push(this.#enter(next));
      else if (this.#isOpen.has(next)) this.#lower(visit.label, this.#index.get(next) ?? 0);
    }
  }

  #enter(label: string): Visit {
    this.#low.set(label, this.#index.size);
    this.#index.set(label, this.#index.size);
    this.#open.push(label);
    this.#isOpen.add(label);
    return { label, left: [...(this.#needs.get(label) ?? [])].sort().reverse() };
  }

  #lower(label: string, value: number): void {
    this.#low.set(label, Math.min(this.#low.get(label) ?? value, value));
  }

  #leave(label: string, parent: string | undefined): void {
    const low = this.#low.get(label) ?? 0;
    if (parent !== undefined) this.#lower(parent, low);
    if (low !== this.#index.get(label)) return;
    const circle = this.#open.splice(this.#open.indexOf(label));
    for (const each of circle) this.#isOpen.delete(each);
    this.components.push(circle);
  }
}
