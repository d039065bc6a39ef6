/** Labels of gaps, in English for compact and in French for canonical markers. A label is true of all lines in its gap. */
import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { Unit, UnitKind } from '../reading/document.ts';
import { SUITES } from '../reading/marks.ts';
import {
  countOf,
  type Labelled,
  type Language,
  listed,
  MIN_TEMPLATE_CHARS,
  namesOf,
  OWN_WORDS,
  shortName,
  type Wording,
} from './label-details.ts';

export interface Label {
  readonly english: string;
  readonly french: string;
}

/** Maximum characters of a label. The contract sets the French limit, for canonical markers. */
const MAX_LABEL_CHARS: Readonly<Record<Language, number>> = { english: 80, french: 60 };

/** Maximum characters of the names of fields or sections in a compact label. */
const MAX_NAMES_CHARS = 200;

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

/** Kinds of units whose labels list names. */
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

/** Kinds of units whose labels contain a count. */
const COUNTED: Partial<Record<UnitKind, Noun>> = {
  paragraph: noun('paragraph', 'paragraphs', 'paragraphe', 'paragraphes'),
  row: noun('row', 'rows', 'ligne du tableau', 'lignes du tableau'),
  hit: noun('hit', 'hits', 'résultat', 'résultats'),
  hunk: noun('hunk', 'hunks', 'bloc de diff', 'blocs de diff'),
  'passed-tests': noun('test passed', 'tests passed', 'test réussi', 'tests réussis'),
  'skipped-tests': noun('test skipped', 'tests skipped', 'test ignoré', 'tests ignorés'),
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

/** Returns the label of a gap with these units. Each language is built when it is first read, because a marker needs only one. */
export function labelOf(units: readonly Unit[], gap: Labelled): Label {
  const groups = [...grouped(countedOnce(units).map((unit) => [unit.kind, unit]))];
  return {
    get english() {
      return join(groups, 'english', gap);
    },
    get french() {
      const french = join(groups, 'french', gap);
      const isForm = FORM_KINDS.has(units[0]?.kind ?? 'paragraph');
      return isForm ? french : fitted(`hors focus: ${french}`, 'french');
    },
  };
}

/** Kinds that are removed because of their form, not their content. */
const FORM_KINDS: ReadonlySet<UnitKind> = new Set<UnitKind>([
  'passed-tests',
  'skipped-tests',
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

/** Omits results of suites if there are tests: the tests are already counted. */
function countedOnce(units: readonly Unit[]): readonly Unit[] {
  const isSuites = ({ kind, name }: Unit) => kind === 'passed-tests' && name === SUITES;
  const hasTests = units.some((unit) => unit.kind === 'passed-tests' && !isSuites(unit));
  return hasTests ? units.filter((unit) => !isSuites(unit)) : units;
}

function join(groups: readonly (readonly [UnitKind, readonly Unit[]])[], language: Language, gap: Labelled) {
  const nameless = gap.isBody ? namelessBody(groups[0]?.[1][0]) : undefined;
  if (nameless !== undefined) return nameless[language];
  const hasBody = gap.isBody && !SAYS_ITSELF.has(groups[0]?.[0] ?? 'hit');
  const between = 2 * (groups.length - 1);
  // Names of fields are listed once, and later labels refer to that list. Titles show what a chapter
  // contains.
  const areNames = language === 'english' && groups.every(([kind]) => kind === 'field' || kind === 'section');
  const most = areNames ? MAX_NAMES_CHARS : MAX_LABEL_CHARS[language];
  const room = Math.floor((most - between - (hasBody ? 8 : 0)) / groups.length);
  const said = groups.map(([kind, units]) => describe(kind, units, { ...gap, language, room })).join(', ');
  if (areNames) return said;
  if (!hasBody) return fitted(said, language);
  return fitted(language === 'english' ? `body of ${said}` : `corps de ${said}`, language);
}

/** Returns the label for the body of an entry without a name, such as lines between brackets: the number of lines. */
function namelessBody(unit: Unit | undefined): Label | undefined {
  if (unit?.kind !== 'entry' || namesOf([unit]).length > 0) return undefined;
  const count = unit.end - unit.head;
  const [line, ligne] = count === 1 ? ['line', 'ligne'] : ['lines', 'lignes'];
  return { english: `${count} ${line}`, french: `${count} ${ligne}` };
}

/** Kinds whose labels do not begin with "body of". */
const SAYS_ITSELF: ReadonlySet<UnitKind> = new Set<UnitKind>(['hit', 'element', 'section']);

function describe(kind: UnitKind, units: readonly Unit[], wording: Wording): string {
  const { language, room } = wording;
  const own = language === 'english' ? OWN_WORDS[kind]?.(units, wording) : undefined;
  if (own !== undefined && own !== '') return own;
  const count = countOf(units);
  const names = namesOf(units);
  const special = SPECIAL[kind]?.(names, { count, room })?.[language];
  if (special !== undefined) return special;
  const named = NAMED[kind];
  if (named !== undefined && names.length > 0) return listed(named[language], names, { language, room });
  const word = (COUNTED[kind] ?? named)?.[language] ?? ['line', 'lines'];
  return `${count} ${count === 1 ? word[0] : word[1]}`;
}

/** Kinds whose labels are neither a list of names nor only a count. */
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
  'similar-lines': (_, { count }) => ({
    english: '',
    french: `répétition: ${count} ${count === 1 ? 'ligne semblable' : 'lignes semblables'}`,
  }),
  'passed-tests': ([name], { count }) =>
    name === SUITES
      ? {
          english: `${count} ${count === 1 ? 'suite' : 'suites'} passed`,
          french: `${count} ${count === 1 ? 'suite réussie' : 'suites réussies'}`,
        }
      : undefined,
  'quiet-lines': (names, { count, room }) => {
    const [line, ligne] = count === 1 ? ['line', 'ligne'] : ['lines', 'lignes'];
    const plain = `${count} ${line}, no failure or warning`;
    const simple = `${count} ${ligne}, sans échec ni alerte`;
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

function fitted(label: string, language: Language): string {
  const most = MAX_LABEL_CHARS[language];
  const characters = Array.from(label);
  return characters.length <= most ? label : `${characters.slice(0, most - 1).join('')}…`;
}
