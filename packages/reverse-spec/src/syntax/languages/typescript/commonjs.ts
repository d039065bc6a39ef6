import type { ts } from '@ts-morph/common';
import type { Declaration } from '../../outline.ts';
import { exportAs } from './exports.ts';
import { requiredModule } from './imports.ts';
import { functionBodyStart, readMembers } from './members.ts';
import { declare, nameText, SHORT_VALUE, type TsSource, textOf } from './source.ts';
import { valueMembers } from './variables.ts';

/** Adds CommonJS exports: `module.exports = …`, `exports.a = …`, and methods set on a prototype. */
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
  const isLong = value.end - value.pos > SHORT_VALUE;
  const declaration = declare(source, statement, {
    name,
    kind: from === undefined ? valueKind(source, named) : 're-export',
    exported: true,
    body,
    end: body ?? (isLong ? value.pos - 1 : statement.end),
    members: valueMembers(source, value),
  });
  all.push({ ...declaration, ...(from !== undefined && { from }) });
}

function valueKind({ ts }: TsSource, { name, value }: NamedExport): Declaration['kind'] {
  if (ts.isFunctionExpression(value) || ts.isArrowFunction(value)) return 'function';
  if (ts.isClassExpression(value)) return 'class';
  return name === 'export=' ? 'default' : 'constant';
}

/** Marks the local declaration an export points at; false if none exists. */
function exportLocal(
  source: TsSource,
  all: readonly Declaration[],
  { name, value }: { name: string; value: ts.Expression },
): boolean {
  const { ts } = source;
  if (!ts.isIdentifier(value)) return false;
  const pointedAt = ts.idText(value);
  const locals = all.filter((each) => each.name === pointedAt && each.kind !== 're-export');
  for (const local of locals) exportAs(local, name);
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
  declaration.members.push(declare(source, statement, { name, kind: 'method', exported: true, body }));
}

/** `Object.defineProperty(exports, 'a', …)` and `__exportStar(require('./a'), exports)`, as compilers write them. */
function readExportCall(source: TsSource, statement: ts.ExpressionStatement): Declaration[] {
  const { ts } = source;
  const call = statement.expression;
  if (!ts.isCallExpression(call)) return [];
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
