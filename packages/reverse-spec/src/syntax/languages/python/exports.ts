import type { Node } from 'web-tree-sitter';
import type { Declaration, ImportStatement } from '../../outline.ts';
import { field } from '../../tree/source.ts';

/** The names in `__all__`, with what `+=`, `.extend` and `.append` add; nothing when the module has none. */
export function readAll(statements: readonly Node[]): Set<string> | undefined {
  const names = statements.flatMap((statement) => namesAdded(statement.firstNamedChild) ?? [[]]);
  const found = statements.some((statement) => namesAdded(statement.firstNamedChild) !== undefined);
  return found ? new Set(names.flat()) : undefined;
}

function namesAdded(node: Node | null): string[][] | undefined {
  if (node === null) return undefined;
  if (node.type === 'assignment' || node.type === 'augmented_assignment') {
    return field(node, 'left')?.text === '__all__' ? [strings(field(node, 'right'))] : undefined;
  }
  if (node.type !== 'call') return undefined;
  const isCall = /^__all__\.(extend|append|insert)$/.test(field(node, 'function')?.text ?? '');
  return isCall ? [strings(field(node, 'arguments'))] : undefined;
}

function strings(node: Node | null): string[] {
  return node === null ? [] : node.descendantsOfType('string_content').map((content) => content.text);
}

/** `__all__` decides what a module exports; names it lists but only imports are re-exports. */
export function applyAll(
  declarations: Declaration[],
  imports: readonly ImportStatement[],
  all: Set<string> | undefined,
): Declaration[] {
  const passedOn = imports.flatMap((statement) => reExports(statement, all));
  const own =
    all === undefined
      ? declarations
      : declarations.map((each) => ({ ...each, exported: all.has(each.name) }));
  return [...own, ...passedOn].sort((left, right) => left.startLine - right.startLine);
}

function reExports(statement: ImportStatement, all: Set<string> | undefined): Declaration[] {
  const isWhole = statement.text.startsWith('import');
  const names = isWhole && statement.names.length === 0 ? [statement.module] : statement.names;
  return names.flatMap((written) => {
    const [original = '', alias = original] = written.split(/\sas\s/).map((part) => part.trim());
    const isNamed = all === undefined ? isExplicit(written, original, alias) : all.has(alias);
    if (!isNamed) return [];
    return [
      {
        name: alias,
        kind: 're-export' as const,
        signature: isWhole ? `import ${written}` : `from ${statement.module} import ${written}`,
        doc: undefined,
        exported: true,
        from: statement.module,
        members: [],
        startLine: statement.startLine,
        endLine: statement.endLine,
        bodyStartLine: undefined,
      },
    ];
  });
}

/** `from .a import b as b` says in so many words that `b` is to be seen from outside. */
function isExplicit(written: string, original: string, alias: string): boolean {
  return written !== original && original === alias;
}
