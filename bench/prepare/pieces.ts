/** Position of a piece: names are made from it, so that no two pieces of a tree have the same text. */
interface Place {
  at: number;
  step: number;
  random(): number;
}

type Piece = (place: Place) => string;

/** Pieces that files are made of. Functions and classes are twice as likely as types, as in real code. */
export const pieces: readonly [Piece, ...Piece[]] = [
  exportedFunction,
  exportedFunction,
  internalFunction,
  exportedClass,
  exportedClass,
  arrowConstant,
  arrowConstant,
  internalFunction,
  types,
  constants,
];

const nouns = [
  'account',
  'bucket',
  'cursor',
  'deadline',
  'entry',
  'frame',
  'ledger',
  'marker',
  'session',
  'window',
];
const verbs = [
  'collect',
  'divide',
  'expand',
  'follow',
  'gather',
  'merge',
  'parse',
  'resolve',
  'settle',
  'verify',
];

function pick(words: readonly string[], { random }: Place): string {
  return words[Math.floor(random() * words.length)] ?? 'thing';
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function exportedFunction(place: Place): string {
  const [verb, noun] = [pick(verbs, place), pick(nouns, place)];
  const { at, step } = place;
  return `/**
 * ${capital(verb)}s every ${noun} the caller handed in, oldest first.
 * @param limit how many are looked at before giving up
 */
export async function ${verb}${capital(noun)}${step}<Item extends { id: string; weight?: number }>(
  items: readonly Item[],
  limit = ${at % 40},
  onFailure?: (error: Error, item: Item) => void,
): Promise<Map<string, number>> {
${body(place, '  ')}
}
`;
}

function internalFunction(place: Place): string {
  const [verb, noun] = [pick(verbs, place), pick(nouns, place)];
  return `function ${verb}One${capital(noun)}${place.step}(items: readonly { id: string; weight?: number }[], limit: number): Map<string, number> {
${body(place, '  ')}
}
`;
}

function arrowConstant(place: Place): string {
  const [verb, noun] = [pick(verbs, place), pick(nouns, place)];
  return `/** The ${noun} of part ${place.at}, ${verb}d. */
export const ${verb}The${capital(noun)}${place.step} = (items: readonly { id: string; weight?: number }[], limit: number): Map<string, number> => {
${body(place, '  ')}
};
`;
}

function exportedClass(place: Place): string {
  const noun = pick(nouns, place);
  const name = `${capital(noun)}${place.step}Of${place.at}`;
  return `/** Keeps a ${noun} while part ${place.at} is busy. */
export class ${name}<Item extends { id: string; weight?: number }> implements AsyncDisposable {
  readonly #items: Item[] = [];
  protected limit = ${place.at % 90};
  private closed = false;

  constructor(
    readonly name: string,
    private readonly options: { retries?: number; label: string },
  ) {
    this.limit = options.retries ?? this.limit;
  }

  /** How many were taken so far. */
  get size(): number {
    return this.#items.length;
  }

  // TODO: tell the caller which ${noun} was dropped
  async ${pick(verbs, place)}(items: readonly Item[], limit = this.limit): Promise<Map<string, number>> {
${body(place, '    ')}
  }

  private ${pick(verbs, place)}Quietly(items: readonly Item[], limit: number): Map<string, number> {
${body(place, '    ')}
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.closed = true;
  }
}
`;
}

function types(place: Place): string {
  const { at, step } = place;
  const noun = capital(pick(nouns, place));
  return `/** What a ${noun} of part ${at} looks like from outside. */
export interface ${noun}${step}Shape<Value = unknown> extends Partial<Record<string, Value>> {
  readonly id: string;
  /** Retries before giving up; at least ${at % 5}. */
  retries?: number;
  values: readonly Value[];
  onValue(value: Value, index: number): Promise<void> | void;
}

export type ${noun}${step}Outcome =
  | { kind: 'done'; count: number; took: \`\${number}ms\` }
  | { kind: 'failed'; error: Error; at: ${at} };

export enum ${noun}${step}Level {
  Low = 'low',
  High = 'high',
}
`;
}

function constants(place: Place): string {
  const noun = pick(nouns, place);
  return `export const ${noun}Limit${place.step}: number = ${place.at * 10};

const ${noun}Names${place.step}: Readonly<Record<string, string>> = {
${nouns.map((each) => `  ${each}: '${each}-${place.at}',`).join('\n')}
};
`;
}

/** Statements as people write them: loops, guards, templates, regular expressions, callbacks, comments. */
function body(place: Place, indent: string): string {
  const stanzas = 1 + Math.floor(place.random() * 3);
  const lines = [
    'const found = new Map<string, number>();',
    ...Array.from({ length: stanzas }, () => stanza(place)).flat(),
    'return found;',
  ];
  return lines.map((line) => (line === '' ? '' : indent + line)).join('\n');
}

function stanza(place: Place): readonly string[] {
  const noun = pick(nouns, place);
  const choices = [loop, guard, chain];
  return (choices[Math.floor(place.random() * choices.length)] ?? loop)(noun, place);
}

function loop(noun: string, { at }: Place): readonly string[] {
  return [
    `for (const { id, weight = ${at % 7} } of items) {`,
    `  if (found.size >= limit) break;`,
    `  const ${noun} = id.replace(/[^\\w/-]+/g, '-').toLowerCase();`,
    `  // Two ids may differ in case alone: the heavier one stays.`,
    `  const known = found.get(${noun}) ?? -1;`,
    `  if (known < weight) found.set(${noun}, weight / (1 + known));`,
    `}`,
  ];
}

function guard(noun: string, { at }: Place): readonly string[] {
  return [
    `if (!Number.isInteger(limit) || limit < 0) {`,
    `  throw new RangeError(\`${noun} \${String(limit)} of part ${at} is no limit (\${items.map(({ id }) => \`<\${id}>\`).join(', ')})\`);`,
    `}`,
    `switch (items.length % 3) {`,
    `  case 0:`,
    `    found.set('${noun}', items.length);`,
    `    break;`,
    `  default:`,
    `    found.delete("${noun}");`,
    `}`,
  ];
}

function chain(noun: string, { at }: Place): readonly string[] {
  return [
    `const ${noun}s = items`,
    `  .filter(({ weight }) => weight !== undefined && weight > ${at % 11})`,
    `  .map((item, index) => ({ ...item, index, label: \`${noun}-\${index}\` }))`,
    `  .sort((one, other) => (one.weight ?? 0) - (other.weight ?? 0));`,
    `for (const each of ${noun}s) found.set(each.label, found.size > limit ? -each.index : each.index);`,
  ];
}
