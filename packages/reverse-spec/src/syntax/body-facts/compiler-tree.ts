import type { LineIndex } from '@secateur/base/text/lines.ts';
import type { ts } from '@ts-morph/common';
import type { TypeScript } from '../languages/typescript/source.ts';
import { Copy, type Grammar, NO_ROLE, type Open, type Role, type Special } from './compiler-tree/copy.ts';
import { namedTokens, shapesOf, targetShapesOf } from './compiler-tree/kinds.ts';
import type { Node } from './node.ts';

/**
 * Copies a tree of the TypeScript compiler into nodes with tree-sitter's node types. Facts are read from the
 * copy, so tokens without facts are omitted.
 */
export type CompilerTreeCopier = (file: ts.SourceFile, lines: LineIndex) => Node;

export function createCompilerTreeCopier(ts: TypeScript): CompilerTreeCopier {
  const grammar: Grammar = {
    ts,
    shapes: shapesOf(ts),
    targets: targetShapesOf(ts),
    tokens: namedTokens(ts),
    specials: specialsOf(ts),
    kinds: new Map(),
  };
  return (file, lines) => new Copy(grammar, { text: file.text, lines }).root(file);
}

/** A compiler node to copy, the parent of its copy, and its role in that parent. */
interface Job<Kind extends ts.Node> {
  copy: Copy;
  open: Open;
  node: Kind;
  role: Role;
  ts: TypeScript;
}

/** Returns the functions that copy nodes of special kinds. All other nodes are copied by tables. */
function specialsOf(ts: TypeScript): ReadonlyMap<number, Special> {
  const { SyntaxKind } = ts;
  const rows = new Map<number, Special>();
  const add = <Kind extends ts.Node>(kind: ts.SyntaxKind, special: (job: Job<Kind>) => void) => {
    rows.set(kind, (copy, open, { node, role }) => special({ copy, open, node: node as Kind, role, ts }));
  };
  add(SyntaxKind.BinaryExpression, addBinary);
  add(SyntaxKind.VariableStatement, addVariables);
  add(SyntaxKind.VariableDeclarationList, addVariableList);
  add(SyntaxKind.CatchClause, addCatch);
  add(SyntaxKind.BindingElement, addBinding);
  add(SyntaxKind.ShorthandPropertyAssignment, addShorthand);
  add(SyntaxKind.TemplateExpression, addTemplate);
  add(SyntaxKind.ImportSpecifier, addSpecifier('import_specifier'));
  add(SyntaxKind.ExportSpecifier, addSpecifier('export_specifier'));
  add(SyntaxKind.ModuleDeclaration, addModule);
  return rows;
}

function addBinary({ copy, open, node, role, ts }: Job<ts.BinaryExpression>): void {
  const { left, operatorToken, right } = node;
  const type = binaryType(ts, operatorToken.kind, role.isTarget === true);
  const isAssigned = type === 'assignment_expression' || type === 'assignment_pattern';
  const inner = copy.begin(open, node, { type, field: role.field });
  copy.add(inner, left, { field: 'left', isTarget: isAssigned });
  const { pos, end } = operatorToken;
  if (inner.at < end) {
    const start = copy.skip(inner, { from: pos, end });
    copy.push(inner, { type: ts.tokenToString(operatorToken.kind) ?? '', start, end }, false);
    inner.at = end;
  }
  copy.add(inner, right, { field: 'right' });
  copy.close(inner, open);
}

function binaryType({ SyntaxKind }: TypeScript, operator: ts.SyntaxKind, isTarget: boolean): string {
  const { EqualsToken, CommaToken, FirstAssignment, LastAssignment } = SyntaxKind;
  if (operator === EqualsToken) return isTarget ? 'assignment_pattern' : 'assignment_expression';
  if (operator === CommaToken) return 'sequence_expression';
  const isAssigned = operator >= FirstAssignment && operator <= LastAssignment;
  return isAssigned ? 'augmented_assignment_expression' : 'binary_expression';
}

function addVariables({ copy, open, node, role }: Job<ts.VariableStatement>): void {
  const inner = copy.begin(open, node, { type: 'lexical_declaration', field: role.field });
  for (const each of node.declarationList.declarations) copy.add(inner, each, NO_ROLE);
  copy.close(inner, open);
}

/** Adds a list of variables. In `for (const a of b)` only the name `a` is added. */
function addVariableList({ copy, open, node, role }: Job<ts.VariableDeclarationList>): void {
  const [first] = node.declarations;
  if (role.isTarget === true && first !== undefined)
    return void copy.add(open, first.name, { field: role.field });
  const inner = copy.begin(open, node, { type: 'lexical_declaration', field: role.field });
  for (const each of node.declarations) copy.add(inner, each, NO_ROLE);
  copy.close(inner, open);
}

