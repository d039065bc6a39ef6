/** Finds errors that do not leave the function because a clause of a `try` catches them. */
import type { Node } from './node.ts';
import { catchKinds, scriptLanguages } from './node-kinds.ts';

const TRIES = /^(?:try_|do_statement$|begin$|body_statement$)/;

/** Source text of the clauses that catch errors in a `try`: its own first, then those around it. */
export interface Tried {
  clauses: readonly string[];
  /** Offset of its first clause. Errors raised after it are not caught by its clauses. */
  before: number;
}

export function mayTry(type: string): boolean {
  return TRIES.test(type);
}

/** Returns undefined if a node for which `mayTry` holds has no clauses. */
export function triedIn({ children }: Node, text: string, around: readonly string[]): Tried | undefined {
  const own = children.filter((child) => catchKinds.has(child.type));
  const [first] = own;
  if (first === undefined) return undefined;
  const clauses = own.map(({ startIndex, endIndex }) => text.slice(startIndex, endIndex));
  return { clauses: [...clauses, ...around], before: first.startIndex };
}

/** Whether one of the clauses certainly catches the error of this name and does not raise it again. */
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

/** Types whose clause catches every exception, over all languages. */
const EVERY = /[(|,\s\\.](?:Exception|Throwable|BaseException|StandardError)\b(?!\w)|\(\s*\.\.\.\s*\)/;
const BARE = /^(?:catch|rescue|except)\s*(?::|=>.*|then)?$/;
const FILTERED = /\bwhen\b/;

function catchesAll(head: string, name: string, language: string): boolean {
  if (scriptLanguages.includes(language) || BARE.test(head.trim())) return true;
  if (FILTERED.test(head) || !EVERY.test(head)) return false;
  // `Error` is not an `Exception` in Java and PHP.
  const isError = /Error$/.test(name) && /^(?:java|kotlin|php)$/.test(language);
  return !isError || /\bThrowable\b/.test(head);
}

/** Whether a clause raises the caught error again: `throw;`, `raise`, or `throw err` of the caught `err`. */
function raisesAgain(clause: string): boolean {
  if (/\b(?:throw|raise)\s{0,20}(?:;|\}|\n|$)/.test(clause)) return true;
  const again = /\b(?:throw|raise)\s{1,20}(\$?[\p{L}_][\p{L}\p{N}_]{0,80})\s{0,20}(?:;|\}|\n|$)/u.exec(
    clause,
  )?.[1];
  // Swift names a caught error `error`.
  return again === 'error' || (again !== undefined && wordsIn(headOf(clause)).includes(again));
}

/** Whether a clause stores the caught error, which the function may raise later: `failure = error;`. */
function keeps(clause: string): boolean {
  const [, error = ''] =
    /(?<![=!<>])=\s{0,20}(\$?[\p{L}_][\p{L}\p{N}_]{0,80})\s{0,20}(?:;|\}|\n|$)/u.exec(clause) ?? [];
  return error !== '' && wordsIn(headOf(clause)).includes(error.replace('$', ''));
}
