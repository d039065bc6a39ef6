import { goalWeights, hasTerms, scoreTerms, type TermStream, TermTally } from '../../../lexical-scorer.ts';
import type { LineWords } from '../../lexical/line-words.ts';
import { type CharText, readCharacters } from '../../lexical/words.ts';
import {
  blurred,
  type Column,
  type ColumnGroup,
  fadingDown,
  fadingUp,
  logged,
  nearbyMaximum,
  percentiles,
  relative,
  smoothed,
} from './columns.ts';
import type { Reading } from './reading.ts';
import { type LineShapes, readShapes } from './shape.ts';
import { rarityWeights } from './streams.ts';
/** Scores of each line against the goal, for several ways of comparing words. */
export interface GoalScores {
  words: Float64Array;
  title: Float64Array;
  weighed: Float64Array;
  identifiers: Float64Array;
  prefixes: Float64Array;
  code: Float64Array;
  grams: Float64Array;
}

export function scoreGoal({ terms, words, request }: Reading): GoalScores {
  const byRarity = (stream: TermStream, b: number) =>
    scoreTerms(stream, { weights: rarityWeights(stream), b });
  return {
    words: scoreTerms(terms.words, { weights: goalWeights(words), b: 0.75 }),
    title: scoreTerms(terms.words, { weights: titleWeights(words, request.goal), b: 0.75 }),
    weighed: scoreTerms(terms.words, { weights: weighedWords(words), b: 0.75 }),
    identifiers: byRarity(terms.identifiers, 0.75),
    prefixes: byRarity(terms.prefixes, 0.75),
    code: byRarity(terms.code, 0.3),
    grams: byRarity(terms.grams, 0),
  };
}

/** Returns the IDF of each word, times its learned importance: low for `fix` and `support`, high for names. */
export function weighedWords(words: LineWords): Float64Array {
  return goalWeights(words).map((weight, word) => weight * importanceOf(words.vocabulary.hashOf(word)));
}

/** Returns the weights of the words in the goal's first line; 0 for its other words. */
export function titleWeights(words: LineWords, goal: string): Float64Array {
  const title = goal.trimStart().split('\n', 1)[0] ?? '';
  const share = goal.length === 0 ? 0 : title.length / goal.trimStart().length;
  const titleWords = Math.ceil(words.goalSequence.length * Math.min(1, share));
  const inTitle = new Set(words.goalSequence.subarray(0, titleWords));
  return goalWeights(words).map((weight, word) => (inTitle.has(word) ? weight : 0));
}

/** Scores relative to the best line of each kind. */
export type RelativeScores = Readonly<Record<keyof GoalScores, Column>>;

export function relativeScores(scores: GoalScores): RelativeScores {
  const { words, title, weighed, identifiers, prefixes, code, grams } = scores;
  return {
    words: relative(words),
    title: relative(title),
    weighed: relative(weighed),
    identifiers: relative(identifiers),
    prefixes: relative(prefixes),
    code: relative(code),
    grams: relative(grams),
  };
}

/** Returns three columns per score: relative to the best line, as a logarithm, and as a rank. */
export function goalColumns(
  reading: Reading,
  scores: GoalScores,
  againstBest: RelativeScores,
): ColumnGroup[] {
  const each = (Object.entries(scores) as [keyof GoalScores, Float64Array][]).map(([name, values]) => ({
    [`${name}.relative`]: againstBest[name],
    [`${name}.logged`]: logged(values),
    [`${name}.rank`]: percentiles(values),
  }));
  const matches = readMatches(reading.words, reading.terms.words);
  const hints = lineHints(reading.request.goal, reading.shapes);
  const quotes = quotedLines(reading);
  return [
    ...each,
    {
      'match.coverage': matches.coverage,
      'match.distinct': logged(matches.distinct),
      'match.rarest': relative(matches.rarest),
      'match.pairs': logged(matches.pairs),
      'match.pairShare': matches.pairShare,
      'quote.down': fadingDown(quotes, 0.8),
      'quote.up': fadingUp(quotes, 0.8),
      'hint.down': fadingDown(hints, 0.8),
      'hint.up': fadingUp(hints, 0.8),
    },
  ];
}

