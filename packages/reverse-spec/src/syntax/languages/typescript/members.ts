import type { DeclarationKind } from '@secateur/base/languages/structure.ts';
import type { ts } from '@ts-morph/common';
import type { Declaration } from '../../outline.ts';
import { mergeOverloads } from '../../tree/overloads.ts';
import { SHORT_VALUE } from '../../tree/source.ts';
import {
  braceBefore,
  compiler,
  declare,
  docOf,
  hasModifier,
  nameText,
  SyntaxKind,
  startOf,
  type TsSource,
  textOf,
} from './source.ts';

type Member = ts.ClassElement | ts.TypeElement | ts.EnumMember | ts.ObjectLiteralElementLike;

export function readMembers(source: TsSource, members: readonly Member[]): Declaration[] {
  const declarations = members.flatMap((member) => readMember(source, member) ?? []);
  return mergeOverloads(declarations);
}

function readMember(source: TsSource, member: Member): Declaration | undefined {
  const kind = MEMBER_KINDS.get(member.kind);
  if (kind === undefined) return undefined;
  const body = bodyStart(source, member);
  const isHashName = member.name !== undefined && compiler.isPrivateIdentifier(member.name);
  return declare(source, member, {
    name: memberName(source, member),
    kind,
    exported: !hasModifier(member, SyntaxKind.PrivateKeyword) && !isHashName,
    body,
    end: body ?? initializerEnd(source, member),
  });
}

const MEMBER_KINDS = new Map<ts.SyntaxKind, DeclarationKind>([
  [SyntaxKind.Constructor, 'constructor'],
  [SyntaxKind.ConstructSignature, 'constructor'],
  [SyntaxKind.MethodDeclaration, 'method'],
  [SyntaxKind.MethodSignature, 'method'],
  [SyntaxKind.CallSignature, 'method'],
  [SyntaxKind.PropertyDeclaration, 'property'],
  [SyntaxKind.PropertySignature, 'property'],
  [SyntaxKind.IndexSignature, 'property'],
  [SyntaxKind.GetAccessor, 'property'],
  [SyntaxKind.SetAccessor, 'property'],
  [SyntaxKind.EnumMember, 'case'],
  [SyntaxKind.PropertyAssignment, 'property'],
  [SyntaxKind.ShorthandPropertyAssignment, 'property'],
  [SyntaxKind.SpreadAssignment, 'property'],
]);

function memberName(source: TsSource, member: Member): string {
  if (member.kind === SyntaxKind.Constructor) return 'constructor';
  if (member.kind === SyntaxKind.ConstructSignature) return 'new';
  if (member.kind === SyntaxKind.CallSignature) return '()';
  if (compiler.isIndexSignatureDeclaration(member)) {
    return `[${member.parameters.map((parameter) => textOf(source, parameter)).join(', ')}]`;
  }
  if (compiler.isSpreadAssignment(member)) return textOf(source, member);
  return nameText(source, member.name);
}

/** Returns the offset of the body of a method, an accessor or a property whose value is a function. */
function bodyStart(source: TsSource, member: Member): number | undefined {
  const owner =
    compiler.isPropertyDeclaration(member) || compiler.isPropertyAssignment(member)
      ? member.initializer
      : member;
  return owner === undefined ? undefined : functionBodyStart(source, owner);
}

/** Returns the offset of the body of a function, or of the brace of a class expression. */
export function functionBodyStart(source: TsSource, node: ts.Node): number | undefined {
  const inner = compiler.isParenthesizedExpression(node) ? node.expression : node;
  if (compiler.isClassExpression(inner)) return braceBefore(source, inner.members);
  const { body } = inner as { body?: ts.Node };
  return body === undefined ? undefined : startOf(source, body);
}

/** Returns the end of a member's signature, which is before the `=` of a long property value. */
function initializerEnd(source: TsSource, member: Member): number {
  if (!compiler.isPropertyDeclaration(member) && !compiler.isPropertyAssignment(member)) return member.end;
  return valueEnd(source, member, member.name);
}

/** Returns the end of a signature. A short value is included, because it shows the default. */
function valueEnd(
  source: TsSource,
  node: { end: number; type?: ts.TypeNode | undefined; initializer?: ts.Expression | undefined },
  name: ts.Node,
): number {
  const { initializer } = node;
  if (initializer === undefined) return node.end;
  const length = initializer.end - startOf(source, initializer);
  if (length <= SHORT_VALUE) return initializer.end;
  return (node.type ?? (node as { exclamationToken?: ts.Node }).exclamationToken ?? name).end;
}

/** Returns one declaration per name, for example two for `const a = 1, b = 2` and for `const { a, b } = x`. */
export function readVariables(source: TsSource, node: ts.VariableStatement): Declaration[] {
  return node.declarationList.declarations.flatMap((variable) => readVariable(source, node, variable));
}

function readVariable(source: TsSource, statement: ts.VariableStatement, variable: ts.VariableDeclaration) {
  const { flags, declarations } = statement.declarationList;
  const scope = flags & compiler.NodeFlags.BlockScoped;
  const [first] = declarations;
  const isAlone = first === undefined || declarations.length === 1;
  const declaration = declare(source, isAlone ? statement : variable, {
    name: '',
    kind: scope === 0 || scope === compiler.NodeFlags.Let ? 'variable' : 'constant',
    // The text before the first name, such as `export const `, is repeated for each name.
    prefix: isAlone ? '' : source.text.slice(startOf(source, statement), startOf(source, first)),
    exported: hasModifier(statement, SyntaxKind.ExportKeyword),
    ...readValue(source, variable),
  });
  const doc = docOf(source, statement);
  return boundNames(variable.name).map((name) => ({ ...declaration, name, doc }));
}

/**
 * Returns where a variable's signature ends, and its members. Functions and classes end at their body. If an
 * object is too long for the signature, its keys become members.
 */
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

/** Returns the members of a class expression or an object. */
export function valueMembers(source: TsSource, node: ts.Expression): Declaration[] {
  return compiler.isClassExpression(node) ? readMembers(source, node.members) : objectMembers(source, node);
}

export function objectMembers(source: TsSource, node: ts.Expression): Declaration[] {
  if (
    compiler.isAsExpression(node) ||
    compiler.isSatisfiesExpression(node) ||
    compiler.isParenthesizedExpression(node)
  ) {
    return objectMembers(source, node.expression);
  }
  return compiler.isObjectLiteralExpression(node) ? readMembers(source, node.properties) : [];
}

export function boundNames(name: ts.BindingName): string[] {
  if (compiler.isIdentifier(name)) return [compiler.idText(name)];
  return name.elements.flatMap((element) =>
    compiler.isBindingElement(element) ? boundNames(element.name) : [],
  );
}
