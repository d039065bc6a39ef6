import type { ScoreRequest } from '../../../scorer.ts';
import { type TermStream, wordStream } from '../../lexical/bm25.ts';
import { type CharText, readCharacters } from '../../lexical/char-text.ts';
import { type LineWords, readWords } from '../../lexical/line-words.ts';
import { readGrams } from './grams.ts';
import { headingLevels } from './headings.ts';
import { type LineKinds, readKinds } from './kinds.ts';
import { type Repetition, readRepetition } from './repetition.ts';
import { readScopes, type Scopes } from './scope.ts';
import { type LineShapes, readShapes } from './shape.ts';
import { StreamReader } from './streams.ts';

/** A text and a goal, read once in every way the features need. */
export interface Reading {
  request: ReadRequest;
  text: CharText;
  words: LineWords;
  /** The goal's terms in the lines, by kind of term. */
  terms: {
    words: TermStream;
    identifiers: TermStream;
    prefixes: TermStream;
    code: TermStream;
    grams: TermStream;
  };
  shapes: LineShapes;
  kinds: LineKinds;
  scopes: Scopes;
  repetition: Repetition;
  /** How loudly each line speaks of failure: bits of `voice.ts`. */
  voices: Uint8Array;
}

export interface ReadRequest extends Pick<ScoreRequest, 'lines' | 'sourceType'> {
  /** The focus as one text. */
  goal: string;
}

export function read(request: ReadRequest): Reading {
  const prose = request.sourceType === 'docs';
  const text = readCharacters(request.lines);
  const reader = new StreamReader(request.lines.length);
  const words = readWords(text, request.goal, reader);
  const shapes = readShapes(text);
  const { firstBits, leadBits } = reader;
  const kinds = readKinds({ text, shapes, words, firstBits, leadBits, prose });
  return {
    request,
    text,
    words,
    terms: { words: wordStream(words), ...reader.streams(), grams: readGrams(text, request.goal) },
    shapes,
    kinds,
    scopes: readScopes(shapes, kinds, headingLevels(text, shapes, kinds)),
    repetition: readRepetition(text, shapes),
    voices: reader.voices,
  };
}
