import type { Declaration } from '../../outline.ts';
import { field, fieldText, readStatement, type Statement } from '../../tree/source.ts';

const WORDS: ReadonlySet<string> = new Set(['private', 'protected', 'public', 'module_function']);

/** Reads a body with Ruby's rules of sight: `private` alone hides what follows, with names only those. */
export function readVisible(statements: readonly Statement[]): Declaration[] {
  const found: Declaration[] = [];
  const hidden = new Set<string>();
  let isHiding = false;
  for (const statement of statements) {
    const { node } = statement;
    if (node.type === 'identifier' && WORDS.has(node.text)) {
      isHiding = node.text === 'private';
      continue;
    }
    const word = node.type === 'call' ? fieldText(node, 'method') : '';
    if (WORDS.has(word) || word.startsWith('private_')) found.push(...readMarked(statement, word, hidden));
    // What opens `class << self` starts with a sight of its own.
    else found.push(...hide(readStatement(statement), isHiding && node.type !== 'singleton_class'));
  }
  return found.map((each) => (hidden.has(each.name) ? { ...each, exported: false } : each));
}

/** `private def f`, `private :f, :g`, `private_class_method :h`, `private_constant :X`. */
function readMarked(statement: Statement, word: string, hidden: Set<string>): Declaration[] {
  const { node } = statement;
  const isPrivate = word.startsWith('private');
  const prefix = word === 'private_class_method' ? 'self.' : '';
  return (field(node, 'arguments')?.namedChildren ?? []).flatMap((argument) => {
    if (argument.type === 'simple_symbol' && isPrivate) hidden.add(prefix + argument.text.slice(1));
    return hide(readStatement({ ...statement, node: argument, first: node }), isPrivate, true);
  });
}

/** A bare `private` speaks of instance methods and attributes alone; classes and constants stay seen. */
function hide(declarations: Declaration[], isHiding: boolean, isMarked = false): Declaration[] {
  if (!isHiding) return declarations;
  return declarations.map((each) => {
    const isHidden =
      isMarked || ((each.kind === 'method' || each.kind === 'property') && !each.name.startsWith('self.'));
    return isHidden ? { ...each, exported: false } : each;
  });
}
