import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sourceText } from '../reading/source-text.ts';

/** A sentence of a model and the lines it rests on. */
export interface Claim {
  section: string;
  /** The beginning of the sentence, for reports. */
  text: string;
  /** Relative to the project. */
  path: string;
  startLine: number;
  endLine: number;
  /** Hash of the lines as they were, without spaces at their ends. */
  hash: string;
}

export function hashOfLines(lines: readonly string[], startLine: number, endLine: number): string {
  const shown = lines.slice(startLine - 1, endLine).map((line) => line.trim());
  return hash('sha256', shown.join('\n')).slice(0, 16);
}

/** The claims whose lines are not in their file any more. Lines that only moved are still there. */
export async function staleClaims(claims: readonly Claim[], base: string): Promise<Claim[]> {
  const texts = new Map<string, string[]>();
  const stale: Claim[] = [];
  for (const claim of claims) {
    const lines = texts.get(claim.path) ?? (await linesOf(join(base, claim.path)));
    texts.set(claim.path, lines);
    if (!isThere(claim, lines)) stale.push(claim);
  }
  return stale;
}

function isThere({ startLine, endLine, hash: before }: Claim, lines: readonly string[]): boolean {
  if (hashOfLines(lines, startLine, endLine) === before) return true;
  const height = endLine - startLine;
  return lines.some((_, at) => hashOfLines(lines, at + 1, at + 1 + height) === before);
}

async function linesOf(file: string): Promise<string[]> {
  const text = await readFile(file).then(sourceText, () => '');
  return text.split('\n');
}
