import type { DeclarationKind } from '@secateur/base/languages/structure.ts';
import type { ts } from '@ts-morph/common';
import type { Declaration } from '../../outline.ts';
import { mergeOverloads } from '../../tree/overloads.ts';
import type { TypeScript } from './compiler.ts';
import {
  braceBefore,
  declare,
  hasModifier,
  nameText,
  SHORT_VALUE,
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
  const { ts } = source;
  const kind = source.memberKinds.get(member.kind);
  if (kind === undefined) return undefined;
  const body = bodyStart(source, member);
  const isHashName = member.name !== undefined && ts.isPrivateIdentifier(member.name);
  return declare(source, member, {
    name: memberName(source, member),
    kind,
    exported: !hasModifier(member, ts.SyntaxKind.PrivateKeyword) && !isHashName,
    body,
    end: body ?? initializerEnd(source, member),
  });
}

/** Built once per loaded compiler: asked for every member of every file. */
export function memberKindTable({ SyntaxKind }: TypeScript): ReadonlyMap<ts.SyntaxKind, DeclarationKind> {
  return new Map<ts.SyntaxKind, DeclarationKind>([
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
}

function memberName(source: TsSource, member: Member): string {
  const { ts } = source;
  if (member.kind === ts.SyntaxKind.Constructor) return 'constructor';
  if (member.kind === ts.SyntaxKind.ConstructSignature) return 'new';
  if (member.kind === ts.SyntaxKind.CallSignature) return '()';
  if (ts.isIndexSignatureDeclaration(member)) {
    return `[${member.parameters.map((parameter) => textOf(source, parameter)).join(', ')}]`;
  }
  if (ts.isSpreadAssignment(member)) return textOf(source, member);
  return nameText(source, member.name);
}

/** Finds the body of a method, an accessor or a function-valued property. */
function bodyStart(source: TsSource, member: Member): number | undefined {
  const { ts } = source;
  const owner =
    ts.isPropertyDeclaration(member) || ts.isPropertyAssignment(member) ? member.initializer : member;
  return owner === undefined ? undefined : functionBodyStart(source, owner);
}

/** The offset of a function's body, or of a class expression's brace. */
export function functionBodyStart(source: TsSource, node: ts.Node): number | undefined {
  const { ts } = source;
  const inner = ts.isParenthesizedExpression(node) ? node.expression : node;
  if (ts.isClassExpression(inner)) return braceBefore(source, inner.members);
  const { body } = inner as { body?: ts.Node };
  return body === undefined ? undefined : startOf(source, body);
}

/** A property keeps its value when it is short; a long one ends before its `=`. */
function initializerEnd(source: TsSource, member: Member): number {
  const { ts } = source;
  if (!ts.isPropertyDeclaration(member) && !ts.isPropertyAssignment(member)) return member.end;
  return valueEnd(source, member, member.name);
}

interface Valued {
  end: number;
  type?: ts.TypeNode | undefined;
  initializer?: ts.Expression | undefined;
}

/**
 * Finds a signature's end before a value. A declared type makes a long value unnecessary; a short one stays,
 * because it is the default the reader asks for.
 */
export function valueEnd(source: TsSource, node: Valued, name: ts.Node): number {
  const { initializer } = node;
  if (initializer === undefined) return node.end;
  const length = initializer.end - startOf(source, initializer);
  if (length <= SHORT_VALUE) return initializer.end;
  return (node.type ?? (node as { exclamationToken?: ts.Node }).exclamationToken ?? name).end;
}
