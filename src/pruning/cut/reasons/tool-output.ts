import type { ClassifiedText } from '../classify.ts';
import { type KeyLine, keysIn, sectionsIn } from '../keys.ts';
import { nearestOwner } from './owners.ts';
import type { Reasons } from './reason.ts';

const FOUND_IN = /^([\w@%+~,-]*[./\\][^\s:]{0,200})[:-]\d+/;

/** Search results are named after the file they stand in, or counted. */
export function searchReasons({ bare }: ClassifiedText): Reasons {
  return ({ start, end }) => {
    const files = new Set(bare.slice(start - 1, end).map((line) => FOUND_IN.exec(line)?.[1] ?? ''));
    files.delete('');
    const [only = ''] = files;
    if (files.size === 0) return { french: 'hors focus: résultats de recherche', english: 'matches' };
    const where = files.size === 1 ? { french: only, english: only } : countedFiles(files.size);
    return { french: `hors focus: résultats dans ${where.french}`, english: `matches in ${where.english}` };
  };
}

function countedFiles(files: number) {
  return { french: `${files} fichiers`, english: `${files} files` };
}

/** What entries and rows are is plain from those that stay; how many they are, a compact marker says by its numbers. */
export function counted(french: string): () => Reasons {
  return () =>
    ({ start, end }) => ({ french: `hors focus: ${end - start + 1} ${french}`, english: '' });
}

/** A piece of data is named after the key or the section it stands under. */
export function dataReasons({ bare }: ClassifiedText): Reasons {
  const sections = sectionsIn(bare);
  const sectionOf = nearestOwner(sections);
  if (sections.length > 0) return ({ start }) => namedKey(sectionOf(start, 1));
  const keyOf = nearestOwner(keysIn(bare));
  return ({ start }) => namedKey(keyOf(start - 1, indentOf(bare[start - 1])));
}

function namedKey(owner: KeyLine | undefined) {
  if (owner === undefined) return { french: 'hors focus: données', english: 'data' };
  return { french: `hors focus: clé ${owner.key}`, english: `key ${owner.key}` };
}

function indentOf(line: string | undefined): number {
  return (line ?? '').slice(0, 200).search(/\S|$/);
}