/** Returns columns for the scores of neighbouring lines. */
export function neighbourColumns({
  words: base,
  identifiers: exact,
  code,
  weighed,
  title,
}: RelativeScores): ColumnGroup {
  const near = smoothed(base);
  return {
    'near.smooth': near,
    'near.smoothRank': percentiles(near),
    'near.exact': smoothed(exact),
    'near.mean4': blurred(base, 4),
    'near.mean12': blurred(base, 12),
    'near.mean30': relative(blurred(base, 30)),
    'near.max3': nearbyMaximum(base, 3),
    'near.max10': nearbyMaximum(base, 10),
    'near.down': fadingDown(base, 0.85),
    'near.up': fadingUp(base, 0.85),
    'near.weighed': smoothed(weighed),
    'near.weighed4': blurred(weighed, 4),
    'near.weighed12': blurred(weighed, 12),
    'near.weighedDown': fadingDown(weighed, 0.9),
    'near.weighedUp': fadingUp(weighed, 0.9),
    'near.title': smoothed(title),
    'near.code': smoothed(code),
    'near.codeDown': fadingDown(code, 0.9),
    'near.codeUp': fadingUp(code, 0.9),
    'near.exactDown': fadingDown(exact, 0.9),
    'near.exactUp': fadingUp(exact, 0.9),
  };
}

const HINT = /(?:\bline[s ]\s*#?|\bL|:)(\d{1,6})\b/gi;
const MAX_HINTS = 64;
const MAX_SEARCHED_CHARS = 20_000;

/**
 * Returns how near each line is to a line number in the goal (`line 12`, `L12`, `file.ts:12`), 1 at the line
 * itself.
 */
function lineHints(goal: string, shapes: LineShapes): Column {
  const wanted = hintedNumbers(goal);
  const nearness = new Float32Array(shapes.numbers.length);
  if (wanted.size === 0) return nearness;
  for (let line = 0; line < nearness.length; line += 1) {
    if (wanted.has(shapes.numbers[line] as number)) nearness[line] = 1;
  }
  return nearness;
}

function hintedNumbers(goal: string): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const match of goal.slice(0, MAX_SEARCHED_CHARS).matchAll(HINT)) {
    numbers.add(Number(match[1]));
    if (numbers.size === MAX_HINTS) break;
  }
  return numbers;
}

const MIN_QUOTE = 8;
const MAX_GOAL_LINES = 2000;

/** Returns 1 for lines that the goal quotes, in a traceback or an excerpt. Indentation does not count. */
function quotedLines({ text, shapes, request }: Pick<Reading, 'text' | 'shapes' | 'request'>): Column {
  const column = new Float32Array(shapes.ends.length);
  const goalText = readCharacters(request.goal.split('\n', MAX_GOAL_LINES));
  if (goalText.starts.length <= 2) return column;
  const goalShapes = readShapes(goalText);
  const known = new Set<number>();
  for (let line = 0; line < goalShapes.ends.length; line += 1) known.add(hashOf(goalText, goalShapes, line));
  known.delete(0);
  for (let line = 0; line < column.length; line += 1) {
    if (known.has(hashOf(text, shapes, line))) column[line] = 1;
  }
  return column;
}

/** Returns a hash of the visible characters of a line, or 0 for a line of fewer than 8. */
function hashOf(text: CharText, shapes: LineShapes, line: number): number {
  const first = shapes.firsts[line] as number;
  const end = shapes.ends[line] as number;
  if (end - first < MIN_QUOTE) return 0;
  let hash = 0x811c9dc5 | 0;
  for (let at = first; at < end; at += 1) hash = Math.imul(hash ^ (text.codes[at] as number), 0x01000193);
  return hash;
}

/** Matches of a line with the goal beyond its score. */
interface Matches {
  /** Weight of the goal's words in the line, as a share of the goal's whole weight. */
  coverage: Column;
  /** Number of different words of the goal in the line. */
  distinct: Column;
  /** Weight of the rarest word of the goal in the line. */
  rarest: Column;
  /** Number of neighbouring words that are neighbours in the goal, too. `pairShare`: their share of the line. */
  pairs: Column;
  pairShare: Column;
}

