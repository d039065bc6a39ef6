import type { LineRange } from '../../text/lines.ts';
import type { ClassifiedText } from '../classify.ts';
import { logReasons } from './logs.ts';

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

const FARTHEST = 2000;

/** A piece of JSON is named after the key it stands under. */
export function jsonReasons({ bare }: ClassifiedText): (range: LineRange) => string {
  return ({ start }) => {
    const depth = indentOf(bare[start - 1]);
    for (let index = start - 2; index >= 0 && index > start - FARTHEST; index -= 1) {
      const [, indent = '', key] = KEY.exec((bare[index] ?? '').slice(0, 200)) ?? [];
      if (key !== undefined && indent.length < depth) return `hors focus: clé ${key}`;
    }
    return 'hors focus: données JSON';
  };
}

function indentOf(line: string | undefined): number {
  return (line ?? '').slice(0, 200).search(/\S|$/);
}
