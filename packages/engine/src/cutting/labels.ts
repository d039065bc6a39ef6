/** Names of gaps, in English for compact markers and in French for canonical ones. A label is true of every line in its gap. */
import type { Unit, UnitKind } from '../reading/document.ts';

export interface Label {
  readonly english: string;
  readonly french: string;
}

/** The contract's limit for the reason in a canonical marker. */
const MAX_LABEL_CHARS = 60;

interface Noun {
  readonly english: readonly [one: string, many: string];
  readonly french: readonly [one: string, many: string];
}

const noun = (
  ...[english, englishMany, french, frenchMany]: readonly [string, string, string, string]
): Noun => ({
  english: [english, englishMany],
  french: [french, frenchMany],
});

/** Units that are listed by their names. */
const NAMED: Partial<Record<UnitKind, Noun>> = {
  function: noun('function', 'functions', 'fonction', 'fonctions'),
  method: noun('method', 'methods', 'méthode', 'méthodes'),
  class: noun('class', 'classes', 'classe', 'classes'),
  type: noun('type', 'types', 'type', 'types'),
  module: noun('module', 'modules', 'module', 'modules'),
  test: noun('test', 'tests', 'test', 'tests'),
  literal: noun('value of', 'values of', 'valeur de', 'valeurs de'),
  section: noun('section', 'sections', 'section', 'sections'),
  entry: noun('entry', 'entries', 'entrée', 'entrées'),
  field: noun('field', 'fields', 'champ', 'champs'),
  record: noun('record', 'records', 'enregistrement', 'enregistrements'),
  'changed-file': noun('changes of', 'changes of', 'modifications de', 'modifications de'),
  commit: noun('commit', 'commits', 'commit', 'commits'),
  element: noun('element', 'elements', 'élément', 'éléments'),
  hit: noun('hits in', 'hits in', 'résultats dans', 'résultats dans'),
  lines: noun('lines of', 'lines of', 'lignes de', 'lignes de'),
};

/** Units that are counted. */
const COUNTED: Partial<Record<UnitKind, Noun>> = {
  paragraph: noun('paragraph', 'paragraphs', 'paragraphe', 'paragraphes'),
  row: noun('row', 'rows', 'ligne du tableau', 'lignes du tableau'),
  hit: noun('hit', 'hits', 'résultat', 'résultats'),
  hunk: noun('hunk', 'hunks', 'bloc de diff', 'blocs de diff'),
  'passed-tests': noun('test passed', 'tests passed', 'test réussi', 'tests réussis'),
  progress: noun('line of progress', 'lines of progress', 'ligne de progression', 'lignes de progression'),
  'library-frames': noun(
    'library frame',
    'library frames',
    'appel de bibliothèque',
    'appels de bibliothèque',
  ),
  'library-notes': noun(
    'compiler note on library code',
    'compiler notes on library code',
    'note du compilateur sur une bibliothèque',
    'notes du compilateur sur des bibliothèques',
  ),
  lines: noun('line', 'lines', 'ligne', 'lignes'),
  'long-line': noun('long line', 'long lines', 'ligne longue', 'lignes longues'),
};

/** The label of a gap that holds these units, one after the other. */
export function labelOf(units: readonly Unit[], options: { readonly isBody: boolean }): Label {
  const groups = groupByKind(units);
  const english = join(groups, 'english', options);
  const french = join(groups, 'french', options);
  return {
    english,
    french: FORM_KINDS.has(units[0]?.kind ?? 'paragraph') ? french : fitted(`hors focus: ${french}`),
  };
}

/** Kinds that are removed for their form, not for what they say. */
const FORM_KINDS: ReadonlySet<UnitKind> = new Set<UnitKind>([
  'passed-tests',
  'progress',
  'similar-lines',
  'library-frames',
  'quiet-lines',
  'finding',
  'library-notes',
  'licence',
  'long-line',
  'shown',
]);

type Language = keyof Label;

