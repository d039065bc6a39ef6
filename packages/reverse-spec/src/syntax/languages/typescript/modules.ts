import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { ts } from '@ts-morph/common';
import type { Declaration, ImportStatement } from '../../outline.ts';
import { SHORT_VALUE } from '../../tree/source.ts';
import { boundNames, functionBodyStart, objectMembers, readMembers, valueMembers } from './members.ts';
import {
  compiler,
  declare,
  docOf,
  lineRange,
  nameText,
  SyntaxKind,
  type TsSource,
  textOf,
} from './source.ts';

/** Reads `export * from`, `export { a } from` and `export { a as b }`, with one declaration per name. */
export function readExportDeclaration(source: TsSource, node: ts.ExportDeclaration): Declaration[] {
  const clause = node.exportClause;
  const from = node.moduleSpecifier && { from: nameText(source, node.moduleSpecifier) };
  const reExport = (part: ts.Node, name: string): Declaration => ({
    ...declare(source, part, { name, kind: 're-export', exported: true }),
    ...from,
  });
  if (clause === undefined) return [reExport(node, '*')];
  if (compiler.isNamespaceExport(clause)) return [reExport(node, nameText(source, clause.name))];
  return clause.elements.map((element) => {
    const { doc = docOf(source, node), ...part } = reExport(element, nameText(source, element.name));
    return { ...part, doc, signature: specifierText(source, node, element) };
  });
}

/** Returns the part of an export statement that concerns one name. The whole statement may be a long list. */
function specifierText(source: TsSource, node: ts.ExportDeclaration, element: ts.ExportSpecifier): string {
  const from = node.moduleSpecifier === undefined ? '' : ` from ${textOf(source, node.moduleSpecifier)}`;
  return `export ${node.isTypeOnly ? 'type ' : ''}{ ${textOf(source, element)} }${from}`;
}

/** Reads `export default <expression>` and `export = <name>`. */
export function readExportAssignment(source: TsSource, node: ts.ExportAssignment): Declaration {
  const { expression } = node;
  const isLongObject =
    compiler.isObjectLiteralExpression(expression) && expression.end - expression.pos > SHORT_VALUE;
  return declare(source, node, {
    name: node.isExportEquals === true ? 'export=' : 'default',
    kind: 'default',
    exported: true,
    body: functionBodyStart(source, expression),
    ...(isLongObject && { end: expression.pos }),
    members: objectMembers(source, expression),
  });
}

/**
 * Marks the declarations in export lists as exported. A listed name that the file does not declare stays a
 * re-export.
 */
export function applyExportLists(declarations: Declaration[]): Declaration[] {
  const local = declarations.filter((each) => each.kind !== 're-export' && !isExportList(each));
  const locals = grouped(local.map((each) => [each.name, each]));
  return declarations.filter((each) => !isExportList(each) || !exportLocals(each, locals));
}

function isExportList(declaration: Declaration): boolean {
  return (
    (declaration.kind === 're-export' && declaration.from === undefined && declaration.name !== '*') ||
    (declaration.kind === 'default' && exportedIdentifier(declaration) !== undefined)
  );
}

function exportLocals(list: Declaration, locals: Map<string, Declaration[]>): boolean {
  const targets = locals.get(exportedIdentifier(list) ?? list.name) ?? [];
  for (const target of targets) exportAs(target, list.name);
  return targets.length > 0;
}

/** Adds a name under which a declaration is exported. */
function exportAs(local: Declaration, name: string): void {
  const names = local.exported ? (local.exportedAs ?? [local.name]) : [];
  local.exported = true;
  local.exportedAs = [...names, name];
  if (local.exportedAs.every((each) => each === local.name)) delete local.exportedAs;
}

/** Returns the local name in an export: `a` in `export { a as b }`, `export default a`, `export = a`. */
function exportedIdentifier({ kind, signature }: Declaration): string | undefined {
  if (kind === 'default') return /^export\s*(?:default\s|=)\s*([\p{L}\p{N}_$]+)$/u.exec(signature)?.[1];
  return /^export (?:type )?\{ (?:type\s+)?([^\s}]+)/.exec(signature)?.[1];
}

export function readImports(source: TsSource): ImportStatement[] {
  return source.file.statements.flatMap((statement) => readImport(source, statement));
}

function readImport(source: TsSource, node: ts.Statement): ImportStatement[] {
  const imported = (module: string, names: string[], typeOnly = false): ImportStatement[] => [
    { module, names, text: textOf(source, node), typeOnly, ...lineRange(source, node) },
  ];
  if (compiler.isImportDeclaration(node)) {
    const clause = node.importClause;
    const names = clause === undefined ? [] : clauseNames(source, clause);
    const isTypeOnly = clause?.phaseModifier === SyntaxKind.TypeKeyword;
    return imported(nameText(source, node.moduleSpecifier), names, isTypeOnly);
  }
  // `import x = require('y')` is an import; an alias of a namespace (`import x = A.B`) is not.
  if (compiler.isImportEqualsDeclaration(node) && compiler.isExternalModuleReference(node.moduleReference)) {
    const module = nameText(source, node.moduleReference.expression);
    return imported(module, [compiler.idText(node.name)], node.isTypeOnly);
  }
  if (compiler.isExpressionStatement(node)) {
    const module = requiredModule(source, node.expression);
    return module === undefined ? [] : imported(module, []);
  }
  if (!compiler.isVariableStatement(node)) return [];
  return node.declarationList.declarations.flatMap(({ name, initializer }) => {
    const module = initializer && requiredModule(source, initializer);
    return module === undefined ? [] : imported(module, boundNames(name));
  });
}

