import type { ts } from '@ts-morph/common';
import type { Declaration } from '../../outline.ts';
import { functionBodyStart, readMembers, valueEnd } from './members.ts';
import { declare, docOf, hasModifier, nameText, startOf, type TsSource } from './source.ts';

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
  const { flags, declarations } = statement.declarationList;
  const scope = flags & ts.NodeFlags.BlockScoped;
  const [first] = declarations;
  const isAlone = first === undefined || declarations.length === 1;
  const declaration = declare(source, isAlone ? statement : variable, {
    name: '',
    kind: scope === 0 || scope === ts.NodeFlags.Let ? 'variable' : 'constant',
    // `export const ` and the like.
    prefix: isAlone ? '' : source.text.slice(startOf(source, statement), startOf(source, first)),
    exported: hasModifier(statement, ts.SyntaxKind.ExportKeyword),
    ...readValue(source, variable),
  });
  const doc = docOf(source, statement);
  return boundNames(source, variable.name).map((name) => ({ ...declaration, name, doc }));
}

/** Functions and classes end at their body; an object's keys become members when its text is too long to keep. */
function readValue(source: TsSource, variable: ts.VariableDeclaration) {
  const { initializer } = variable;
  const body = initializer === undefined ? undefined : functionBodyStart(source, initializer);
  if (initializer !== undefined && body !== undefined) {
    return { body, members: valueMembers(source, initializer) };
  }
  const end = valueEnd(source, variable, variable.name);
  const isCut = initializer !== undefined && end < initializer.end;
  return { end, members: isCut ? objectMembers(source, initializer) : [] };
}

/** The members of a class that is a value, or of an object. */
export function valueMembers(source: TsSource, node: ts.Expression): Declaration[] {
  return source.ts.isClassExpression(node) ? readMembers(source, node.members) : objectMembers(source, node);
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
