import { hash } from 'node:crypto';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import { specError } from './messages.ts';
import { type PrepareRequest, type PrepareResult, prepare } from './prepare.ts';
import type { ReadingParts } from './reading-parts.ts';

export interface PageRequest extends PrepareRequest {
  /** Limit of the page; a line is never cut. */
  maxTokens: number;
  /** End of the page before it. */
  cursor?: string;
}

/** A part of what a model would be given about the target: every fact once, as text. */
export interface PreparedPage {
  text: string;
  about: PageSummary;
}

export interface PageSummary {
  target: string;
  files: number;
  /** Listed and not read. */
  unread: number;
  exports: number;
  /** Tokens of the whole, then of this page. */
  tokenCount: number;
  pageTokens: number;
  /** 1-based and inclusive. */
  lines: { from: number; to: number; of: number };
  truncatedParts: string[];
  /** Missing on the last page. */
  nextCursor?: string;
}

/** One page of `prepare`. Calls share nothing: each reads the target again, from the cache where nothing changed. */
export async function preparePage(request: PageRequest, parts: ReadingParts): Promise<PreparedPage> {
  const result = await prepare(request, parts);
  const lines = result.context.prompt.split('\n');
  const edition = hash('sha256', result.context.prompt).slice(0, EDITION_LETTERS);
  const start = request.cursor === undefined ? 0 : startOf(request.cursor, edition);
  const { end, tokens } = endOf(lines, start, request.maxTokens);
  return {
    text: lines.slice(start, end).join('\n'),
    about: {
      ...summaryOf(result),
      pageTokens: tokens,
      lines: { from: start + 1, to: end, of: lines.length },
      ...(end < lines.length && { nextCursor: `${end}.${edition}` }),
    },
  };
}

const EDITION_LETTERS = 12;

function startOf(cursor: string, edition: string): number {
  const [, line, of] = /^(\d{1,9})\.([0-9a-f]{12})$/.exec(cursor) ?? [];
  if (line === undefined) throw specError('invalid_cursor', { cursor: cursor.slice(0, 40) });
  if (of !== edition) throw specError('cursor_outdated', {});
  return Number(line);
}

/** At least one line, or nothing would ever be got past a long one. */
function endOf(lines: readonly string[], start: number, maxTokens: number) {
  let [end, tokens] = [start, 0];
  while (end < lines.length) {
    const next = estimateTokens(lines[end] ?? '') + 1;
    if (end > start && tokens + next > maxTokens) break;
    [end, tokens] = [end + 1, tokens + next];
  }
  return { end, tokens };
}

function summaryOf({ context, mergedSkeleton, filePaths, notes }: PrepareResult) {
  return {
    target: mergedSkeleton.filePath,
    files: filePaths.length,
    unread: Object.keys(notes).length,
    exports: mergedSkeleton.exports.length,
    tokenCount: context.tokenCount,
    truncatedParts: context.truncatedParts,
  };
}
