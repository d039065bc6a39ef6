import { posix } from 'node:path';
import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { DependencyEdge, SpecFacts } from '../../../reading/facts.ts';
import type { Words } from '../../../words.ts';
import { below, enclosingFolder } from '../../spec-paths.ts';
import { blocks, inlineCode, table } from '../markdown.ts';

const SHOWN = 5;
/** An import of a package means all of its files: from so many on, the folder says it better. */
const MANY = 4;

/** A row a file: what it imports of its own module and of the rest of the project; then packages from outside. */
export function renderDependencies(facts: SpecFacts, words: Words): string {
  const { internal, project, external } = facts.dependencies;
  const { columns, listComma } = words;
  const paths = facts.files.map(({ skeleton }) => skeleton.filePath);
  const folder = enclosingFolder(paths);
  const own = (path: string) => inlineCode(below(folder, path));
  const inside = targetsOf(internal);
  const outside = targetsOf(project);
  const rows = paths
    .map((path) => [
      own(path),
      (inside.get(path) ?? []).map(own).join(listComma),
      foldedLinks(outside.get(path) ?? [], facts).join(listComma),
    ])
    .filter(([, near, far]) => near !== '' || far !== '');
  const packages = external.map(({ module, usedBy }) => [
    inlineCode(module),
    usedByText(usedBy.map(own), words),
  ]);
  const isShort = folder !== '.' && rows.length + packages.length > 0;
  return blocks(
    isShort ? words.pathsBelow(inlineCode(`${folder}/`)) : '',
    table([columns.file, columns.insideModule, columns.insideProject], rows),
    table([columns.externalModule, columns.usedBy], packages),
  );
}

function targetsOf(edges: readonly DependencyEdge[]): Map<string, string[]> {
  return grouped(edges.map(({ from, to }) => [from, to]));
}

/** Links to the documents that tell of them; many files of one folder are the folder. */
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

function usedByText(files: readonly string[], { listComma, andMoreFiles }: Words): string {
  const shown = files.slice(0, SHOWN).join(listComma);
  return files.length > SHOWN ? andMoreFiles(shown, files.length) : shown;
}