function groupByKind(units: readonly Unit[]): [UnitKind, readonly Unit[]][] {
  const groups = new Map<UnitKind, Unit[]>();
  for (const unit of units) {
    const group = groups.get(unit.kind);
    if (group === undefined) groups.set(unit.kind, [unit]);
    else group.push(unit);
  }
  return [...groups];
}

function join(
  groups: readonly (readonly [UnitKind, readonly Unit[]])[],
  language: Language,
  { isBody }: { readonly isBody: boolean },
): string {
  const hasBody = isBody && !SAYS_ITSELF.has(groups[0]?.[0] ?? 'hit');
  const between = 2 * (groups.length - 1);
  const room = Math.floor((MAX_LABEL_CHARS - between - (hasBody ? 8 : 0)) / groups.length);
  const said = groups.map(([kind, units]) => describe(kind, units, { language, room, isBody })).join(', ');
  if (!hasBody) return fitted(said);
  return fitted(language === 'english' ? `body of ${said}` : `corps de ${said}`);
}

/** Kinds whose labels of bodies do not begin with "body of". */
const SAYS_ITSELF: ReadonlySet<UnitKind> = new Set<UnitKind>(['hit', 'element', 'section']);

interface Wording {
  readonly language: Language;
  readonly room: number;
  /** The name is in the line above the gap. */
  readonly isBody: boolean;
}

function describe(kind: UnitKind, units: readonly Unit[], wording: Wording): string {
  const { language, room } = wording;
  const own = OWN_WORDS[kind]?.(units, wording);
  if (own !== undefined) return own;
  const count = units.reduce((sum, unit) => sum + (unit.count ?? 1), 0);
  const names = namesOf(units);
  const special = SPECIAL[kind]?.(names, { count, room })?.[language];
  if (special !== undefined) return special;
  const named = NAMED[kind];
  if (named !== undefined && names.length > 0) return listed(named[language], names, { language, room });
  const word = (COUNTED[kind] ?? named)?.[language] ?? ['line', 'lines'];
  return `${count} ${count === 1 ? word[0] : word[1]}`;
}

/** Kinds whose labels depend on more than names. */
const OWN_WORDS: Partial<Record<UnitKind, (units: readonly Unit[], wording: Wording) => string | undefined>> =
  {
    section: (_, { language, isBody }) =>
      isBody && language === 'english' ? 'body of this section' : undefined,
    element: ([first, ...others], { language, isBody }) => {
      if (language !== 'english' || first?.holds === undefined) return undefined;
      if (isBody) return first.holds;
      const [last] = others.slice(-1);
      const count = others.length + 1;
      const names = [first, last].map((unit) => shortName(singleLine(unit?.name ?? ''), MAX_ITEM_NAME_CHARS));
      const said = names.filter((name) => name !== '').join(' … ');
      return `${count} ${first.holds}${count === 1 ? '' : 's'}${said === '' ? '' : `: ${said}`}`;
    },
    paragraph: (units, { language }) =>
      language === 'english' && units.length === 1 ? units[0]?.holds : undefined,
    /** The longest fields say most of what is hidden. */
    field: (units, { language }) => {
      const byLength = [...units].sort((a, b) => (b.characters ?? 0) - (a.characters ?? 0));
      const names = namesOf(byLength);
      if (language !== 'english' || names.length === 0) return undefined;
      const few = names.length <= MAX_FIELDS + 1 ? names : names.slice(0, MAX_FIELDS);
      return fewNames(
        few.map((name) => shortName(name)),
        units.length - few.length,
      );
    },
  };

const MAX_ITEM_NAME_CHARS = 16;
const MAX_FIELDS = 1;

/** `body, user and 9 more`. */
function fewNames(names: readonly string[], others: number): string {
  return others === 0 ? names.join(', ') : `${names.join(', ')} and ${others} more`;
}

/** Kinds whose labels are neither a list of names nor a plain count. */
const SPECIAL: Partial<
  Record<
    UnitKind,
    (names: readonly string[], sizes: { readonly count: number; readonly room: number }) => Label | undefined
  >
