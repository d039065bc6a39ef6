import { readFileSync } from 'node:fs';

/** Returns a function that gives the code block below a heading of `test/fixtures/seeds/<name>.md`, byte for byte. */
export function seedBlocks(name: string): (heading: string) => string {
  const page = readFileSync(new URL(`../fixtures/seeds/${name}.md`, import.meta.url), 'utf8');
  const blocks = new Map<string, string>();
  for (const [, heading = '', block = ''] of page.matchAll(/^## (.*)\n\n```\w+\n([^`]*)```$/gm))
    blocks.set(heading, block);
  return (heading) => {
    const block = blocks.get(heading);
    if (block === undefined) throw new Error(`${name}.md has no block "${heading}"`);
    return block;
  };
}
