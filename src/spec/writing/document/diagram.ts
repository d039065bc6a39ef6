import type { DependencyEdge, SpecFacts } from '../../reading/facts.ts';
import type { Words } from '../../words/words-table.ts';
import { blocks, fenced } from './markdown.ts';

/** More boxes than this and nobody sees anything. */
const MAX_NODES = 25;
const MIN_NODES = 4;

/** Who imports whom, as a Mermaid flow chart; packages from outside where there is nothing else to show. */
export function renderDiagram(facts: SpecFacts, words: Words): string {
  const { internal, project, external } = facts.dependencies;
  const inside = [...internal, ...project];
  const edges =
    inside.length > 0
      ? inside
      : external.flatMap(({ module, usedBy }) => usedBy.map((from) => ({ from, to: module })));
  const nodes = facts.files.map(({ skeleton }) => skeleton.filePath);
  return blocks(`### ${words.headings.diagram}`, diagramOf({ nodes, edges }, words));
}

export interface Graph {
  nodes: readonly string[];
  edges: readonly DependencyEdge[];
}

/** At most so many boxes, grouped by folder: files give way to their folders, and those to the ones above. */
export function diagramOf(graph: Graph, words: Words): string {
  if (graph.edges.length === 0) return words.noEdges;
  const { shown, left } = legible(graph);
  return blocks(fenced('mermaid', mermaidOf(shown)), left === 0 ? '' : words.nodesLeftOut(left));
}

function legible(graph: Graph): { shown: Graph; left: number } {
  let current = connected(graph);
  for (let depth = deepest(current); current.nodes.length > MAX_NODES && depth > 0; depth -= 1) {
    const above = connected(lifted(graph, depth));
    // Two boxes tell less than the busiest of forty.
    if (above.nodes.length < MIN_NODES) break;
    current = above;
  }
  if (current.nodes.length <= MAX_NODES && current.edges.length > 0) return { shown: current, left: 0 };
  return mostUsed(current.edges.length > 0 ? current : connected(graph));
}

/** A box without an arrow says what the file list says. */
function connected({ nodes, edges }: Graph): Graph {
  const used = new Set(edges.flatMap(({ from, to }) => [from, to]));
  return { nodes: [...new Set([...nodes.filter((node) => used.has(node)), ...used])], edges };
}

function deepest({ nodes }: Graph): number {
  return Math.max(...nodes.map((node) => node.split('/').length)) - 1;
}

function lifted({ nodes, edges }: Graph, depth: number): Graph {
  const cut = (path: string) => path.split('/').slice(0, depth).join('/');
  const pairs = edges
    .map(({ from, to }) => ({ from: cut(from), to: cut(to) }))
    .filter(({ from, to }) => from !== to);
  return {
    nodes: nodes.map(cut),
    edges: [...new Map(pairs.map((pair) => [`${pair.from}\0${pair.to}`, pair])).values()],
  };
}

function mostUsed({ nodes, edges }: Graph): { shown: Graph; left: number } {
  const uses = new Map<string, number>();
  for (const { from, to } of edges) for (const node of [from, to]) uses.set(node, (uses.get(node) ?? 0) + 1);
  const kept = new Set(
    [...nodes].sort((one, other) => (uses.get(other) ?? 0) - (uses.get(one) ?? 0)).slice(0, MAX_NODES),
  );
  const between = edges.filter(({ from, to }) => kept.has(from) && kept.has(to));
  return {
    shown: { nodes: nodes.filter((node) => kept.has(node)), edges: between },
    left: nodes.length - kept.size,
  };
}

function mermaidOf({ nodes, edges }: Graph): string {
  const ids = new Map(nodes.map((name, at) => [name, `n${at}`]));
  const arrows = edges.flatMap(({ from, to }) => {
    const [tail, head] = [ids.get(from), ids.get(to)];
    return tail === undefined || head === undefined ? [] : [`  ${tail} --> ${head}`];
  });
  return ['graph LR', ...grouped(ids), ...new Set(arrows)].join('\n');
}

/** One frame a folder when there are several with more than one box. */
function grouped(ids: ReadonlyMap<string, string>): string[] {
  const folders = new Map<string, string[]>();
  for (const name of ids.keys()) folders.set(folderOf(name), [...(folders.get(folderOf(name)) ?? []), name]);
  const isUseful = folders.size > 1 && [...folders.values()].some((names) => names.length > 1);
  if (!isUseful) return [...ids].map(([name, id]) => `  ${id}["${label(name)}"]`);
  return [...folders].flatMap(([folder, names], at) => [
    `  subgraph g${at}["${label(folder)}"]`,
    ...names.map(
      (name) => `    ${ids.get(name)}["${label(name.slice(folder === '.' ? 0 : folder.length + 1))}"]`,
    ),
    '  end',
  ]);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/'))) || '.';
}

/** Mermaid reads entities inside quotes: nothing in a file name can end the label. */
function label(name: string): string {
  return name.replace(/[#"<>&`;\\[\]{}()|]/g, (char) => `#${char.charCodeAt(0)};`);
}