> = {
  licence: () => ({ english: 'licence header', french: 'en-tête de licence' }),
  shown: ([call = '']) => ({
    english: `unchanged, shown above by: ${shortName(call)}`,
    french: `inchangé, montré plus haut par: ${shortName(call)}`,
  }),
  'similar-lines': ([first = '', ...others], { count, room }) => {
    const more = others.length > 0 ? `; +${others.length}` : '';
    const [line, ligne] = count === 1 ? ['line', 'ligne semblable'] : ['lines', 'lignes semblables'];
    const french = `répétition: ${count} ${ligne}`;
    const said = `${count} ${line} like: `;
    const most = Math.min(MAX_NAME_CHARS, room - said.length - more.length);
    // A template is shown if at least its beginning fits.
    if (first === '' || most < Math.min(MIN_TEMPLATE_CHARS, first.length))
      return { english: `${count} similar ${line}`, french };
    return { english: `${said}${shortName(first, most)}${more}`, french };
  },
  'passed-tests': ([name], { count }) =>
    name === 'suites' ? { english: `${count} suites passed`, french: `${count} suites réussies` } : undefined,
  'quiet-lines': (names, { count, room }) => {
    const [line, ligne] = count === 1 ? ['line', 'ligne'] : ['lines', 'lignes'];
    const [plain, simple] = [
      `${count} ${line}, no failure or warning`,
      `${count} ${ligne}, sans échec ni alerte`,
    ];
    if (plain.length > room) return { english: `${count} ${line}`, french: `${count} ${ligne}` };
    const most = room - plain.length - ' of …'.length;
    if (names.length !== 1 || most < MIN_TEMPLATE_CHARS) return { english: plain, french: simple };
    const step = shortName(names[0] ?? '', most);
    return {
      english: `${count} ${line} of ${step}, no failure or warning`,
      french: `${count} ${ligne} de ${step}, sans échec ni alerte`,
    };
  },
  finding: (rules, { count, room }) => {
    const [said, dit] = count === 1 ? ['finding:', 'constat:'] : ['findings:', 'constats:'];
    const left = room - 'répétition: '.length;
    const names = (word: string, language: Wording['language']) =>
      listed([word, word], rules, { language, room: left });
    return {
      english: `${count} ${names(said, 'english')}`,
      french: `répétition: ${count} ${names(dit, 'french')}`,
    };
  },
  'library-frames': ([name], { count }) =>
    name === 'shown above'
      ? { english: `${count} frames shown above`, french: `${count} appels déjà montrés` }
      : undefined,
};

function namesOf(units: readonly Unit[]): string[] {
  const raw = new Set(units.map(({ name }) => name));
  return [...new Set(Array.from(raw, singleLine))].filter((name) => name !== '');
}

/** `functions parse, load and 4 more`: as many whole names as fit, the first in any case. */
function listed(
  [one, many]: readonly [string, string],
  names: readonly string[],
  { language, room }: Pick<Wording, 'language' | 'room'>,
): string {
  const word = names.length === 1 ? one : many;
  let shown = 1;
  const say = (count: number) => {
    const few = names.slice(0, count).map((name) => shortName(name));
    const others = names.length - count;
    if (language === 'english') return `${word} ${fewNames(few, others)}`;
    return `${word} ${few.join(', ')}${others > 0 ? ` +${others}` : ''}`;
  };
  while (shown < names.length && say(shown + 1).length <= room) shown += 1;
  return say(shown);
}

const MAX_NAME_CHARS = 40;
const MIN_TEMPLATE_CHARS = 10;

/** A long name ends between two words. */
function shortName(name: string, most = MAX_NAME_CHARS): string {
  if (name.length <= most) return name;
  const cut = name.slice(0, most);
  const space = cut.lastIndexOf(' ');
  return `${(space > most / 2 ? cut.slice(0, space) : cut).replace(/[ …]{1,9}$/, '')}…`;
}

function fitted(label: string): string {
  const characters = Array.from(label);
  return characters.length <= MAX_LABEL_CHARS
    ? label
    : `${characters.slice(0, MAX_LABEL_CHARS - 1).join('')}…`;
}

/** A label is one line that cannot end its marker early. */
function singleLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cs}⟦⟧]+/gu, ' ').trim();
}