function clauseNames(source: TsSource, clause: ts.ImportClause): string[] {
  const names = clause.name === undefined ? [] : [textOf(source, clause.name)];
  const bindings = clause.namedBindings;
  if (bindings === undefined) return names;
  if (compiler.isNamespaceImport(bindings)) return [...names, textOf(source, bindings)];
  return [...names, ...bindings.elements.map((element) => textOf(source, element))];
}

/** Returns the module of `require('x')`, `__importStar(require('x'))`, `await import('x')`. */
function requiredModule(source: TsSource, node: ts.Expression): string | undefined {
  if (compiler.isAwaitExpression(node) || compiler.isPropertyAccessExpression(node)) {
    return requiredModule(source, node.expression);
  }
  if (!compiler.isCallExpression(node)) return undefined;
  const [first] = node.arguments;
  if (first === undefined) return undefined;
  const isLoad =
    node.expression.kind === SyntaxKind.ImportKeyword || textOf(source, node.expression) === 'require';
  if (isLoad && compiler.isStringLiteralLike(first)) return first.text;
  return compiler.isIdentifier(node.expression) && compiler.isCallExpression(first)
    ? requiredModule(source, first)
    : undefined;
}

/** Adds CommonJS exports: `module.exports = …`, `exports.a = …`, and methods set on a prototype. */
export function applyCommonJs(source: TsSource, declarations: Declaration[]): Declaration[] {
  const all = [...declarations];
  for (const statement of source.file.statements) {
    for (const assignment of declaredExports(source, statement)) addAssigned(source, all, assignment);
    if (!compiler.isExpressionStatement(statement)) continue;
    const assignment = readAssignment(source, statement);
    if (assignment === undefined) all.push(...readExportCall(source, statement));
    else addAssigned(source, all, assignment);
  }
  return all.sort((left, right) => left.startLine - right.startLine);
}

/** Returns the exports in the declaration of a variable: `const box = module.exports = { … }`. */
function declaredExports(source: TsSource, statement: ts.Statement): Assignment[] {
  if (!compiler.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ initializer }) => {
    const targets = assignedTo(source, initializer).filter((each) => EXPORTS.test(each));
    const [target] = targets;
    return target === undefined || initializer === undefined
      ? []
      : [{ statement, target, value: lastValue(initializer) }];
  });
}

const EXPORTS = /^(?:module\.)?exports(?:\.[\w$]+)?$/;

/** Returns the targets of a chain of assignments: `exports` and `module.exports` in `exports = module.exports = a`. */
function assignedTo(source: TsSource, node: ts.Expression | undefined): string[] {
  if (node === undefined || !compiler.isBinaryExpression(node)) return [];
  if (node.operatorToken.kind !== SyntaxKind.EqualsToken) return [];
  return [textOf(source, node.left), ...assignedTo(source, node.right)];
}

interface Assignment {
  statement: ts.Statement;
  target: string;
  value: ts.Expression;
}

function readAssignment(source: TsSource, statement: ts.ExpressionStatement): Assignment | undefined {
  // Bundlers write `0 && (module.exports = { a, b })`, which never runs, to show the names of the exports to
  // Node.js.
  const expression = unwrapHint(statement.expression);
  if (!compiler.isBinaryExpression(expression) || expression.operatorToken.kind !== SyntaxKind.EqualsToken) {
    return undefined;
  }
  return { statement, target: textOf(source, expression.left), value: lastValue(expression.right) };
}

function unwrapHint(node: ts.Expression): ts.Expression {
  const inner =
    compiler.isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.AmpersandAmpersandToken;
  const right = inner ? node.right : node;
  return compiler.isParenthesizedExpression(right) ? right.expression : right;
}

/** Returns the value at the end of a chain of assignments: `exports.a = exports.b = value`. */
function lastValue(node: ts.Expression): ts.Expression {
  let value = node;
  while (compiler.isBinaryExpression(value) && value.operatorToken.kind === SyntaxKind.EqualsToken)
    value = value.right;
  return value;
}

function addAssigned(source: TsSource, all: Declaration[], assignment: Assignment): void {
  const { target, value } = assignment;
  if (compiler.isVoidExpression(value)) return;
  const named = /^(?:module\.)?exports\.([\w$]+)$/.exec(target)?.[1];
  if (target === 'module.exports' || target === 'exports') addWholeExport(source, all, assignment);
  else if (named !== undefined) addNamedExport(source, all, { ...assignment, name: named });
  else addMember(source, all, assignment);
}

