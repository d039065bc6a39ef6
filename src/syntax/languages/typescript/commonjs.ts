import type { ts } from '@ts-morph/common';
import type { Declaration } from '../../outline.ts';
import { requiredModule } from './imports.ts';
import { functionBodyStart, readMembers } from './members.ts';
import { docOf, headOf, lineRange, nameText, type TsSource, textOf } from './source.ts';
import { objectMembers } from './variables.ts';

/** What a CommonJS file gives away: `module.exports = …`, `exports.a = …`, and methods set on a prototype. */
export function applyCommonJs(source: TsSource, declarations: Declaration[]): Declaration[] {
  const all = [...declarations];
  for (const statement of source.file.statements) {
    if (!source.ts.isExpressionStatement(statement)) continue;
    const assignment = readAssignment(source, statement);
    if (assignment === undefined) all.push(...readExportCall(source, statement));
    else addAssigned(source, all, assignment);
  }
  return all.sort((left, right) => left.startLine - right.startLine);
}

interface Assignment {
  statement: ts.ExpressionStatement;
  target: string;
  value: ts.Expression;
}

function readAssignment(source: TsSource, statement: ts.ExpressionStatement): Assignment | undefined {
  const { ts } = source;
  // `0 && (module.exports = { a, b })` is how bundlers tell static readers what a file exports.
  const expression = unwrapHint(source, statement.expression);
  if (!ts.isBinaryExpression(expression) || expression.operatorToken.kind !== ts.SyntaxKind.EqualsToken) {
    return undefined;
  }
  return { statement, target: textOf(source, expression.left), value: lastValue(source, expression.right) };
}

function unwrapHint({ ts }: TsSource, node: ts.Expression): ts.Expression {
  const inner =
    ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
  const right = inner ? node.right : node;
  return ts.isParenthesizedExpression(right) ? right.expression : right;
}

/** `exports.a = exports.b = value`: the value at the end of the chain. */
function lastValue({ ts }: TsSource, node: ts.Expression): ts.Expression {
  let value = node;
  while (ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.EqualsToken)
    value = value.right;
  return value;
}

function addAssigned(source: TsSource, all: Declaration[], assignment: Assignment): void {
  const { ts } = source;
  const { target, value } = assignment;
  if (ts.isVoidExpression(value)) return;
  const named = /^(?:module\.)?exports\.([\w$]+)$/.exec(target)?.[1];
  if (target === 'module.exports' || target === 'exports') addWholeExport(source, all, assignment);
  else if (named !== undefined) addNamedExport(source, all, { ...assignment, name: named });
  else addToPrototype(source, all, assignment);
}

function addWholeExport(source: TsSource, all: Declaration[], assignment: Assignment): void {
  const { ts } = source;
  const { value } = assignment;
  if (!ts.isObjectLiteralExpression(value)) {
    addNamedExport(source, all, { ...assignment, name: 'export=' });
    return;
  }
  for (const property of value.properties) {
    const name = property.name === undefined ? textOf(source, property) : nameText(source, property.name);
    const shown = ts.isShorthandPropertyAssignment(property) ? property.name : undefined;
    const aliased = ts.isPropertyAssignment(property) ? property.initializer : shown;
    if (aliased !== undefined && exportLocal(source, all, { name, value: aliased })) continue;
    all.push(...readMembers(source, [property]));
  }
}

interface NamedExport extends Assignment {
  name: string;
}

function addNamedExport(source: TsSource, all: Declaration[], named: NamedExport): void {
  if (exportLocal(source, all, named)) return;
  const { statement, value, name } = named;
  const body = functionBodyStart(source, value);
  const from = requiredModule(source, value);
  const isLongObject = value.end - value.pos > 160;
  const end = body ?? (isLongObject ? value.pos - 1 : statement.end);
  all.push({
    name,
    kind: from === undefined ? valueKind(source, named) : 're-export',
    signature: headOf(source, statement, end),
    doc: docOf(source, statement),
    exported: true,
    ...(from !== undefined && { from }),
    members: valueMembers(source, value),
    ...lineRange(source, statement),
    bodyStartLine: body === undefined ? undefined : source.lines.lineAt(body),
  });
}

function valueKind({ ts }: TsSource, { name, value }: NamedExport): Declaration['kind'] {
  if (ts.isFunctionExpression(value) || ts.isArrowFunction(value)) return 'function';
  if (ts.isClassExpression(value)) return 'class';
  return name === 'export=' ? 'default' : 'constant';
}

function valueMembers(source: TsSource, value: ts.Expression): Declaration[] {
  return source.ts.isClassExpression(value)
    ? readMembers(source, value.members)
    : objectMembers(source, value);
}

/** Marks the local declaration an export points at; false when there is none. */
function exportLocal(
  source: TsSource,
  all: readonly Declaration[],
  { name, value }: { name: string; value: ts.Expression },
): boolean {
  const { ts } = source;
  if (!ts.isIdentifier(value)) return false;
  const pointedAt = ts.idText(value);
  const locals = all.filter((each) => each.name === pointedAt && each.kind !== 're-export');
  for (const local of locals) {
    local.exportedAs = [...(local.exported ? (local.exportedAs ?? [local.name]) : []), name];
    local.exported = true;
    if (local.exportedAs.every((each) => each === local.name)) delete local.exportedAs;
  }
  return locals.length > 0;
}

function addToPrototype(
  source: TsSource,
  all: readonly Declaration[],
  { statement, target, value }: Assignment,
) {
  const body = functionBodyStart(source, value);
  const [owner, name] = target.split(/\.prototype\.|\./);
  const declaration = all.find(
    (each) => each.name === owner && (each.kind === 'function' || each.kind === 'class'),
  );
  if (body === undefined || name === undefined || declaration === undefined) return;
  declaration.members.push({
    name,
    kind: 'method',
    signature: headOf(source, statement, body),
    doc: docOf(source, statement),
    exported: true,
    members: [],
    ...lineRange(source, statement),
    bodyStartLine: source.lines.lineAt(body),
  });
}

/** `Object.defineProperty(exports, 'a', …)` and `__exportStar(require('./a'), exports)`, as compilers write them. */
function readExportCall(source: TsSource, statement: ts.ExpressionStatement): Declaration[] {
  const { ts } = source;
  const call = statement.expression;
  if (!ts.isCallExpression(call)) return [];
  const callee = textOf(source, call.expression);
  const [first, second] = call.arguments;
  if (first === undefined || second === undefined) return [];
  if (callee === 'Object.defineProperty' && /^(module\.)?exports$/.test(textOf(source, first))) {
    const name = nameText(source, second);
    return name === '__esModule' ? [] : [callExport(source, statement, { name })];
  }
  if (!callee.endsWith('__exportStar')) return [];
  const from = requiredModule(source, first);
  return from === undefined ? [] : [callExport(source, statement, { name: '*', from })];
}

function callExport(
  source: TsSource,
  statement: ts.ExpressionStatement,
  named: { name: string; from?: string },
): Declaration {
  return {
    ...named,
    kind: 're-export',
    signature: headOf(source, statement, statement.end),
    doc: docOf(source, statement),
    exported: true,
    members: [],
    ...lineRange(source, statement),
    bodyStartLine: undefined,
  };
}
