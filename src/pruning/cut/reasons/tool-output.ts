import type { ClassifiedText } from '../classify.ts';
import { nearestOwner } from './owners.ts';
import type { Reasons } from './reason.ts';

const FOUND_IN = /^([\w@%+~,-]*[./\\][^\s:]{0,200})[:-]\d+/;
const KEY = /^(\s*)"([^"\\]{1,60})"\s*:\s*[[{]\s*$/;

/** Search results are named after the file they stand in, or counted. */
export function searchReasons({ bare }: ClassifiedText): Reasons {
  return ({ start, end }) => {
    const files = new Set(bare.slice(start - 1, end).map((line) => FOUND_IN.exec(line)?.[1] ?? ''));
    files.delete('');
    const [only = ''] = files;
    if (files.size === 0) return { french: 'hors focus: résultats de recherche', english: 'matches' };
    const where = files.size === 1 ? { french: only, english: only } : counted(files.size);
    return { french: `hors focus: résultats dans ${where.french}`, english: `matches in ${where.english}` };
  };
}

function counted(files: number) {
  return { french: `${files} fichiers`, english: `${files} files` };
}

/** A piece of JSON is named after the key it stands under. */
export function jsonReasons({ bare }: ClassifiedText): Reasons {
  const keyOf = nearestOwner(keysIn(bare));
  return ({ start }) => {
    const owner = keyOf(start - 1, indentOf(bare[start - 1]));
    if (owner === undefined) return { french: 'hors focus: données JSON', english: 'JSON' };
    return { french: `hors focus: clé ${owner.key}`, english: `key ${owner.key}` };
  };
}

function keysIn(lines: readonly string[]): { index: number; indent: number; key: string }[] {
  return lines.flatMap((line, index) => {
    const [, indent = '', key] = KEY.exec(line.slice(0, 200)) ?? [];
    return key === undefined ? [] : [{ index, indent: indent.length, key }];
  });
}

function indentOf(line: string | undefined): number {
  return (line ?? '').slice(0, 200).search(/\S|$/);
}
