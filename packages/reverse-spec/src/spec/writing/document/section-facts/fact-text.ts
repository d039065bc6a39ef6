import type { BodyFact } from '../../../../syntax/body-facts.ts';
import type { Words } from '../../../words.ts';
import { inlineCode } from '../markdown.ts';

/** How facts are put into words, wherever a section shows them. */

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

const NEGATED = /^!\((.*)\)$/s;
const CLAUSE = /^(?:except|catch|rescue)\b/;

/** All conditions, the outermost first: `a` and not `b`. */
export function conditionsText(when: readonly string[], { facts }: Pick<Words, 'facts'>): string {
  const parts = when.map((each) => {
    if (CLAUSE.test(each)) return facts.inside(inlineCode(each));
    const denied = NEGATED.exec(each)?.[1];
    return denied === undefined ? inlineCode(each) : facts.not(inlineCode(denied));
  });
  return [...new Set(parts)].join(facts.and);
}

const CONSTRUCTOR = /\.(?:constructor|__init__|initialize|__construct|init)$/;

/** A constructor is called by the name of its type. */
export function shownName(name: string): string {
  const [last, before] = name.split('.').reverse();
  const isNamedSame = last !== undefined && last === before;
  return isNamedSame ? name.slice(0, name.lastIndexOf('.')) : name.replace(CONSTRUCTOR, '');
}
