import type { LineRange } from '../../text/lines.ts';
import type { ClassifiedText } from '../classify.ts';
import { logReasons } from './logs.ts';
import { nearestOwner } from './owners.ts';

const FOUND_IN = /^([\w@%+~,-]*[./\\][^\s:]{0,200})[:-]\d+/;
const PASSED = /\b(?:PASS(?:ED)?|ok)\b|^\s*[✓✔√]|\.\.\. ok$/;
const KEY = /^(\s*)"([^"\\]{1,60})"\s*:\s*[[{]\s*$/;

/** Search results are named after the file they stand in, or counted. */
export function searchReasons({ bare }: ClassifiedText): (range: LineRange) => string {
  return ({ start, end }) => {
    const files = new Set(bare.slice(start - 1, end).map((line) => FOUND_IN.exec(line)?.[1] ?? ''));
    files.delete('');
    const [only] = files;
    if (files.size === 1) return `hors focus: résultats dans ${only}`;
    return files.size === 0
      ? 'hors focus: résultats de recherche'
      : `hors focus: résultats dans ${files.size} fichiers`;
  };
}

/** Tests that passed are counted; the rest of a test run reads like a log. */
export function testRunReasons(text: ClassifiedText): (range: LineRange) => string {
  const asLog = logReasons(text);
  return (range) => {
    const block = text.bare.slice(range.start - 1, range.end);
    const passed = block.filter((line) => PASSED.test(line)).length;
    return passed > block.length / 2 ? `hors focus: ${passed} tests réussis` : asLog(range);
  };
}

/** A piece of JSON is named after the key it stands under. */
export function jsonReasons({ bare }: ClassifiedText): (range: LineRange) => string {
  const keyOf = nearestOwner(keysIn(bare));
  return ({ start }) => {
    const owner = keyOf(start - 1, indentOf(bare[start - 1]));
    return owner === undefined ? 'hors focus: données JSON' : `hors focus: clé ${owner.key}`;
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
