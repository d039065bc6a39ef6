import { type AST, visitRegExpAST } from '@eslint-community/regexpp';

/** Classes of characters that a pattern does not tell from one another, by number. */
export type CharacterSet = ReadonlySet<number>;

export interface Alphabet {
  readonly any: CharacterSet;
  readonly lineBreak: CharacterSet;
  isWord(letter: number | undefined): boolean;
  setOf(element: AST.Element): CharacterSet;
  /** One character of a class, to show. */
  sample(letter: number): string;
}

/** Letters, digits, blanks and signs beyond ASCII that some class of some pattern treats differently. */
const BEYOND_ASCII = [
  'é',
  'É',
  'ß',
  '中',
  '٣',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '«',
  '“',
  '⟦',
  '✓',
  '│',
  '。',
  '😀',
];

/** The classes of one pattern: characters are the same to it when all of its sets hold both or neither. */
export function alphabetOf(pattern: AST.Pattern, flags: string): Alphabet {
  const sets = [...rawSets(pattern), '\\w', '[\\n\\r\\u2028\\u2029]'];
  const tests = new Map(sets.map((raw) => [raw, new RegExp(`^(?:${raw})$`, flags.replace(/[gymd]/g, ''))]));
  const samples = new Map<string, { letter: number; sample: string }>();
  const letters = new Map<string, number>();
  for (const sample of sampleCharacters(pattern)) {
    // Without the flag a character beyond the basic plane is two.
    if (sample.length > 1 && !flags.includes('u')) continue;
    const signature = [...tests.values()].map((test) => (test.test(sample) ? '1' : '0')).join('');
    const letter = samples.get(signature)?.letter ?? samples.size;
    if (!samples.has(signature)) samples.set(signature, { letter, sample });
    letters.set(sample, letter);
  }
  const classes = [...samples.values()];
  const members = (raw: string): CharacterSet => {
    const test = tests.get(raw) ?? new RegExp(`^(?:${raw})$`, flags.replace(/[gymd]/g, ''));
    return new Set(classes.filter(({ sample }) => test.test(sample)).map(({ letter }) => letter));
  };
  const words = members('\\w');
  const cache = new Map<string, CharacterSet>();
  return {
    any: new Set(classes.map(({ letter }) => letter)),
    lineBreak: members('[\\n\\r\\u2028\\u2029]'),
    isWord: (letter) => letter !== undefined && words.has(letter),
    setOf({ raw }) {
      const known = cache.get(raw) ?? members(raw);
      cache.set(raw, known);
      return known;
    },
    sample: (letter) => classes[letter]?.sample ?? '',
  };
}

function rawSets(pattern: AST.Pattern): Set<string> {
  const raws = new Set<string>();
  visitRegExpAST(pattern, {
    onCharacterEnter: ({ raw, parent }) => void (isInClass(parent) || raws.add(raw)),
    onCharacterSetEnter: ({ raw, parent }) => void (isInClass(parent) || raws.add(raw)),
    onCharacterClassEnter: ({ raw }) => void raws.add(raw),
  });
  return raws;
}

function isInClass(parent: AST.Node): boolean {
  return parent.type === 'CharacterClass' || parent.type === 'CharacterClassRange';
}

function sampleCharacters(pattern: AST.Pattern): Set<string> {
  const own: string[] = [];
  visitRegExpAST(pattern, {
    onCharacterEnter: ({ value }) => {
      own.push(
        ...[value - 1, value, value + 1]
          .filter((code) => code >= 0)
          .map((code) => String.fromCodePoint(code)),
      );
    },
  });
  const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  return new Set([...ascii, ...BEYOND_ASCII, ...own]);
}