function readMatches(words: LineWords, stream: TermStream): Matches {
  const total = stream.lengths.length;
  const weights = goalWeights(words);
  const whole = Math.max(
    1e-9,
    weights.reduce((sum, weight) => sum + weight, 0),
  );
  const matches: Matches = {
    coverage: new Float32Array(total),
    distinct: new Float32Array(total),
    rarest: new Float32Array(total),
    pairs: new Float32Array(total),
    pairShare: new Float32Array(total),
  };
  const tally = new TermTally(stream.goalTerms);
  const pairs = goalPairs(words);
  for (let line = 0; line < total; line += 1) {
    if (!hasTerms(stream, line)) continue;
    tally.count(stream, line);
    weighMatches(tally, weights, { matches, line, whole });
    countPairs(words, pairs, { matches, line });
  }
  return matches;
}

interface Place {
  matches: Matches;
  line: number;
}

function weighMatches(
  tally: TermTally,
  weights: Float64Array,
  { matches, line, whole }: Place & { whole: number },
): void {
  let carried = 0;
  let rarest = 0;
  for (let at = 0; at < tally.distinct; at += 1) {
    const weight = weights[tally.touched[at] as number] as number;
    carried += weight;
    rarest = Math.max(rarest, weight);
  }
  matches.coverage[line] = carried / whole;
  matches.distinct[line] = tally.distinct;
  matches.rarest[line] = rarest;
  tally.clear();
}

const PAIR_BASE = 1 << 20;

function goalPairs({ goalSequence }: LineWords): ReadonlySet<number> {
  const pairs = new Set<number>();
  for (let at = 1; at < goalSequence.length; at += 1) {
    pairs.add((goalSequence[at - 1] as number) * PAIR_BASE + (goalSequence[at] as number));
  }
  return pairs;
}

function countPairs(words: LineWords, pairs: ReadonlySet<number>, { matches, line }: Place): void {
  const start = words.starts[line] as number;
  const end = words.starts[line + 1] as number;
  let found = 0;
  for (let at = start + 1; at < end; at += 1) {
    const before = words.words[at - 1] as number;
    const after = words.words[at] as number;
    if (before >= words.goalWords || after >= words.goalWords) continue;
    if (pairs.has(before * PAIR_BASE + after)) found += 1;
  }
  matches.pairs[line] = found;
  matches.pairShare[line] = found / Math.max(1, end - start - 1);
}

