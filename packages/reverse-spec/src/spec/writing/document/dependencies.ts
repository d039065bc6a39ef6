import { posix } from 'node:path';
import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { LocaleStrings } from '../../locales.ts';
import type { DependencyEdge, SpecFacts } from '../../reading/facts.ts';
import { callsBetweenFiles } from './business-logic.ts';
import { below, blocks, enclosingFolder, fenced, inlineCode, markdownTable } from './markdown.ts';

const SHOWN = 5;
/** Minimum number of imported files of one folder for which only the folder is named. An import of a package refers to all its files. */
const MANY = 4;

/** Renders one row per file with its imports inside the module and the project, then the external packages. */
export function renderDependencies(facts: SpecFacts, strings: LocaleStrings): string {
  const { internal, project, external } = facts.dependencies;
  const { columns, listComma } = strings;
  const paths = facts.files.map(({ skeleton }) => skeleton.filePath);
  const folder = enclosingFolder(paths);
  const own = (path: string) => inlineCode(below(folder, path));
  const inside = grouped(internal.map(({ from, to }) => [from, to]));
  const outside = grouped(project.map(({ from, to }) => [from, to]));
  const rows = paths
    .map((path) => [
      own(path),
      (inside.get(path) ?? []).map(own).join(listComma),
      foldedLinks(outside.get(path) ?? [], facts).join(listComma),
    ])
    .filter(([, near, far]) => near !== '' || far !== '');
  const packages = external.map(({ module, usedBy }) => [
    inlineCode(module),
    usedByText(usedBy.map(own), strings),
  ]);
  const isShort = folder !== '.' && rows.length + packages.length > 0;
  return blocks(
    isShort ? strings.pathsBelow(inlineCode(`${folder}/`)) : '',
    markdownTable([columns.file, columns.insideModule, columns.insideProject], rows),
    markdownTable([columns.externalModule, columns.usedBy], packages),
  );
}

/** Returns links from files to the documents that describe them. Files of one folder become one link if there are at least `MANY`. */
function foldedLinks(paths: readonly string[], facts: SpecFacts): string[] {
  const folders = grouped(paths.map((path) => [posix.dirname(path), path]));
  return [...folders].flatMap(([folder, files]) => {
    const [first] = files;
    if (first === undefined || files.length < MANY)
      return files.map((file) => documentLink(facts, file, file));
    return [documentLink(facts, `${folder}/`, first)];
  });
}

function documentLink({ links }: SpecFacts, to: string, file: string): string {
  const spec = links.specOf(file);
  return spec === undefined ? inlineCode(to) : `[${inlineCode(to)}](<${encodeURI(spec)}>)`;
}

function usedByText(files: readonly string[], { listComma, andMoreFiles }: LocaleStrings): string {
  const shown = files.slice(0, SHOWN).join(listComma);
  return files.length > SHOWN ? andMoreFiles(shown, files.length) : shown;
}

/** Maximum number of boxes in a readable chart. */
const MAX_NODES = 25;
/** Minimum number of boxes that merging files into folders may leave. Otherwise the most connected boxes are shown. */
const MIN_NODES = 5;

/** Renders imports as a Mermaid flow chart; other files of the project are one box per folder. */
export function renderDiagram(facts: SpecFacts, strings: LocaleStrings): string {
  const nodes = facts.files.map(({ skeleton }) => skeleton.filePath);
  const { edges, remark } = edgesOf(facts, strings);
  const diagram = diagramOf({ nodes, edges, within: enclosingFolder(nodes) }, strings);
  return blocks(`### ${strings.headings.diagram}`, diagram, edges.length === 0 ? '' : remark);
}

/** Returns the edges of the diagram: imports, else calls between files, else a few external packages. */
function edgesOf(facts: SpecFacts, strings: LocaleStrings): { edges: DependencyEdge[]; remark: string } {
  const { internal, project, external } = facts.dependencies;
  const imports = [...internal, ...project.map(({ from, to }) => ({ from, to: `${posix.dirname(to)}/` }))];
  if (imports.length > 0) return { edges: imports, remark: '' };
  const calls = callsBetweenFiles(facts);
  if (calls.length > 0) return { edges: calls, remark: strings.arrowsAreCalls };
  const packages = external.flatMap(({ module, usedBy }) => usedBy.map((from) => ({ from, to: module })));
  return { edges: packages.length > MAX_PACKAGES ? [] : packages, remark: '' };
}

