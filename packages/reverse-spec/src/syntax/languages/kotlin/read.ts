import type { DeclarationKind } from '@secateur/base/languages/structure.ts';
import type { Node } from 'web-tree-sitter';
import type { Declaration, ImportStatement, ParseProblem } from '../../outline.ts';
import type { Hiding } from '../../tree/parsers.ts';
import {
  childOfType,
  childrenOfType,
  declare,
  documented,
  fieldText,
  importFrom,
  importOf,
  readInside,
  readPackage,
  readStatement,
  type Statement,
  type TreeCode,
  valueEnd,
} from '../../tree/source.ts';

function kotlinInTheWay(root: Node, text: string): Hiding[] {
  const annotated = root.namedChildren.filter((node) => node.type === 'annotated_expression');
  return [...delegatesInTheWay(root), ...annotated.flatMap((node) => annotationsInTheWay(node, text))];
}

/** Hides annotations above one-line declarations, which the grammar would read as one expression. */
function annotationsInTheWay(node: Node, text: string): Hiding[] {
  const annotations = annotationsOf(node);
  const [first] = annotations;
  if (first === undefined) return [];
  const groups = [[first]];
  for (const annotation of annotations.slice(1)) {
    const last = groups.at(-1)?.at(-1);
    if (last?.nextSibling?.startIndex === annotation.parent?.startIndex) groups.at(-1)?.push(annotation);
    else groups.push([annotation]);
  }
  const blanks = groups.map(
    (group) =>
      [group[0]?.startIndex ?? 0, afterArguments(text, group.at(-1)?.endIndex ?? 0), 'comment'] as const,
  );
  return [{ from: node.startIndex, to: node.endIndex, blanks }];
}