/** Written by training/importance.py: 32-bit hashes of words, each with its importance in 64ths. */
const WORD_IMPORTANCE =
  'kwwIAE2vkEUAXxWQhwAwjv2UAE52WccAVBLrxwBM197LAEnAQvsAAF7ZEQFkanZQAWaM33kBJckdkQFUz1d0AkA7AJQCKHi60gJVHc72Ak9n/RoDUNsiKgNsOlR0AyFbLpADaT0cmgMpgVTJAxP6zCsEYS2W0ARTCAc1BURS5lkFVqPz8wUxdZpuBl9zWnQGRLTskQY8eISZBlpl8ccGOtwaUwdFUEemByJ6vR8IHQ12JAhPGa2nCEfdJtIIOKGgCglFuX8+CUjgxnoJPc+ajQktE3w3CjNM0DsKVTXwYgpSRzO3Cj5AWskKFCCZ4goALlbjC0FTovULcEjM9gtArsD3Cyl5SUoMBj9QmAxnjq6ZDDaTJ6UML33iqAwi5ZGyDEoYh7wMRwGn6ww0elT7DEgCXzYNaoc3Ug1H+2dZDREZMJANIk/1ow0fsgvbDUHBU3IOTXlGfg42Wqc5D1SxCLQPWMgXwA9MWfDODz1Is9kPIbarZRA4FdKVEEkaKKgQVc3bJhFH/oEqEV4C6T8RSu93whFH4O3hETJIT/gRIjTFJhJs3b9EElE6/koSPEwRahJWALOsEmL1bDUTTlDlgRNHwCq6EyNHDusTZvukRBRItyW8FCgCx8gUWoagKxVFLdeaFTL5GqQVIRh1wRUiLu3CFQASj+MVE9P36BVMv5w3FmVtokgWAGvXUBYg1OZdFnZDFJMWJsLFsRZR4Sv/FgqKKTsXRHcvWhc6F6J2F0kTNOsXJSiKbBgwP3SuGEBgPesYSHsJTxknEldwGQBQLbsZMrh/0hlAb/HoGUj1PusZTxZRABpOOuEBGkj4xQMaTVYfKhpLlU9NGjEQ81EaUN4maBpns9SCGjbyzJUaQV9esxo8uLPGGj5xidYaRtUk+hoABfkBG0B5QyUbUiwGMBs+FWWcG0QVkrQbQ3Zr1hs9rzHrGz/OUDIcXYllQxwAhEWLHD247Z8cNL9e0hwshtfiHEA8N+scM+SAGR03rkEhHVJysj0dSdigPx021HW8HVSBMOsdY1Eb/x1fjss5HkE+mVMePuascR48bAKAHgUWMOseP0SSCB9kAr1HH09s9GAfU0acah85Yh2zHxf5T88fNpRPPiA2Ko1RIGY5EFcgTrIUYCA4w7J1IDTnQKQgW9rIryBWV1DtIADXF/YgO7gu/SBU03ZrIQByIJEhXsCmkSFCZnPCIT7+7dMhQaxMLSIAtlBXIjjuW9wiVwNBFyMAXdsaIztdIEsjHDhF/yNE414BJEl2VhEkACxxICQAZ+5IJDTNQnYkQ43trSQg0gW5JFC8EcgkWeVpGyUf/GYcJVXtnVslTcG0mSVRNKX3JTQlx/MmTbhziidrmtD3JyhVjhsoLe2hbig12miEKECIvpkoM5uApShOaWPNKEXAqwEpP1w0Lykace41KRtG+0gpOxPuTylRDnFgKUBuMfUpFfgYSipQXXheKgAuoaMqTAdkzSo3JsvlKlQgvQsrIMY2JStbuHNqK0+qt3ArRyiJmCs8v0rRKzzYhtorSPkE2ysxS33kK1H+YjEsKDkFaixQfU1uLBF2qHksAZdTmyxXugK5LDJL1A0tSahcaC06icpyLTjCaogtCQdP9C1dr6cvLkiMvj0uRKDKPi5gzXuGLhkjwIcuNag8jy5NbSLnLjHLKVUvMaoYdS9gmid1L0ut0qAvek2KsS8hmTm4L3ELbskvPCKb/C8cb1s5MElGTWIwPMg3gTBK9VaFMAC1NJowQ1ytzDA/4zECMT3xgggxTImnJzFPRDOCMSrk6s4xAOCNTDJTJDVZMo4oumAyVqp5aTJZ8HVqMmruHYIyaJF+jzJV7uvaMl6qRA8zIpdHHTMAt+NLM0q56fYzMgbQ+jM4Bg9vNErcAsg0XymRzDRgzl3cNDkBpVk1L4zoaTVL6+duNS39rfM1clNpSzZNtPNMNjbRgVg2W04uYTYo3qNqNj1m7Wo2WYaQhDY+4pShNkrq0eo2M8RKATcUwxMUNx/YXTg3TXJkjzdO4P3mN0QJz+43AJ+2Lzg27ZJqOD/aH284XYubcThGLeqTOE1d8604VGCmuTg5Z2vSOEALjLE5Q0XksTlGMpm6OU4UU905Mbp3IjpDIv9DOl/FHEo6K0hgSjpsT4VfOlhre3s6AC7N2zo2w6rcOk/bvBc7QE0pOTsgnU07O0rWIz47M9lnfztHADlcPFnEZeU8RCZffj1HT1uEPXEO55M9T9zsTD5KSA9vPmAYN6o+PGvTKz8vAG5RP0IMMFI/PxQU7j9UESLyPyO6fSlATfqVTEAGH4dYQDGEvHtAAH59rEA1stHAQADoo8NAP6Uf10Bmx07/QEPGrhVBQ9/sNUFRqTprQUY2A3BBXFjMdkFDd6CEQSrlqBxCbWs1IEI73co3QlgJPjhCRMSriEJU0faVQjMv799CYVmI7UIs9sb0QkLMFFFDO3GlZENODal8Q1LDN7JDPGQ81kMlYcb0Q1QOUf9DUnVZDkRBlF8XRCq7syRERK+MNURLPK7NRCSd9+pEW8QFYEU/txivRR3ciLhFOQ275kVicysaRkbQBTZGY7mpO0ZRNQhFRkzm6HFGNAo4IEcux/zPR0u+tddHQv+CTUga21VSSB/AkIFIQQ/cjkg86jq1SDFMpcBIAIJDHklMwbo5SVCgAHNJWWd/jkkquAiySS88kcVJSlYFTkoZpYhYSjfvmWpKOJz9ekpQuxDgSlVkwThLZ+LHZUsRTOGfSzU2k6tLS3BCyEtMhDcQTCwfGxtMMA7lN0xD7HVPTEEwFYVMTfBykkwI9CyfTBmzqLBMUIUc/UxNL0lbTUQMsHhNIrwx6k0ePHgOTlbY10dOPcYrVE4lMK0LT1Y8q0JPV7p0TU9D/NlSTy0s9XpPhb83gE9HQb7nTyZTr21QQRnOoFBC0b+6UDhGK99QYOMOM1FQ3FJUUSeyX3VRP0vFt1FBLCzIUVo2vsxRMHbzDlJr3dQYUjeT6zpSALZZeFJdS1F9Ui8AsZ5SQBdu/1I2GO4YUymrtx1TMzjSPlMXxESMU0VGxwFUd0HoKlRHujAzVGfGDTZUWai+gVRdY03wVCTmiEBVOgoVn1VcoVSxVSPK8Q5WSXyDIlZNf1guVlPZiTFWV4eySVZP35EcVzvrXjhXRkyZ2FdVkmX/V0Km5hZYMjbgG1hUYMwpWD4NPTxYQWw9TlgoBC1UWD1CpVVYMfy1ZFhbFp6RWCWo76VYVXBNw1hRSdzdWEyhO/1YRIQtFlkX/AEwWUim4ThZOP+nVVk5DthjWWBB7Bhad83xJFoIfsFxWkF0gspaZVNZzFpLE5YcW1uVMk5bPRwUbFswlthyWzr4iZhbKhZ6tFsZkBraW1xwW9tbUnaO51syc63yW1R13g1cREJGFlxT/8U2XDI4bkNcQEqxaFw+TE5uXFkR9H5cJl7RtlxSibESXUTkx1NdVDeYZl0nsgJvXToqI5ZdFGZBy11VrUTmXVYZ6QxeMyN1NF5ONTo/XlVbitBeQNpV0l5YHTD9XkaydiRfUJ5zNF88aS9OXyAKMm9fOEGKt18Sn+23XzY1QblfOHtb519RE90TYEvIwClgVKA4NGA/D0ROYGCKPnhgMGHHjGA1YsO0YCzPOrdgGk3LvGAU+oLKYE5T5PNgOeXloWFNQdQ5YiWuAVFiUB7NYWIs19xuYh1KUHxiRBXqlWIJ2geaYgf3iiJjILNeU2NJFtO8Y1yixs1jMvi74WM7LMZbZDIM325kOMY+d2RFx1B+ZDpgH/9kSs1WDWVh9GErZUPAQC5lPNp2OmUfWU+HZT4XF6ZlaEsL9GVbYjUiZj2bUTRmQpu3T2YhbQ98Zl2uktVmCQm9CmcAOk4uZzivszNnTZlMXWdH0XVnZzrlBYJnOHESpmcz+KOmZ1N5oBVoS3b0LGgxSuI0aGFLcZJoNX/2r2hWrvnnaDSQzPhoTQFFEmkmZZoiaUIaVTVpKGKUQGlonPByaUxFtXRpVCcTLmo56iZ2akY0mohqVCQfjmpKZYOYakep55tqPpc8nmotdevWagOzCtdqPJKU8GoIIBcBazbv5ktrM2b2cmsAF4aYazisBhZsVTielmxAux+XbE4eX6tsEaplxmw4fQzTbAuks/FsRMQ+SG1QRJxgbUAof4NtTL0HiG0uLS+VbVWKgKFtN2MJ5m01dlvqbRUuW+xuOdVpQW8hhsRlbzDu59ZvVyueH3AzNgSBcEPkN5VwZT2drHBpw52scCz0DsZwVjjAUnEAGKnUcUrOumFyTzf51XJJB/nqciQV2hNzVLtjLHMv1SMwc1lxeMBzSBlhwnMroP7VcxuF0q50IZes6XQxZhH7dDUqIgl1QPhqFnUlQkdBdUJdTpR1Yu749nVQahz4dUUWH1V2P6ovhnY50vumdkytC7d2NaM8B3dBxg1Cd3EaCbd3P2pfxXcsiZkVeEExeCd4bM2gbXhdOvOOeFnIvMd4AwZV43hFgvo4eUhlg2h5TOE8j3ltrTapeUB2V7V5R6vDz3kqHy76eU1XDHh6O9+bE3tCARc9ezreMmB7UPlPeHsqYgh6exhCaeR7a+41EnwyDmg7fBgqGGl8RGxKeHw3t6TKfEqTwxZ9N3H8Jn1X673nfSe2USB+N/8rLH47EOCAfiwFvYp+O9aDnn4TiOarfj58CGl/Tzz7rX8qKBC7fwR+i9t/M5qoM4A7fb2/gEimRc+AQVZi9oAkU5EtgU0knV+BRGwxbIFaWs+VgUgaw+uBI6bO/oFXZ/x6ggezCYmDTM7fmINAxbXQg1VBw+GDP+CW94M4tNgUhBDDZWOERlIFdoRLscmHhD1fc5mEUKYRzIQ6vCLjhDU9TeSEcAvu+oRC8k80hVFBS5yFUVGy7oU8oMvwhVLUIPOFQyTFCIZX5eJAhj88AnaGNEgjw4YAFIY9h0VVfWuHT7J4b4cxW6q4h1b2s/CHRIbW8Idc+l0CiDF40SeIPf3DuogAwE28iFxSGfKIPXJp94gASagEiTiOxS6JRU10r4lW+TjaiT8X8N+JK0oB44lhoHPniUjiMuqJdsEa8oltm20lii9A2YeKQzFskIpKatSbigDt4Z6KOpO1F4s+Kiw6iyJdF2aLBwxsb4s6Wrp8i1wXZ8aLO7V2EYxr+5yHjDlaMd+MGXcvAY0kwishjVxRczKNDhQEV40x0amcjQDXfK+NNulE140zjRTyjVGxpkyOY/KWUY5Av6nBjlRyDcWOXc/g/o5MLYA4j1eME5KPMX7mEpA9YfVtkFrY07KQPHxTvpBGb93hkE/B2vaQMP0dApE8x6wekVqIxjaRSjFDS5EA5Kt8kVBNdqqRTF7o3ZE7dGr2kUtUOAGSgakxP5JV4izCkiDlyDuTSUXdT5M4nsFQk2Xr2VmTMXQ8apMvkczgky+Y/zKUTj1gQ5Qr9PNTlF1AdWeUGMwBaJRIS355lECitbmUOHA9P5U0mPuHlUyLr5iVLo1ko5U1maLOlUK36+mVOOUz8pUAZLz3lVcOyReWZvfdI5Y6RfGnljmC/dqWM88R5ZZMddggl3YzMECXOYCqT5dEzn6olwmvSuWXVH4U9pdejwgdmEX5nIOYALu295hdA5EZmVYugkWZUTc+XJk/NCjHmSHN3smZUYYV6ZlQRZP0mTEOXFiaNXn3eZpFhHW8mlyakPuaAGsYaJsjzAR1m0yUaYCbAER8mZs69Nr2m0BEbB2cOEv7Q5w8OBR/nDOPQqycMJPR6Zw5LCQpnSHZi6adR1N8651coO2knkif3NaeMIq33p43YiTynkDerDifOjp0Xp9B9lFsnypSdoCfMTA/vZ8hMwHan0eJQOqfUzaCJqBK1JxxoErYK5ugPc4GnKBIviQ5oVWkJ0KhU/BTVaEpQvtcoVKvFnKhPb229KFT+Gv3oUqAnfehPnPEAqI2sxQEol3gW0uiPoertaIxSFbEoj0ZvM6iSPHf/aJMddpfozvRstujRaJ37aM+IjzwoxI6efSjC++CGqRbNUIdpEmKCYykVPdEo6Q+OOTPpEhGttukV9JvK6UK2gw1pQhgwzulOR75ZaVBo9nLpXIxMu2lPtMGh6ZNQfvEpmVOguKmTSx7EKcrbYwhpymLT0enNrR8TKdSieOep2y/y7qnMsEB7Kc9dSr4pzPfAR2oM1GrTKhOebWQqDRpiKOoM6Tg46hIBIUhqV9ZIiupTniuMKkPe0tHqSZ4s3OpSBzRmKlwKSSlqTzMK8SpZWv6Jaor6DY3qkM+hFWqTzTTfao2g8PVqkIZZuCqO16hMKsGwaA+qzF1XEWrOnEFaqs8NtiCq2/ub5mrOiV/+KtFExwdrBQpXVasRPDoo6xSF5SprEyFSbisaievzaw74tXkrE6ywvasGwdoKK0+nRJ+rUx+5MatBjnSx61FdUTqrTQ330iuXGPjf65Ugwaxrjz4frWuUjZl665Dy5v9rliNljCvUp+7YK8i5eSDr2o13tCvKfrI7q8tkQr+r1ckpXSwWNHWi7A8UPyXsFriqNGwQYvJG7EG/wk/sUs41lWxNoLhm7FGL4jasUai0+qxOTsnbbI6oGeDsjfZO7GyLiJCsrJQemXDsi+cMOSyI25M87JWW98Vs1kdISOzAHOLPLNLNq9xsyroapuzS1g38bMiRRxftEHkmGW0Nt0s+7Qq8fQatUZmWSa1CkN0Z7U8+J7ftTM85v61PQyaA7ZinD8Itkm+6T62KMKPh7Ygrkh+t0iOuZa3WHwMwLdGP1nLt1vZcMu3I2+G+LcqXLcVuF65ISK4X3haIrg2mXlLuE58tMa4LHwQ1LhcpwksuSlMTj65Qz+/eLktzzyduTX9Dxe6SffRIrpAX+Q4unWkzUu6R60ET7oATb7Nuh1FuN+6PJROJrt/yTYzuzxMw3S7QIIYdbtIQZyQu2E8Nam7RqOj+LsADS5qvAk6csu8VFgcIr1pSy0kvSf9Jiu9RnD/K71IjdpKvTFyB3u9Ol2ryL1M2PPmvVk9Feq9PTc6670AqjjwvVANNiS+NDqxRb4c5ytqvilcVIG+KF6v0r4AV5zvvm2M+MG/SZd70r8SK3XXv2ZjMwrASdx/G8Ault8SwXJWBIrBBRrLFsI6Etw9wkaixz/CR9sTS8I72IOTwlW/HezCV2bHB8M6k54VwxqVHz/DTqiPX8M5ODGbwzm6lOfDe8p0QsRIm+pkxFDYAq3EY51O68QnloAPxU6eAjbFKLPkTMU717NNxU7Vu1nFJCTBJ8Y4b8cwxgWFX2nGX3/mesYsi1CjxjcqL7LGPRBn5MY5jgUKxz5pNTDHPFOKMcdJS91Ex1U/hEXHY32YU8dW2iN6x22Wr+HHSgWW+cdPqV2UyE0RqMjIUM4Y98gwW3UiyVK3VEnJRezuU8k3HEhkyRjBgWTJMk3mf8lTHMiAyVXYjI/JTK6Kr8km+JG4yV7kJQTKYSMaFcpraMcnyjdqzVXKgL51jcpMZYyPyiTh3NrKQU6FCMs9tuFTy1nLK6jLNu+rqstR4T7Ry0MtCCzMWlsfLcw44cYwzFqr007MABBfkMxPNA6nzGFDcs3MLUmehc1DaNftzUpu+X/OAN2Rh846FLnFzk8dDNPOQ6y23M5MpUvdzl0abd/OPHtz/M4b/mAVzxieOC7Pb85x6c9GCn4i0AtgGNDQC9iditEV8DuP0Qnlp5fRR+eNntECkN340USBzAPSOawoEtIbnTot0jqrEJDSS2w7C9NmPbAv0zYWITDTB6zhO9M/9TI800GXF17TREhMaNNK5phy00wpGbTTGdnsvtNMXlot1DV/6UDUUhxAZ9QlGQCd1E1xv6/Ubqk0zdQ0xrLy1FDlQlnVZsDBmdVoCI6s1QJXtQvWP7/MMNZJa+E71gviGbTWWYJm39YbD/Pf1kH1euvWSqua89ZLLMwA1zYAfgnXP8naT9depXB11znujI/XSbs0otdl4U0c2ETgGVzYQNc6ctg+yyi32EH5st7YP9Ik4NhDUscA2RdQOxPZOMbIPtlL7ihd2UK/YmXZU7NsbtlJMEN/2VSxcZvZXssxytlf19bK2Q87Ax/aUPXOItpo0yxU2kz5gl3aYNYyatowxrRw2jSNpnnaQzAvrdo3ACrD2k/qqNzaS18yJNtJUUMz2y8U5DvbRzFLdttcXC+k2xs+f8DbPioN3ttqhmML3DWPyj7cK5eVQNxJW+VO3DCW27XcGubnTt1sM1qA3UUhJKvdOnfd0t1ZCPLU3UWEle/dPG7Nwd44gE/E3lwaMdrePleVC99BjoQv3zkFXEzfKtRtjd8pHa2e3zgTMKLfNnguzd8o3Zbm30NSxVDgCoK/gOBc8z9J4Uu2cq3hEeKo7eE35gt84iPH9XziLgOdheI/rQca40cQjSzjYjnRNuNFdeE15EVhqTvkXLLFT+RLHqFr5EXoMIjkTmGAjeRXYfOo5FIa78HkJh+/w+RS10TH5DpnwevkUGE4AeVXt8FE5Ur9xaDlTe6/B+ZJJMhQ5kiqoG3mPXmw7+Y5oTj85hlTySXnaC6cNOcKv1hX52EeonfnTWJwk+dQaG6v50dcZMPnWV4AyudLdXzh50kxRxzoNRMsIuhhBPsx6E9k21zoXTivYehJwqyO6Day8rXoQn20zug4o4rp6FNzHhzpNfZYYulS+h156TyEXbLpNMTzC+ppe9o96kZLN0TqOz0paOorkCl56k9ULY3qMpgIkOosIRul6kUq173qI598yupCMBbN6jLtZtzqAIf6/+pQblYM6y9wxT7rHN/DPuw80dZT7AM3MFXsab4JkOxZi+ij7ERdNLnsOKZ5u+ww/SPX7DsA1OjsV31xHe07A+0u7SwiCmPtQGYlaO0v8DB87VwgeartQZ63se0/dcO87TQl++btRw8nU+4MUfJ67hwzenvuK/DyfO459JT57glA7AXvT0+XDe8vVOK9709lLcHvL1k2K/BOXKk+8E8HsYbwZ0kc7fBPxa1t8ViwkYzxVlMjjfFR3sm48WB//MHxadof7fFIbcMX8kESbV3yTfwmjfJrJx3t8lHH7UfzR098ePNUjvyj8wAlscPzJCqi+/NHhGcZ9FAkfEj0QPwwSfRScxFb9AC8irX0PQN2vfRHmrbO9DQMzPr0Wg7cEPVLCdZP9RC4lVP1R7lPXvUYa6Je9VrJr2H1Ghf2Y/VIwgh79Qmyec/1M4cK8/VU1dn09VLfJ/j1PO0HCfY/FBKD9it5oZL2GWrhl/ZeV6Gk9jcCw6b2CE9XB/dW03JY9z6q9n73auOsyvc5zvXr90YbWfr3UWuSIPhS8FhA+FIY3kf4TTr/WvgAuUeR+Em6pqP4X7nzEPk9+awk+TDDAEr5Vs8rkvk7o5bY+UyYwYj6VqhL2/o5u/cI+zid/ij7QkCMOPtfJlBL+0byZYT7OpuWjftIv+Wy+0wpFdT7No+tRvxazQRT/DvsqHj8Rlx5gfxKohiN/CWZI5r8WxHw3fwwh2zk/Dm8iRj9MsrlG/1bNCaK/RUwh9X9R68uMP5Cn2B1/kkvVX/+hnDvnP5S2pDM/m58RT7/G0VMef87';

const ENTRY_BYTES = 5;
const UNKNOWN = 1;

/** Returns the importance of a word by its first hash; 1 for an unknown word. */
function importanceOf(hash: number): number {
  return TABLE.get(hash) ?? UNKNOWN;
}

const TABLE: ReadonlyMap<number, number> = readTable(Buffer.from(WORD_IMPORTANCE, 'base64'));

/** Reads entries of 5 bytes: a 32-bit hash and the importance in 64ths. */
function readTable(bytes: Buffer): Map<number, number> {
  const table = new Map<number, number>();
  for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    table.set(bytes.readInt32LE(at), bytes.readUInt8(at + 4) / 64);
  }
  return table;
}
