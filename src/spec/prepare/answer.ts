import type { ContextLayout } from '../context.ts';
import type { Piece } from './chunks.ts';
import { inside, mergedHead } from './merged.ts';
import { parts } from './record.ts';
import { type StoredFacts, type StoredFiles, sliceOf } from './stored-facts.ts';

export interface AnswerContents {
  /** How the target is called outside. */
  label: string;
  files: StoredFiles;
  notes: Readonly<Record<string, string>>;
  filePaths: readonly string[];
  /** The merged skeleton behind its exports. */
  mergedTail: Piece;
  context: ContextLayout;
}

/** The answer of `prepare` as JSON, put together from what is stored: bytes are copied, nothing is parsed. */
export function* answerPieces(contents: AnswerContents): Generator<Piece> {
  const { files, filePaths, notes, context } = contents;
  yield '{"skeletons":[';
  yield* listed(files, (file) => sliceOf(file, parts.skeleton));
  yield '],"mergedSkeleton":';
  yield* mergedSkeleton(contents);
  yield ',"context":{"prompt":"';
  yield* promptPieces(files, context);
  yield `",${inside(context.figures)}}`;
  yield ',"filePaths":[';
  yield* pathPieces(filePaths);
  yield `],"notes":${JSON.stringify(notes)}}`;
}

const PATHS_A_PIECE = 500;

function* pathPieces(paths: readonly string[]): Generator<string> {
  for (let at = 0; at < paths.length; at += PATHS_A_PIECE)
    yield (at === 0 ? '' : ',') + inside(paths.slice(at, at + PATHS_A_PIECE));
}

function* listed(
  files: Iterable<StoredFacts>,
  slice: (file: StoredFacts) => Exclude<Piece, string>,
): Generator<Piece> {
  let isFirst = true;
  for (const file of files) {
    const piece = slice(file);
    if (piece.length === 0) continue;
    if (!isFirst) yield ',';
    yield piece;
    isFirst = false;
  }
}

/** All files of the target as one; each export says where it lives. */
function* mergedSkeleton({ label, files, mergedTail }: AnswerContents): Generator<Piece> {
  yield `{${mergedHead(label, files)},"exports":[`;
  yield* listed(files, (file) => sliceOf(file, parts.exports));
  yield '],';
  yield mergedTail;
  yield '}';
}

const BETWEEN = '\\n\\n';

/** The prompt as the inside of a JSON string. */
function* promptPieces(files: StoredFiles, { opening, rest }: ContextLayout): Generator<Piece> {
  yield opening.map(inside).join(BETWEEN);
  for (const file of files) {
    yield BETWEEN;
    yield sliceOf(file, parts.outline);
  }
  for (const text of rest) yield BETWEEN + inside(text);
}
