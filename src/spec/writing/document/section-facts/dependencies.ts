import type { DependencyEdge, Links, SpecFacts } from '../../../reading/facts.ts';
import type { Words } from '../../../words/words-table.ts';
import { blocks, inlineCode, table } from '../markdown.ts';

const SHOWN = 5;
/** An import of a package means all of its files: from so many on, the folder says it better. */
const MANY = 4;

export function renderDependencies({ dependencies, links }: SpecFacts, words: Words): string {
  const { internal, project, external } = dependencies;
  const { columns } = words;
  const edges = [
    ...folded(internal).map(({ from, to }) => [inlineCode(from), inlineCode(to), words.insideModule]),
    ...folded(project).map(({ from, to, first }) => [
      inlineCode(from),
      documentLink(links, to, first),
      words.insideProject,
    ]),
  ];
  const packages = external.map(({ module, usedBy }) => [inlineCode(module), usedByText(usedBy, words)]);
  return blocks(
    table([columns.file, columns.dependency, columns.reach], edges),
    table([columns.externalModule, columns.usedBy], packages),
  );
}

interface FoldedEdge extends DependencyEdge {
  /** One of the files meant. */
  first: string;
}

function folded(edges: readonly DependencyEdge[]): FoldedEdge[] {
  const groups = new Map<string, DependencyEdge[]>();
  for (const edge of edges) {
    const key = `${edge.from}\0${folderOf(edge.to)}`;
    groups.set(key, [...(groups.get(key) ?? []), edge]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length < MANY) return group.map((edge) => ({ ...edge, first: edge.to }));
    return [{ from: first.from, to: `${folderOf(first.to)}/`, first: first.to }];
  });
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/'))) || '.';
}

function documentLink({ specOf }: Links, to: string, file: string): string {
  const spec = specOf(file);
  return spec === undefined ? inlineCode(to) : `[${inlineCode(to)}](<${encodeURI(spec)}>)`;
}

function usedByText(files: readonly string[], { listComma, andMoreFiles }: Words): string {
  const shown = files.slice(0, SHOWN).map(inlineCode).join(listComma);
  return files.length > SHOWN ? andMoreFiles(shown, files.length) : shown;
}
