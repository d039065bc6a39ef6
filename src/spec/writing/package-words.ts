import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { redactSecrets } from '../../redaction/redact.ts';
import type { PackageWords } from '../reading/facts.ts';

const MAX_WORDS = 600;
const READMES = ['README.md', 'README.markdown', 'README.rst', 'README.txt', 'README', 'readme.md'];
const DESCRIPTIONS: readonly [name: string, pattern: RegExp][] = [
  ['package.json', /"description"\s*:\s*"((?:[^"\\]|\\.)+)"/],
  ['composer.json', /"description"\s*:\s*"((?:[^"\\]|\\.)+)"/],
  ['Cargo.toml', /^description\s*=\s*"((?:[^"\\]|\\.)+)"/m],
  ['pyproject.toml', /^description\s*=\s*"((?:[^"\\]|\\.)+)"/m],
];

/** What a folder's README, or its manifest, says it is for. */
export async function readPackageWords(base: string, folder: string): Promise<PackageWords | undefined> {
  for (const name of READMES) {
    const words = firstParagraph(await textOf(base, folder, name));
    if (words !== undefined) return { path: posix.join(folder, name), words };
  }
  for (const [name, pattern] of DESCRIPTIONS) {
    const words = pattern.exec(await textOf(base, folder, name))?.[1];
    if (words !== undefined) return { path: posix.join(folder, name), words };
  }
  return undefined;
}

async function textOf(base: string, folder: string, name: string): Promise<string> {
  return readFile(join(base, folder, name), 'utf8').then(redactSecrets, () => '');
}

/** The first paragraph that is prose: no title, badge, picture, quote, list, table or markup. */
function firstParagraph(text: string): string | undefined {
  const paragraphs = text.split(/\r?\n(?:[^\S\n]*\n)+/).map((each) => each.trim());
  const prose = paragraphs.find(
    (each) =>
      !/^(?:#|!?\[!?|<|>|[-*+] |\||```|\.\. |={3}|-{3}|\[)/.test(each) &&
      !/\n[=~-]{3,}$/.test(each) &&
      /\p{L}{2}\S{0,80}\s.{0,40}?\p{L}/u.test(each),
  );
  return prose?.replace(/\s+/g, ' ').slice(0, MAX_WORDS);
}
