import type { SourceType } from '../ranking/scorer.ts';
import { cleanLine } from './cut/clean-line.ts';
import { type CodeLandmark, readLandmarks } from './cut/code-structure.ts';

/** What a text is, beyond what its sender called it: an agent's `code` is often the output of a tool. */
export const SHAPES = ['code', 'docs', 'logs', 'diff', 'test-run', 'search', 'listing', 'json'] as const;
export type Shape = (typeof SHAPES)[number];

export interface ClassifiedText {
  shape: Shape;
  /** The lines as patterns should see them: without colours, progress bars and line-number prefixes. */
  bare: string[];
  /** The same, line-number prefixes left in: what a scorer reads. */
  clean: string[];
  /** Imports and declarations, where the text is code. */
  landmarks: CodeLandmark[];
}

/** Enough to recognise a text; keeps the cost flat for very long ones. */
const SAMPLE_LINES = 400;

export function classify(lines: readonly string[], sourceType: SourceType): ClassifiedText {
  const clean = lines.map(cleanLine);
  const numbered = isNumbered(clean);
  const bare = numbered ? clean.map(withoutNumber) : clean;
  const landmarks = sourceType === 'code' ? readLandmarks(bare) : [];
  return { shape: shapeOf(bare, sourceType), bare, clean, landmarks };
}

const NUMBER_PREFIX = /^\s{0,8}\d{1,7}(?:[:|│→\t]| {2})/;

function isNumbered(lines: readonly string[]): boolean {
  const sample = sampleOf(lines);
  return sample.length >= 3 && share(sample, NUMBER_PREFIX) > 0.7;
}

function withoutNumber(line: string): string {
  const prefix = NUMBER_PREFIX.exec(line.slice(0, 24));
  return prefix === null ? line : line.slice(prefix[0].length);
}

function shapeOf(lines: readonly string[], sourceType: SourceType): Shape {
  const sample = sampleOf(lines);
  for (const { shape, recognise } of RECOGNISERS) {
    if (sample.length >= 3 && recognise(sample)) return shape;
  }
  return sourceType;
}

/** The head and the tail: a test run says what it is at its end. */
function sampleOf(lines: readonly string[]): string[] {
  const half = SAMPLE_LINES / 2;
  const chosen = lines.length <= SAMPLE_LINES ? lines : [...lines.slice(0, half), ...lines.slice(-half)];
  return chosen.filter((line) => line.trim() !== '').map((line) => line.slice(0, 300));
}

function share(lines: readonly string[], pattern: RegExp): number {
  if (lines.length === 0) return 0;
  return lines.filter((line) => pattern.test(line)).length / lines.length;
}

const HUNK = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/;
const CHANGED = /^[+-]/;
const FOUND = /^[\w@%+~,-]*[./\\][^\s:]{0,200}[:-]\d+(?::\d+)?[:-]/;
const LISTED =
  /^(?:[bcdlps-][rwxsStT-]{9}|total \d+$|(?:\.{0,2}\/)?[\w@.-]+(?:\/[\w@.-]+)+\/?$|[│├└─\s]*[├└]── )/;
const TEST_SUMMARY =
  /^(?:=+ .*\b(?:passed|failed|errors?|test session starts)\b.* =+$|Tests?:? +.*\b(?:passed|failed)\b|test result: |Ran \d+ tests? in |--- (?:FAIL|PASS): |(?:ok|FAIL)\s+\S+\s+[\d.]+s|# (?:pass|fail) \d+|\d+ (?:passing|failing)\b|Tests run: \d+)/;
const JSON_LINE =
  /^\s*(?:[{}[\]],?$|"(?:[^"\\]|\\.)*"\s*:|"(?:[^"\\]|\\.)*",?$|-?\d[\d.eE+-]*,?$|(?:true|false|null),?$|[}\]],?$)/;

const RECOGNISERS: readonly { shape: Shape; recognise(sample: readonly string[]): boolean }[] = [
  {
    shape: 'diff',
    recognise: (lines) => lines.some((line) => HUNK.test(line)) && share(lines, CHANGED) > 0.1,
  },
  { shape: 'test-run', recognise: (lines) => lines.some((line) => TEST_SUMMARY.test(line)) },
  { shape: 'json', recognise: (lines) => /^\s*[{[]/.test(lines[0] ?? '') && share(lines, JSON_LINE) > 0.8 },
  { shape: 'search', recognise: (lines) => share(lines, FOUND) > 0.6 },
  { shape: 'listing', recognise: (lines) => share(lines, LISTED) > 0.7 },
];