const MAX_PACKAGES = 12;

export interface Graph {
  /** Paths of files or folders. One that ends with a slash is outside of the module. */
  nodes: readonly string[];
  edges: readonly DependencyEdge[];
  /** Folder that labels omit. Default: the project. */
  within?: string;
}

/**
 * Renders a graph with at most `MAX_NODES` boxes. If there are more, merges files into their folders, then
 * these into the folders above.
 */
export function diagramOf(graph: Graph, strings: LocaleStrings): string {
  if (graph.edges.length === 0) return strings.noEdges;
  const { shown, left } = legible(graph);
  const edges = essentialEdges(shown.edges);
  const implied = shown.edges.length - edges.length;
  return blocks(
    fenced('mermaid', mermaidOf({ ...shown, edges, within: graph.within ?? '.' })),
    implied === 0 ? '' : strings.arrowsLeftOut(implied),
    left === 0 ? '' : strings.nodesLeftOut(left),
  );
}

function legible(graph: Graph): { shown: Graph; left: number } {
  let current = connected(lifted(graph, Number.POSITIVE_INFINITY));
  const deepest = Math.max(...current.nodes.map((node) => node.split('/').length)) - 1;
  for (let depth = deepest; current.nodes.length > MAX_NODES && depth > 0; depth -= 1) {
    const above = connected(lifted(graph, depth));
    if (above.nodes.length < MIN_NODES) break;
    current = above;
  }
  if (current.nodes.length <= MAX_NODES && current.edges.length > 0) return { shown: current, left: 0 };
  return mostUsed(current.edges.length > 0 ? current : connected(graph));
}

/** Removes boxes without edges. The file list contains their files anyway. */
function connected({ nodes, edges }: Graph): Graph {
  const used = new Set(edges.flatMap(({ from, to }) => [from, to]));
  return { nodes: [...new Set([...nodes.filter((node) => used.has(node)), ...used])], edges };
}

/** Shortens paths to `depth` segments. Equal edges become one. */
function lifted({ nodes, edges }: Graph, depth: number): Graph {
  const cut = (path: string) => {
    const short = path.split('/').slice(0, depth).join('/');
    return isOutside(path) && !isOutside(short) ? `${short}/` : short;
  };
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

function mermaidOf({ nodes, edges, within }: Required<Graph>): string {
  const ids = new Map(nodes.map((name, at) => [name, `n${at}`]));
  // Folders are not drawn as subgraphs, because Mermaid draws misleading edges around them.
  const boxes = [...ids].map(
    ([name, id]) => `  ${id}["${label(isOutside(name) ? name : below(within, name))}"]`,
  );
  const arrows = edges.map(({ from, to }) => `  ${ids.get(from)} --> ${ids.get(to)}`);
  return ['graph LR', ...boxes, ...arrows].join('\n');
}

function isOutside(name: string): boolean {
  return name.endsWith('/');
}

/** Returns a label. Special characters become entities, so that a file name cannot end the label. */
function label(name: string): string {
  return name.replace(/[#"<>&`;\\[\]{}()|]/g, (char) => `#${char.charCodeAt(0)};`);
}

/**
 * Removes edges that others imply (transitive reduction): `a → c` is removed if there are `a → b` and `b →
 * c`. Reachability does not change, even with cycles.
 */
function essentialEdges(edges: readonly DependencyEdge[]): DependencyEdge[] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of edges) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  return edges.filter(({ from, to }) => {
    targets.get(from)?.delete(to);
    const isImplied = reaches(from, to, targets);
    if (!isImplied) targets.get(from)?.add(to);
    return !isImplied;
  });
}

function reaches(from: string, to: string, targets: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const seen = new Set<string>();
  const waiting = [from];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const next of targets.get(at) ?? []) {
      if (next === to) return true;
      if (!seen.has(next)) waiting.push(next);
      seen.add(next);
    }
  }
  return false;
}
