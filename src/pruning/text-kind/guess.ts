import type { SourceType } from '../../ranking/scorer.ts';
import { cleanLine } from '../cut/clean-line.ts';
import { structureAt } from '../cut/code-patterns.ts';

const SAMPLE_CHARS = 40_000;
const LOG_LINE =
  /^\W{0,3}(?:\d{4}[-/]\d\d[-/]\d\d[T ]|\d\d:\d\d:\d\d|[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d|(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b)/;
const PROSE_LINE = /^(?:#{1,6} |[-*] |\d+\. |> )?["'(*_`]{0,3}\p{L}[^;{}=<>]{30,}[.,:;)\w]$/u;
const CODE_LINE =
  /[;{}]\s*$|^\s*(?:return|if|for|while|else|elif|try|except)\b.*[:{(;]|^\s+[\w.$]+\s*(?:=|\()|=>|::/;

/** What a text without a label is. Code unless its lines look more like a log or like prose. */
export function guessSourceType(text: string): SourceType {
  const lines = sampleOf(text);
  const count = (test: (line: string) => boolean) => lines.filter(test).length;
  const logs = count((line) => LOG_LINE.test(line));
  if (logs > lines.length / 3) return 'logs';
  const prose = count((line) => PROSE_LINE.test(line) || /^#{1,6} /.test(line));
  if (prose <= lines.length / 4) return 'code';
  return prose > count(isCodeLine) ? 'docs' : 'code';
}

/** Whether a text is code or a document beyond doubt, not for want of something better. */
export function isWritten(text: string, guess: SourceType): boolean {
  const lines = sampleOf(text);
  // A trace quotes code, and a bar looks like an arrow.
  if (lines.some((line) => PRINTED.test(line))) return false;
  if (guess === 'docs') return lines.filter((line) => HEADING.test(line)).length >= FEW_HEADINGS;
  return guess === 'code' && lines.filter(isCodeLine).length > lines.length * MOSTLY;
}

const PRINTED = /^\s*Traceback \(most recent call last\)|^goroutine \d+ \[|===>/;
const HEADING = /^#{1,6} \p{L}/u;
const FEW_HEADINGS = 2;
const MOSTLY = 0.3;

function sampleOf(text: string): string[] {
  return text
    .slice(0, SAMPLE_CHARS)
    .split('\n')
    .map((line) => cleanLine(line).slice(0, 240))
    .filter((line) => line.trim() !== '');
}

function isCodeLine(line: string): boolean {
  return CODE_LINE.test(line) || structureAt(line) !== undefined;
}
