/** Errors that do not leave the function: a clause of the `try` around them catches them. */
import type { Node } from './node.ts';
import { catchKinds } from './node-kinds.ts';

const TRIES = /^(?:try_|do_statement$|begin$|body_statement$)/;

/** Returns the clauses of a `try`, and nothing for another node. */
export function clausesOf({ type, children }: Node): Node[] {
  return TRIES.test(type) ? children.filter((child) => catchKinds.has(child.type)) : [];
}

interface Raised {
  /** The type that is raised, as written. */
  name: string;
  language: string;
}

/** Whether one of the clauses is sure to catch the error and does not raise it again. */
export function isCaught({ name, language }: Raised, clauses: readonly string[]): boolean {
  const own = name.split(/[.:\\]/).at(-1) ?? name;
  const clause = clauses.find((each) => {
    const [head = ''] = each.split(/[{\n]/, 1);
    return catchesAll(head, own, language) || new RegExp(`(?<![\\w$])${own}(?![\\w$(])`).test(head);
  });
  return clause !== undefined && /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(own) && !raisesAgain(clause);
}

const SCRIPT = /^(?:javascript|typescript|tsx)$/;
/** What catches every exception, in the words of each language. */
const EVERY = /[(|,\s\\.](?:Exception|Throwable|BaseException|StandardError)\b(?!\w)|\(\s*\.\.\.\s*\)/;
const BARE = /^(?:catch|rescue|except)\s*(?::|=>.*|then)?$/;
const FILTERED = /\bwhen\b/;

function catchesAll(head: string, name: string, language: string): boolean {
  if (SCRIPT.test(language) || BARE.test(head.trim())) return true;
  if (FILTERED.test(head) || !EVERY.test(head)) return false;
  // `Error` is not an `Exception` in Java and PHP.
  const isError = /Error$/.test(name) && /^(?:java|kotlin|php)$/.test(language);
  return !isError || /\bThrowable\b/.test(head);
}

/** `throw;`, `raise`, `throw err` of the caught `err`. */
function raisesAgain(clause: string): boolean {
  if (/\b(?:throw|raise)\s*(?:;|\}|\n|$)/.test(clause)) return true;
  const head = clause.split(/[{\n]/, 1)[0] ?? '';
  const variable = /([\p{L}_$][\p{L}\p{N}_]*)\s*(?::\s*[\w.]+\s*)?\)?\s*:?\s*$/u.exec(head)?.[1];
  const again = /\b(?:throw|raise)\s+(\$?[\p{L}_$][\p{L}\p{N}_]*)\s*(?:;|\}|\n|$)/u.exec(clause)?.[1];
  return again !== undefined && (variable === undefined || again === variable || again === 'error');
}