function addWholeExport(source: TsSource, all: Declaration[], assignment: Assignment): void {
  const { value } = assignment;
  if (!compiler.isObjectLiteralExpression(value)) {
    addNamedExport(source, all, { ...assignment, name: 'export=' });
    return;
  }
  for (const property of value.properties) {
    const name = property.name === undefined ? textOf(source, property) : nameText(source, property.name);
    const shown = compiler.isShorthandPropertyAssignment(property) ? property.name : undefined;
    const aliased = compiler.isPropertyAssignment(property) ? property.initializer : shown;
    if (aliased !== undefined && exportLocal(all, { name, value: aliased })) continue;
    all.push(...readMembers(source, [property]));
  }
}

interface NamedExport extends Assignment {
  name: string;
}

function addNamedExport(source: TsSource, all: Declaration[], named: NamedExport): void {
  if (exportLocal(all, named)) return;
  const { statement, value, name } = named;
  const body = functionBodyStart(source, value);
  const from = requiredModule(source, value);
  const isLong = value.end - value.pos > SHORT_VALUE;
  const declaration = declare(source, statement, {
    name,
    kind: from === undefined ? valueKind(named) : 're-export',
    exported: true,
    body,
    end: body ?? (isLong ? value.pos - 1 : statement.end),
    members: valueMembers(source, value),
  });
  all.push({ ...declaration, ...(from !== undefined && { from }) });
}

function valueKind({ name, value }: NamedExport): Declaration['kind'] {
  if (compiler.isFunctionExpression(value) || compiler.isArrowFunction(value)) return 'function';
  if (compiler.isClassExpression(value)) return 'class';
  return name === 'export=' ? 'default' : 'constant';
}

/** Matches a declaration whose value is a module or a member of one: `const a = require('./a').b`. */
const REQUIRED = /=\s*require\(\s*["']([^"']+)["']\s*\)(?:\.[\w$]+)?\s*;?$/;

/** Marks the declaration that an export refers to as exported. Returns false if the file does not contain it. */
function exportLocal(all: readonly Declaration[], { name, value }: { name: string; value: ts.Expression }) {
  if (!compiler.isIdentifier(value)) return false;
  const pointedAt = compiler.idText(value);
  const locals = all.filter((each) => each.name === pointedAt && each.kind !== 're-export');
  const modules = locals.flatMap((each) =>
    each.members.length === 0 ? (REQUIRED.exec(each.signature)?.[1] ?? []) : [],
  );
  // A module that is exported under another name keeps that name in the outline.
  if (modules.length > 0 && name !== pointedAt && name !== 'export=') return false;
  for (const local of locals) {
    exportAs(local, name);
    if (modules[0] !== undefined) Object.assign(local, { kind: 're-export', from: modules[0] });
  }
  return locals.length > 0;
}

/**
 * Adds members that a file assigns to its functions, classes and objects: `Box.prototype.open = …`, `box.open
 * = …`.
 */
export function addAssignedMembers(source: TsSource, all: readonly Declaration[]): void {
  for (const statement of source.file.statements) {
    const assignment = compiler.isExpressionStatement(statement) && readAssignment(source, statement);
    if (assignment) addMember(source, all, assignment);
  }
}

const WITH_MEMBERS: ReadonlySet<string> = new Set(['function', 'class', 'variable', 'constant']);

function addMember(source: TsSource, all: readonly Declaration[], assignment: Assignment): void {
  const { statement, target, value } = assignment;
  const [, owner, name] = /^([\w$]+)(?:\.prototype)?\.([\w$]+)$/.exec(target) ?? [];
  const declaration = all.find((each) => each.name === owner && WITH_MEMBERS.has(each.kind));
  if (name === undefined || declaration === undefined) return;
  const body = functionBodyStart(source, value);
  const known = declaration.members.findIndex((each) => each.name === name);
  if (body === undefined && known === -1) return;
  const kind = body === undefined ? 'property' : 'method';
  const member = declare(source, statement, { name, kind, exported: true, body });
  // A member that the object already has, such as `open: undefined`, is replaced.
  if (known === -1) declaration.members.push(member);
  else declaration.members[known] = member;
}

/** Reads exports in compiled code: `Object.defineProperty(exports, 'a', …)`, `__exportStar(…, exports)`. */
function readExportCall(source: TsSource, statement: ts.ExpressionStatement): Declaration[] {
  const call = statement.expression;
  if (!compiler.isCallExpression(call)) return [];
  const callee = textOf(source, call.expression);
  const callExport = (name: string) =>
    declare(source, statement, { name, kind: 're-export', exported: true });
  const [first, second] = call.arguments;
  if (first === undefined || second === undefined) return [];
  if (callee === 'Object.defineProperty' && /^(module\.)?exports$/.test(textOf(source, first))) {
    const name = nameText(source, second);
    return name === '__esModule' ? [] : [callExport(name)];
  }
  if (!callee.endsWith('__exportStar')) return [];
  const from = requiredModule(source, first);
  return from === undefined ? [] : [{ ...callExport('*'), from }];
}
