/** Finds errors that a clause of a `try` catches, so that callers of the function do not see them. */
import type { Node } from './node.ts';
import { catchKinds, scriptLanguages } from './node-kinds.ts';

const TRIES = /^(?:try_|do_statement$|begin$|body_statement$)/;

/** Source text of the clauses that catch errors inside a `try`: those of this `try`, then those of outer ones. */
export interface Tried {
  clauses: readonly string[];
  /** Offset of the first clause of this `try`. Its clauses catch only errors that are raised before it. */
  before: number;
}

export function mayTry(type: string): boolean {
  return TRIES.test(type);
}

/** Returns the clauses that apply inside a `try`; undefined if the node has no clauses of its own. */
export function triedIn({ children }: Node, text: string, around: readonly string[]): Tried | undefined {
  const own = children.filter((child) => catchKinds.has(child.type));
  const [first] = own;
  if (first === undefined) return undefined;
  const clauses = own.map(({ startIndex, endIndex }) => text.slice(startIndex, endIndex));
  return { clauses: [...clauses, ...around], before: first.startIndex };
}

/** Whether a clause certainly catches the error with this name, and neither raises nor stores it. */
export function isCaught(name: string, language: string, clauses: readonly string[]): boolean {
  const own = name.split(/[.:\\]/).at(-1) ?? name;
  const clause = clauses.find((each) => {
    const head = headOf(each);
    return catchesAll(head, own, language) || wordsIn(head).includes(own);
  });
  return clause !== undefined && IDENTIFIER.test(own) && !raisesAgain(clause) && !keeps(clause);
}

const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

function headOf(clause: string): string {
  return clause.split(/[{\n]/, 1)[0] ?? '';
}

function wordsIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}_$]+/gu) ?? [];
}

/** Types whose clause catches every exception, for all languages. */
const EVERY = /[(|,\s\\.](?:Exception|Throwable|BaseException|StandardError)\b(?!\w)|\(\s*\.\.\.\s*\)/;
const BARE = /^(?:catch|rescue|except)\s*(?::|=>.*|then)?$/;
const FILTERED = /\bwhen\b/;

function catchesAll(head: string, name: string, language: string): boolean {
  if (scriptLanguages.includes(language) || BARE.test(head.trim())) return true;
  if (FILTERED.test(head) || !EVERY.test(head)) return false;
  // In Java, Kotlin and PHP, `Error` is not a subclass of `Exception`.
  const isError = /Error$/.test(name) && /^(?:java|kotlin|php)$/.test(language);
  return !isError || /\bThrowable\b/.test(head);
}

/** Whether a clause raises the caught error again: `throw;`, `raise`, or `throw err` of the caught `err`. */
function raisesAgain(clause: string): boolean {
  if (/\b(?:throw|raise)\s{0,20}(?:;|\}|\n|$)/.test(clause)) return true;
  const again = /\b(?:throw|raise)\s{1,20}(\$?[\p{L}_][\p{L}\p{N}_]{0,80})\s{0,20}(?:;|\}|\n|$)/u.exec(
    clause,
  )?.[1];
  // Without a named variable, Swift calls the caught error `error`.
  return again === 'error' || (again !== undefined && wordsIn(headOf(clause)).includes(again));
}

/** Whether a clause stores the caught error, as in `failure = error;`. The function may raise it later. */
function keeps(clause: string): boolean {
  const [, error = ''] =
    /(?<![=!<>])=\s{0,20}(\$?[\p{L}_][\p{L}\p{N}_]{0,80})\s{0,20}(?:;|\}|\n|$)/u.exec(clause) ?? [];
  return error !== '' && wordsIn(headOf(clause)).includes(error.replace('$', ''));
}
