import { createContext, Script } from 'node:vm';

/** Limits of the time a pattern may take on `LONG` characters, and relative to a quarter of them. */
const LONG = 16_000;
const SLOW_MS = 25;
const STEEP = 9;
const GIVE_UP_MS = 400;

/** Returns an input on which a pattern takes time out of proportion to its length, if one was found. */
export function slowInput(pattern: RegExp): string | undefined {
  for (const attack of attacksOn(pattern.source)) {
    if (timeOf(pattern, attack(LONG)) < SLOW_MS) continue;
    // Twice more, the quickest counts: the first may have been interrupted.
    const long = Math.min(timeOf(pattern, attack(LONG)), timeOf(pattern, attack(LONG)));
    const short = Math.min(timeOf(pattern, attack(LONG / 4)), timeOf(pattern, attack(LONG / 4)));
    if (long >= SLOW_MS && (long >= GIVE_UP_MS || long / Math.max(short, 0.05) >= STEEP)) return attack(40);
  }
  return undefined;
}

type Attack = (length: number) => string;

const context = createContext({ pattern: /x/, text: '' }) as { pattern: RegExp; text: string };
const search = new Script('pattern.lastIndex = 0; pattern.exec(text)');

function timeOf(pattern: RegExp, text: string): number {
  context.pattern = new RegExp(pattern.source, pattern.flags);
  context.text = text;
  // Processor time: what other programs take of the core is not the pattern's.
  const before = process.cpuUsage();
  try {
    search.runInContext(context, { timeout: GIVE_UP_MS });
  } catch {
    return GIVE_UP_MS;
  }
  return process.cpuUsage(before).user / 1000;
}

/** A start the pattern likes, something it can go on with for long, and an end it does not expect. */
function attacksOn(source: string): Attack[] {
  const letters = lettersOf(source);
  const words = [...new Set([...source.matchAll(/(?<!\\)[A-Za-z_<(:/-]{2,}/g)].map(([word]) => word))].slice(
    0,
    4,
  );
  const pumps = [...letters, ...letters.flatMap((one) => letters.map((two) => one + two)), ...words];
  const heads = ['', ...letters.slice(0, 2), ...words.slice(0, 3)];
  return [...new Set(pumps)].flatMap((pump) => heads.map((head) => attackOf(head, pump)));
}

function attackOf(head: string, pump: string): Attack {
  return (length) => `${head}${pump.repeat(Math.ceil(length / pump.length))}\u0001`;
}

const CANDIDATES = [
  'a',
  '0',
  ' ',
  '_',
  '-',
  '.',
  '/',
  '"',
  "'",
  '(',
  '<',
  ',',
  '\n',
  '\t',
  'A',
  '=',
  ':',
  '\\',
  '#',
  '*',
];
const CLASS = /\[\^?\]?(?:\\.|[^\]\\])*\]|\\[wWsSdD]|\\p\{[^}]*\}|\.(?=[*+?{])/g;

/** Returns one letter for each class the pattern names, and the signs it spells out. */
function lettersOf(source: string): string[] {
  const letters = new Set<string>();
  for (const [name] of source.matchAll(CLASS)) {
    const one = classOf(name);
    if (one === undefined) continue;
    const fitting = CANDIDATES.filter((letter) => one.test(letter));
    for (const letter of [fitting[0], fitting.at(-1)]) if (letter !== undefined) letters.add(letter);
  }
  for (const [, sign] of source.replace(CLASS, '').matchAll(/\\?([^\w\s\\^$|?*+{}()[\]])/g))
    letters.add(sign ?? '');
  return [...letters].slice(0, 7);
}

/** Brackets behind a backslash are literal; their seeming content may not be a valid class. */
function classOf(name: string): RegExp | undefined {
  try {
    return new RegExp(`^${name}$`, name.includes('\\p{') ? 'u' : '');
  } catch {
    return undefined;
  }
}
