import type { ts } from '@ts-morph/common';
import type { Declaration } from '../../outline.ts';
import { functionBodyStart, readMembers, valueEnd } from './members.ts';
import { docOf, hasModifier, lineRange, nameText, startOf, type TsSource, trimSignature } from './source.ts';

/** One declaration a name: `const a = 1, b = 2` declares two, `const { a, b } = x` too. */
export function readVariables(source: TsSource, node: ts.VariableStatement): Declaration[] {
  return node.declarationList.declarations.flatMap((variable) => readVariable(source, node, variable));
}

function readVariable(
  source: TsSource,
  statement: ts.VariableStatement,
  variable: ts.VariableDeclaration,
): Declaration[] {
  const { ts } = source;
  const isConstant = (statement.declarationList.flags & ts.NodeFlags.BlockScoped) !== ts.NodeFlags.Let;
  const isVar = (statement.declarationList.flags & ts.NodeFlags.BlockScoped) === 0;
  const value = readValue(source, variable);
  const declaration: Omit<Declaration, 'name'> = {
    kind: isConstant && !isVar ? 'constant' : 'variable',
    signature: trimSignature(
      keywords(source, statement) + source.text.slice(startOf(source, variable), value.end),
    ),
    doc: docOf(source, statement),
    exported: hasModifier(statement, ts.SyntaxKind.ExportKeyword),
    members: value.members,
    ...variableLines(source, statement, variable),
    bodyStartLine: value.body === undefined ? undefined : source.lines.lineAt(value.body),
  };
  return boundNames(source, variable.name).map((name) => ({ name, ...declaration }));
}

/** `export const ` and the like: what stands before the first name of the statement. */
function keywords(source: TsSource, statement: ts.VariableStatement): string {
  const first = statement.declarationList.declarations[0];
  const start = startOf(source, statement);
  return first === undefined ? '' : source.text.slice(start, startOf(source, first));
}

function variableLines(source: TsSource, statement: ts.VariableStatement, variable: ts.VariableDeclaration) {
  const alone = statement.declarationList.declarations.length === 1;
  return lineRange(source, alone ? statement : variable);
}

interface Value {
  end: number;
  body: number | undefined;
  members: Declaration[];
}

/** Functions and classes end at their body; an object's keys become members when its text is too long to keep. */
function readValue(source: TsSource, variable: ts.VariableDeclaration): Value {
  const { initializer } = variable;
  const body = initializer === undefined ? undefined : functionBodyStart(source, initializer);
  if (initializer !== undefined && body !== undefined) {
    return { end: body, body, members: classMembers(source, initializer) };
  }
  const end = valueEnd(source, variable, variable.name);
  const isCut = initializer !== undefined && end < initializer.end;
  return { end, body: undefined, members: isCut ? objectMembers(source, initializer) : [] };
}

function classMembers(source: TsSource, node: ts.Expression): Declaration[] {
  return source.ts.isClassExpression(node) ? readMembers(source, node.members) : [];
}

export function objectMembers(source: TsSource, node: ts.Expression): Declaration[] {
  const { ts } = source;
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node)) {
    return objectMembers(source, node.expression);
  }
  return ts.isObjectLiteralExpression(node) ? readMembers(source, node.properties) : [];
}

export function boundNames(source: TsSource, name: ts.BindingName): string[] {
  const { ts } = source;
  if (ts.isIdentifier(name)) return [nameText(source, name)];
  return name.elements.flatMap((element) =>
    ts.isBindingElement(element) ? boundNames(source, element.name) : [],
  );
}