/** Returns the end of an annotation. The grammar may have parsed its arguments as a separate expression in brackets. */
function afterArguments(text: string, end: number): number {
  if (text[end] !== '(') return end;
  let depth = 0;
  for (let at = end; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return end;
}

/** Returns the annotations inside nested expressions, except those in arguments of an annotation. */
function annotationsOf(node: Node): Node[] {
  return node.namedChildren.flatMap((child) => {
    if (child.type === 'annotation') return [child];
    return /^(annotated|infix)_expression$/.test(child.type) ? annotationsOf(child) : [];
  });
}

/** Hides the delegate in `class A : B by b { … }`. The grammar reads `b { … }` as a call with a lambda. */
function delegatesInTheWay(root: Node): Hiding[] {
  return root.descendantsOfType('explicit_delegation').flatMap((delegation) => {
    const by = childOfType(delegation, 'by');
    const lambda = delegation.lastNamedChild?.lastNamedChild;
    if (by === null || lambda?.type !== 'annotated_lambda') return [];
    const owner = delegation.parent?.parent?.parent ?? delegation;
    return [
      { from: owner.startIndex, to: owner.endIndex, blanks: [[by.startIndex, lambda.startIndex] as const] },
    ];
  });
}

/** Hides `actual` and `expect`, which the grammar may take for names. */
export function maskActual(text: string): string {
  return text.replace(PLATFORM_WORD, '      ');
}

const PLATFORM_WORD =
  /\b(?:actual|expect)(?=\s+(?:public|private|internal|protected|open|abstract|final|sealed|data|inline|value|inner|enum|annotation|override|lateinit|const|suspend|operator|infix|tailrec|external|companion|class|interface|object|fun|val|var|typealias|constructor)\b)/g;

export const kotlinCode: TreeCode = {
  read: (source) => ({
    imports: source.root.namedChildren.flatMap(readImport),
    declarations: readInside(source.root, { source }),
    unread: source.path?.endsWith('.kts') ? [] : source.root.namedChildren.flatMap(misread),
  }),
  mask: maskActual,
  hides: kotlinInTheWay,
  docs: { opens: /^\/\*\*/ },
  // In Kotlin only `private` hides a declaration from other files; `internal` allows all files of the module.
  isExported: ({ node }) => !modifiersOf(node).includes('private'),
  rules: {
    class_declaration: (statement) => readClass(statement, classKind(statement.node)),
    object_declaration: (statement) => readClass(statement, 'class'),
    companion_object: (statement) => readClass(statement, 'class'),
    function_declaration: (statement) =>
      readCallable(statement, statement.holder === undefined ? 'function' : 'method'),
    secondary_constructor: (statement) => readCallable(statement, 'constructor'),
    property_declaration: readProperty,
    type_alias: (statement) =>
      declare(statement, { kind: 'type', name: fieldText(statement.node, 'type'), body: null }),
    enum_entry: (statement) =>
      declare(statement, {
        name: childOfType(statement.node, 'identifier')?.text ?? '',
        kind: 'case',
        body: childOfType(statement.node, 'class_body'),
        exported: true,
      }),
    package_header: readPackage,
  },
};

/** Returns a problem for an expression at the top level of a file: it was probably a declaration. */
function misread(node: Node): ParseProblem[] {
  if (!/(?:expression|literal|^identifier|^assignment)$/.test(node.type)) return [];
  const [text = ''] = node.text.split('\n', 1);
  return [{ line: node.startPosition.row + 1, message: `not read: \`${text.slice(0, 40).trim()}\`` }];
}

function modifiersOf(node: Node): string[] {
  return childOfType(node, 'modifiers')?.namedChildren.map((modifier) => modifier.text) ?? [];
}

function classKind(node: Node): DeclarationKind {
  if (childOfType(node, 'interface') !== null) return 'interface';
  return modifiersOf(node).includes('enum') ? 'enum' : 'class';
}

function readClass(statement: Statement, kind: DeclarationKind): Declaration {
  const { source, node } = statement;
  const name = fieldText(node, 'name') || 'Companion';
  const body = childOfType(node, 'class_body', 'enum_class_body');
  const place = { source, holder: { kind, name, isOpen: true } };
  const members = body === null ? [] : documented(body, place);
  const isPlainEnum =
    kind === 'enum' &&
    members.every(({ node: each }) => each.type === 'enum_entry' && childOfType(each, 'class_body') === null);
  const all = [...constructorProperties(statement), ...members.flatMap(readStatement)];
  const end = isPlainEnum ? node.endIndex : undefined;
  return declare(statement, { name, kind, end, body, members: all });
}

/** Reads the properties in a constructor: `class A(val b: C)` declares `b`. */
function constructorProperties(statement: Statement): Declaration[] {
  const primary = childOfType(statement.node, 'primary_constructor');
  const list = primary && childOfType(primary, 'class_parameters');
  const parameters = list === null ? [] : documented(list, statement);
  return parameters
    .filter(({ node }) => childOfType(node, 'val', 'var') !== null)
    .map((parameter) => {
      const name = childOfType(parameter.node, 'identifier')?.text ?? '';
      return declare(parameter, { kind: 'property', name, body: null });
    });
}

function readCallable(statement: Statement, kind: DeclarationKind): Declaration {
  const { node } = statement;
  return declare(statement, {
    name: kind === 'constructor' ? 'constructor' : fieldText(node, 'name'),
    kind,
    end: childOfType(node, 'constructor_delegation_call')?.previousSibling?.startIndex,
    body: childOfType(node, 'function_body', 'block'),
  });
}

function readProperty(statement: Statement): Declaration[] {
  const { node, holder } = statement;
  const variables = node.descendantsOfType('variable_declaration').filter((each) => isOwn(node, each));
  const plainKind = childOfType(node, 'val') === null ? 'variable' : 'constant';
  const kind = holder === undefined ? plainKind : 'property';
  const names = variables.map((variable) => childOfType(variable, 'identifier')?.text ?? '');
  return names.map((name) => declare(statement, { name, kind, end: propertyEnd(node), body: null }));
}

/** Whether a variable belongs to the declaration itself, not to code in its initial value. */
function isOwn(node: Node, variable: Node): boolean {
  const parent = variable.parent;
  return (
    parent?.id === node.id || (parent?.type === 'multi_variable_declaration' && parent.parent?.id === node.id)
  );
}

function propertyEnd(node: Node): number {
  const code = childOfType(node, 'getter', 'setter', 'property_delegate');
  const before = childOfType(node, 'variable_declaration', 'multi_variable_declaration');
  const value = childOfType(node, '=')?.nextNamedSibling ?? null;
  const end = valueEnd(value, before, value ?? node);
  return code === null ? end : Math.min(code.startIndex, value === null ? code.startIndex : end);
}

function readImport(node: Node): ImportStatement[] {
  if (node.type !== 'import') return [];
  const path = childOfType(node, 'qualified_identifier', 'identifier')?.text ?? '';
  if (childOfType(node, '*') !== null) return [importOf(node, path, ['*'])];
  const aliases = childrenOfType(node, 'identifier');
  const suffix = childOfType(node, 'as') === null ? '' : ` as ${aliases.at(-1)?.text ?? ''}`;
  return [importFrom(node, path, { suffix })];
}
