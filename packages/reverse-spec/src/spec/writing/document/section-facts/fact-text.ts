import { detectLanguage } from '@secateur/base/languages/languages.ts';
import type { BodyFact } from '../../../../syntax/body-facts.ts';
import {
  deniedIn,
  FUNCTION_ENDS,
  NOTHING_RETURNED,
  ON_EVENT,
  PASSED_TO,
  RETURNED_RUNS,
} from '../../../../syntax/run-conditions.ts';
import type { Words } from '../../../words.ts';
import { inlineCode } from '../markdown.ts';

/** Wording of facts, for every section that shows them. */

/** A comment opener would hide the rest; a single backtick would open code that nothing closes. */
export function harmless(text: string): string {
  const shown = text.replace(/<!--/g, '&lt;!--');
  const ticks = shown.match(/`/g)?.length ?? 0;
  return ticks % 2 === 0 ? shown : shown.replace(/`/g, '\\`');
}

/** Makers of errors that go back to the caller; their names say nothing to a reader. */
const RETURNED = /^(?:errors|fmt)\.\w+$|^(?:format|anyhow)!?$/;
/** A code that is raised with its arguments, not with a message. */
const CODE = /^[A-Z][A-Z0-9_]+$/;

/** The error, and what it says. */
export function errorText({ name, text }: BodyFact, { facts }: Words): string {
  const isMessage = text !== '' && text !== name && !(CODE.test(name) && !text.includes(' '));
  const error = RETURNED.test(name) ? facts.anError : inlineCode(name);
  return `${error}${isMessage ? facts.message(inlineCode(text)) : ''}`;
}

const CLAUSE = /^(?:except|catch|rescue)\b/;

/** All conditions, the outermost first: `a` and not `b`. */
export function conditionsText(when: readonly string[], { facts }: Pick<Words, 'facts'>): string {
  const parts = when.map((each) => {
    const runs = runText(each, facts);
    if (runs !== undefined) return runs;
    if (CLAUSE.test(each)) return facts.inside(inlineCode(each));
    const denied = deniedIn(each);
    if (denied === undefined) return caseText(each, facts);
    const opposite = oppositeOf(denied);
    return opposite === undefined ? facts.not(caseText(denied, facts)) : inlineCode(opposite);
  });
  return [...new Set(parts)].join(facts.and);
}

/** A condition that no code writes. */
function runText(condition: string, facts: Words['facts']): string | undefined {
  if (condition === RETURNED_RUNS) return facts.returnedRuns;
  if (condition === FUNCTION_ENDS) return facts.functionEnds;
  if (condition === NOTHING_RETURNED) return facts.nothingReturned;
  if (condition.startsWith(PASSED_TO)) return facts.passedTo(inlineCode(condition.slice(PASSED_TO.length)));
  const [, event, emitter] = /^event (.*?) of (.*)$/s.exec(condition) ?? [];
  if (event === undefined || emitter === undefined || !condition.startsWith(ON_EVENT)) return undefined;
  return facts.onEvent(inlineCode(event), inlineCode(emitter));
}

const OPPOSITES: Readonly<Record<string, string>> = { '==': '!=', '!=': '==', '===': '!==', '!==': '===' };

/** `false === x` for what is not `false !== x`; only of a single comparison. */
function oppositeOf(condition: string): string | undefined {
  if (/[&|?(){}[\]]|\b(?:and|or|not)\b|^switch /.test(condition)) return undefined;
  const words = condition.split(' ');
  const [at, another] = words.flatMap((word, index) => (word in OPPOSITES ? [index] : []));
  if (at === undefined || another !== undefined) return undefined;
  return words.map((word, index) => (index === at ? (OPPOSITES[word] ?? word) : word)).join(' ');
}

/** `switch (mode) case 'a'`: `mode` is `'a'`. */
function caseText(condition: string, facts: Words['facts']): string {
  if (!condition.startsWith('switch (')) return inlineCode(condition);
  const at = condition.indexOf(') case ');
  if (at !== -1)
    return facts.isCase(
      inlineCode(condition.slice('switch ('.length, at)),
      inlineCode(condition.slice(at + ') case '.length)),
    );
  const subject = condition.endsWith(') default')
    ? condition.slice('switch ('.length, -') default'.length)
    : '';
  if (subject === 'true') return facts.noCase;
  return subject === '' ? inlineCode(condition) : facts.isNoCase(inlineCode(subject));
}

const CONSTRUCTOR = /\.(?:constructor|__init__|initialize|__construct|init)$/;

/** A constructor is called by the name of its type; parts of a name are joined as the language of its file does. */
export function shownName(name: string, path: string): string {
  if (name === 'exports' && /\.[cm]?[jt]sx?$/.test(path)) return 'module.exports';
  const [last, before] = name.split('.').reverse();
  const isNamedSame = last !== undefined && last === before;
  const shown = isNamedSame ? name.slice(0, name.lastIndexOf('.')) : name.replace(CONSTRUCTOR, '');
  const language = detectLanguage({ path }) ?? '';
  if (language === 'ruby') return rubyName(shown);
  return WITH_COLONS.has(language) ? shown.replaceAll('.', '::') : shown;
}

const WITH_COLONS: ReadonlySet<string> = new Set(['rust', 'php', 'cpp']);

/** `Rack::Test::Session#request` for a method of objects, `Rack::Test.new` for one of the class itself. */
function rubyName(name: string): string {
  const [, holder = '', isOwn, member = name] = /^(.*?)\.(self\.)?([^.]+)$/.exec(name) ?? [];
  const mark = isOwn === undefined ? '#' : '.';
  return holder === '' || /^\p{Lu}/u.test(member)
    ? name.replaceAll('.', '::')
    : `${holder.replaceAll('.', '::')}${mark}${member}`;
}
