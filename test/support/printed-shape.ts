import { ts } from '@ts-morph/common';

/** Shapes that other shapes mention by name. */
export type NamedShapes = Readonly<Record<string, string>>;

/**
 * Compares a value with a shape as documents print it, in the notation of TypeScript types, and returns what differs:
 * `result.tools[0].name: expected "read"`. Fields that a shape does not name are allowed.
 */
export function differences(value: unknown, shape: string, named: NamedShapes = {}): string[] {
  return compare(value, typeNode(shape), { path: 'value', named });
}

interface Place {
  path: string;
  named: NamedShapes;
}

function typeNode(shape: string): ts.TypeNode {
  const file = ts.createSourceFile('shape.ts', `type Shape = ${shape};`, ts.ScriptTarget.Latest, true);
  const [statement] = file.statements;
  const errors = (file as unknown as { parseDiagnostics: readonly unknown[] }).parseDiagnostics;
  if (statement === undefined || !ts.isTypeAliasDeclaration(statement) || errors.length > 0)
    throw new Error(`not a shape: ${shape}`);
  return statement.type;
}

function compare(value: unknown, type: ts.TypeNode, place: Place): string[] {
  if (ts.isUnionTypeNode(type)) {
    const found = type.types.map((each) => compare(value, each, place));
    return found.some((each) => each.length === 0) ? [] : [expected(type, value, place)];
  }
  if (ts.isTypeLiteralNode(type)) return compareMembers(value, type, place);
  if (ts.isArrayTypeNode(type)) return compareItems(value, type.elementType, place);
  if (ts.isTypeReferenceNode(type)) return compareReference(value, type, place);
  return isScalar(value, type) ? [] : [expected(type, value, place)];
}

function compareMembers(value: unknown, type: ts.TypeLiteralNode, { path, named }: Place): string[] {
  if (!isObject(value)) return [expected(type, value, { path, named })];
  return type.members.filter(ts.isPropertySignature).flatMap((member) => {
    const key = ts.isStringLiteral(member.name) ? member.name.text : member.name.getText();
    const inner = { path: `${path}.${key}`, named };
    if (value[key] === undefined)
      return member.questionToken === undefined ? [`${inner.path}: is missing`] : [];
    return member.type === undefined ? [] : compare(value[key], member.type, inner);
  });
}

function compareItems(value: unknown, type: ts.TypeNode | undefined, { path, named }: Place): string[] {
  if (!Array.isArray(value) || type === undefined) return [`${path}: expected a list`];
  return value.flatMap((item: unknown, index) => compare(item, type, { path: `${path}[${index}]`, named }));
}

function compareReference(value: unknown, type: ts.TypeReferenceNode, place: Place): string[] {
  const name = type.typeName.getText();
  if (name === 'Array') return compareItems(value, type.typeArguments?.[0], place);
  const known = place.named[name];
  if (known !== undefined) return compare(value, typeNode(known), place);
  // `Record<string, unknown>` and `JSONSchema` are objects of any content.
  return isObject(value) ? [] : [expected(type, value, place)];
}

function isScalar(value: unknown, type: ts.TypeNode): boolean {
  if (ts.isLiteralTypeNode(type)) return type.getText() === JSON.stringify(value);
  const text = type.getText();
  return text === 'object' ? isObject(value) : typeof value === text;
}

function expected(type: ts.TypeNode, value: unknown, { path }: Place): string {
  return `${path}: expected ${type.getText()}, got ${JSON.stringify(value)?.slice(0, 200)}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
