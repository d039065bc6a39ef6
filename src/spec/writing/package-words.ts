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

const NAMES: readonly [name: string, pattern: RegExp][] = [
  ['package.json', /^\s{0,8}"name"\s*:\s*"([^"\n]+)"/m],
  ['composer.json', /^\s{0,8}"name"\s*:\s*"([^"\n]+)"/m],
  ['Cargo.toml', /^name\s*=\s*"([^"\n]+)"/m],
  ['pyproject.toml', /^name\s*=\s*"([^"\n]+)"/m],
  ['go.mod', /^module\s+(\S+)/m],
];

/** What the manifest calls the project. */
export async function readPackageName(base: string): Promise<string | undefined> {
  for (const [name, pattern] of NAMES) {
    const found = pattern.exec(await textOf(base, '.', name))?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Opens like one and ends like one. */
const SENTENCE = /^[\p{L}\p{N}`*_"'([].*[.!?:。！？：]["'`)*_\]]{0,4}$/su;

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

/** The first paragraph that is prose: no title, badge, picture, quote, list, table or markup. Sentences before slogans. */
function firstParagraph(text: string): string | undefined {
  const paragraphs = text.split(/\r?\n(?:[^\S\n]*\n)+/).map((each) => each.trim());
  const prose = paragraphs.filter(
    (each) =>
      !/^(?:#|!?\[!?|<|>|[-*+] |\||```|\.\. |={3}|-{3}|\[)/.test(each) &&
      !/\n[=~-]{3,}$/.test(each) &&
      /\p{L}{2}\S{0,80}\s.{0,40}?\p{L}/u.test(each),
  );
  const chosen = prose.find((each) => SENTENCE.test(each)) ?? prose[0];
  const flat = chosen?.replace(/\s+/g, ' ');
  return flat === undefined || flat.length <= MAX_WORDS ? flat : `${flat.slice(0, MAX_WORDS - 1)}…`;
}
