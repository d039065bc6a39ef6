import type { DependencyEdge, SpecFacts } from '../facts.ts';
import type { Words } from '../words/words-table.ts';
import { blocks, fenced } from './markdown.ts';

/** More boxes than this and nobody sees anything: files give way to their folders. */
const MAX_NODES = 40;

/** Who imports whom, as a Mermaid flow chart. */
export function renderDiagram(facts: SpecFacts, { headings }: Words): string {
  const edges = [...facts.dependencies.internal, ...facts.dependencies.project];
  const nodes = facts.files.map(({ skeleton }) => skeleton.filePath);
  const graph = nodes.length > MAX_NODES ? byFolder(nodes, edges) : { nodes, edges };
  return blocks(`### ${headings.diagram}`, fenced('mermaid', mermaidOf(graph)));
}

interface Graph {
  nodes: readonly string[];
  edges: readonly DependencyEdge[];
}

export function mermaidOf({ nodes, edges }: Graph): string {
  const ids = new Map<string, string>();
  for (const name of [...nodes, ...edges.flatMap(({ from, to }) => [from, to])]) {
    if (ids.size < MAX_NODES * 2 && !ids.has(name)) ids.set(name, `n${ids.size}`);
  }
  const boxes = [...ids].map(([name, id]) => `  ${id}["${label(name)}"]`);
  const arrows = edges.flatMap(({ from, to }) => {
    const [tail, head] = [ids.get(from), ids.get(to)];
    return tail === undefined || head === undefined ? [] : [`  ${tail} --> ${head}`];
  });
  return ['graph LR', ...boxes, ...new Set(arrows)].join('\n');
}

/** Mermaid reads entities inside quotes: nothing in a file name can end the label. */
function label(name: string): string {
  return name.replace(/[#"<>&`;\\[\]{}()|]/g, (char) => `#${char.charCodeAt(0)};`);
}

function byFolder(nodes: readonly string[], edges: readonly DependencyEdge[]): Graph {
  const folder = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/'))) || '.';
  const lifted = edges.map(({ from, to }) => ({ from: folder(from), to: folder(to) }));
  return {
    nodes: [...new Set(nodes.map(folder))],
    edges: lifted.filter(({ from, to }) => from !== to),
  };
}