/** Adds a catch clause. The caught error is added as a name and not as a declaration, because it has no value. */
function addCatch({ copy, open, node }: Job<ts.CatchClause>): void {
  const { variableDeclaration, block } = node;
  const inner = copy.begin(open, node, { type: 'catch_clause', field: undefined });
  if (variableDeclaration !== undefined) copy.add(inner, variableDeclaration.name, NO_ROLE);
  copy.add(inner, block, { field: 'body' });
  copy.close(inner, open);
}

/** Adds an element of a pattern that declares variables. */
function addBinding({ copy, open, node }: Job<ts.BindingElement>): void {
  const { dotDotDotToken, propertyName, name } = node;
  if (dotDotDotToken === undefined && propertyName === undefined)
    return void addDefaulted(copy, open, { node, field: undefined });
  const type = propertyName === undefined ? 'rest_pattern' : 'pair_pattern';
  const inner = copy.begin(open, node, { type, field: undefined });
  if (propertyName === undefined) copy.add(inner, name, NO_ROLE);
  else {
    copy.add(inner, propertyName, { field: 'key', as: 'property_identifier' });
    inner.at = Math.max(inner.at, name.pos);
    addDefaulted(copy, inner, { node, field: 'value' });
  }
  copy.close(inner, open);
}

/** Adds a name with or without a default value: `a`, `a = 1`. */
function addDefaulted(
  copy: Copy,
  open: Open,
  { node, field }: { node: ts.BindingElement; field: string | undefined },
): void {
  const { name, initializer, end } = node;
  const isShort = open.node.type === 'object_pattern';
  const as = isShort ? 'shorthand_property_identifier_pattern' : undefined;
  if (initializer === undefined) return void copy.add(open, name, { field, as });
  const start = copy.skip(open, { from: name.pos, end });
  const type = isShort ? 'object_assignment_pattern' : 'assignment_pattern';
  const inner = copy.open(open, { type, start, end, field });
  copy.add(inner, name, { field: 'left', as });
  copy.add(inner, initializer, { field: 'right' });
  copy.close(inner, open);
}

function addShorthand({ copy, open, node, role }: Job<ts.ShorthandPropertyAssignment>): void {
  const { name, objectAssignmentInitializer: initial } = node;
  const as = `shorthand_property_identifier${role.isTarget === true ? '_pattern' : ''}`;
  if (initial === undefined) return void copy.add(open, name, { as });
  const inner = copy.begin(open, node, { type: 'object_assignment_pattern', field: undefined });
  copy.add(inner, name, { field: 'left', as });
  copy.add(inner, initial, { field: 'right' });
  copy.close(inner, open);
}

function addTemplate({ copy, open, node, role }: Job<ts.TemplateExpression>): void {
  const inner = copy.begin(open, node, { type: 'template_string', field: role.field });
  inner.at = node.head.end;
  for (const { expression, literal } of node.templateSpans) {
    copy.add(inner, expression, NO_ROLE);
    inner.at = literal.end;
  }
  copy.close(inner, open);
}

function addSpecifier(type: string) {
  return ({ copy, open, node }: Job<ts.ImportSpecifier | ts.ExportSpecifier>): void => {
    const { propertyName, name } = node;
    const inner = copy.begin(open, node, { type, field: undefined });
    copy.add(inner, propertyName ?? name, { field: 'name' });
    if (propertyName !== undefined) copy.add(inner, name, { field: 'alias' });
    copy.close(inner, open);
  };
}

/** Adds a module. `namespace A.B {}` becomes one node; of `declare global {}` only the block is added. */
function addModule({ copy, open, node, role, ts }: Job<ts.ModuleDeclaration>): void {
  let last = node;
  while (last.body !== undefined && ts.isModuleDeclaration(last.body)) last = last.body;
  const { body } = last;
  if ((node.flags & ts.NodeFlags.GlobalAugmentation) !== 0)
    return void (body && copy.add(open, body, { field: role.field }));
  const type = (node.flags & ts.NodeFlags.Namespace) === 0 ? 'module' : 'internal_module';
  const inner = copy.begin(open, node, { type, field: role.field });
  const start = copy.skip(inner, { from: node.name.pos, end: node.end });
  copy.push(inner, { type: 'identifier', start, end: last.name.end, field: 'name' });
  inner.at = last.name.end;
  if (body !== undefined) copy.add(inner, body, { field: 'body' });
  copy.close(inner, open);
}
