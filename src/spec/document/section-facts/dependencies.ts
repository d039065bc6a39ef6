import type { SpecFacts } from '../../facts.ts';
import type { Words } from '../../words/words-table.ts';
import { blocks, inlineCode, table } from '../markdown.ts';

const SHOWN = 5;

export function renderDependencies({ dependencies, links }: SpecFacts, words: Words): string {
  const { internal, project, external } = dependencies;
  const { columns } = words;
  const edges = [
    ...internal.map(({ from, to }) => [inlineCode(from), inlineCode(to), words.insideModule]),
    ...project.map(({ from, to }) => {
      const spec = links.specOf(to);
      const target = spec === undefined ? inlineCode(to) : `[${inlineCode(to)}](<${encodeURI(spec)}>)`;
      return [inlineCode(from), target, words.insideProject];
    }),
  ];
  const packages = external.map(({ module, usedBy }) => [inlineCode(module), usedByText(usedBy, words)]);
  return blocks(
    table([columns.file, columns.dependency, columns.reach], edges),
    table([columns.externalModule, columns.usedBy], packages),
  );
}

function usedByText(files: readonly string[], { listComma, andMoreFiles }: Words): string {
  const shown = files.slice(0, SHOWN).map(inlineCode).join(listComma);
  return files.length > SHOWN ? andMoreFiles(shown, files.length) : shown;
}
