import type { TypeScript } from '../../languages/typescript/source.ts';

/**
 * This file maps node kinds of the TypeScript compiler to node types of the tree-sitter grammars. A kind
 * without a row becomes its own name in snake case, with all children and without fields.
 */

/** A property of a compiler node, and how its value is copied. */
export interface Part {
  /** Name of the property. For a token that is not a node in the compiler's tree, the text of the token. */
  of: string;
  isWord?: true;
  field?: string;
  /** Node type of the value if it is an identifier. */
  as?: string;
  /** Type of a node that is added around the value and its brackets. */
  wrap?: string;
  /** Whether the value is assigned to, so that an array or object in it is a pattern. */
  isTarget?: true;
}

export interface Shape {
  isMethod?: true;
  type: string | ((node: Details) => string);
  parts?: readonly Part[];
}

/** Properties of compiler nodes that decide the type of the copy. */
export interface Details {
  body?: unknown;
  name?: unknown;
  asteriskToken?: unknown;
  questionToken?: unknown;
  modifiers?: readonly { kind: number }[];
}

const at = (of: string, field: string): Part => ({ of, field });
const shape = (type: Shape['type'], ...parts: readonly Part[]): Shape => ({ type, parts });
const name: Part = at('name', 'name');
const propertyName: Part = { ...name, as: 'property_identifier' };
const typeName: Part = { ...name, as: 'type_identifier' };
const constructorName: Part = { ...propertyName, of: 'constructor', isWord: true };
const colon: Part = { of: ':', isWord: true };
const statements: Part = { of: 'statements' };
const modifiers: Part = { of: 'modifiers' };
const typeParameters: Part = { of: 'typeParameters' };
const typeArguments: Part = { of: 'typeArguments' };
const type: Part = at('type', 'type');
const value: Part = at('initializer', 'value');
const body: Part = at('body', 'body');
const condition: Part = { of: 'expression', field: 'condition', wrap: 'parenthesized_expression' };
const callArguments: Part = { of: 'arguments', field: 'arguments', wrap: 'arguments' };
const signature: readonly Part[] = [
  typeParameters,
  { of: 'parameters', field: 'parameters', wrap: 'formal_parameters' },
  at('type', 'return_type'),
  body,
];
const members = (wrap: string): Part => ({ of: 'members', field: 'body', wrap });
const classParts: readonly Part[] = [
  modifiers,
  typeName,
  typeParameters,
  { of: 'heritageClauses', wrap: 'class_heritage' },
  members('class_body'),
];
const operand: Part = at('operand', 'argument');
const argument: Part = at('expression', 'argument');
const source: Part = at('moduleSpecifier', 'source');
const loop: readonly Part[] = [
  { of: 'initializer', field: 'left', isTarget: true },
  at('expression', 'right'),
  at('statement', 'body'),
];

export function shapesOf({ SyntaxKind }: TypeScript): ReadonlyMap<number, Shape> {
  const methodType = ({ body: own, modifiers: marks }: Details) => {
    if (own !== undefined) return 'method_definition';
    const isAbstract = marks?.some(({ kind }) => kind === SyntaxKind.AbstractKeyword);
    return isAbstract ? 'abstract_method_signature' : 'method_signature';
  };
  const classType = ({ modifiers: marks }: Details) =>
    marks?.some(({ kind }) => kind === SyntaxKind.AbstractKeyword)
      ? 'abstract_class_declaration'
      : 'class_declaration';
  const method: Shape = { isMethod: true, type: methodType, parts: [modifiers, propertyName, ...signature] };
  const shapes: Readonly<Record<string, Shape>> = {
    ...EXPRESSIONS,
    ...STATEMENTS,
    MethodDeclaration: method,
    GetAccessor: method,
    SetAccessor: method,
    MethodSignature: method,
    Constructor: { isMethod: true, type: methodType, parts: [modifiers, constructorName, ...signature] },
    ClassDeclaration: { type: classType, parts: classParts },
    ClassExpression: { type: 'class', parts: classParts },
  };
  const byKind = new Map<number, Shape>();
  // Names of ranges, such as `FirstNode`, have the same numbers as kinds and come later. They are ignored.
  for (const [kindName, kind] of Object.entries(SyntaxKind))
    if (typeof kind === 'number' && !byKind.has(kind))
      byKind.set(kind, shapes[kindName] ?? { type: kindName.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase() });
  return byKind;
}

const EXPRESSIONS: Readonly<Record<string, Shape>> = {
  CallExpression: shape('call_expression', at('expression', 'function'), typeArguments, callArguments),
  NewExpression: shape('new_expression', at('expression', 'constructor'), typeArguments, callArguments),
  TaggedTemplateExpression: shape(
    'call_expression',
    at('tag', 'function'),
    typeArguments,
    at('template', 'arguments'),
  ),
  PropertyAccessExpression: shape('member_expression', at('expression', 'object'), {
    ...propertyName,
    field: 'property',
  }),
  ElementAccessExpression: shape(
    'subscript_expression',
    at('expression', 'object'),
    at('argumentExpression', 'index'),
  ),
  PrefixUnaryExpression: shape('unary_expression', operand),
  PostfixUnaryExpression: shape('update_expression', operand),
  TypeOfExpression: shape('unary_expression', argument),
  VoidExpression: shape('unary_expression', argument),
  DeleteExpression: shape('unary_expression', argument),
  ConditionalExpression: shape(
    'ternary_expression',
    at('condition', 'condition'),
    at('whenTrue', 'consequence'),
    at('whenFalse', 'alternative'),
  ),
  ArrowFunction: { type: 'arrow_function', parts: signature },
  FunctionExpression: shape(
    ({ asteriskToken }) => (asteriskToken === undefined ? 'function_expression' : 'generator_function'),
    name,
    ...signature,
  ),
  ObjectLiteralExpression: { type: 'object' },
  ArrayLiteralExpression: { type: 'array' },
  PropertyAssignment: shape('pair', { ...propertyName, field: 'key' }, value),
  ShorthandPropertyAssignment: { type: 'shorthand_property_identifier', parts: [] },
  SpreadAssignment: { type: 'spread_element' },
  ObjectBindingPattern: { type: 'object_pattern' },
  ArrayBindingPattern: { type: 'array_pattern' },
};

const STATEMENTS: Readonly<Record<string, Shape>> = {
  Block: shape('statement_block', statements),
  ModuleBlock: shape('statement_block', statements),
  FunctionDeclaration: {
    type: ({ body: own, name: ownName, asteriskToken }) => {
      if (own === undefined) return 'function_signature';
      // An `export default function () {}` has no name.
      if (ownName === undefined)
        return asteriskToken === undefined ? 'function_expression' : 'generator_function';
      return asteriskToken === undefined ? 'function_declaration' : 'generator_function_declaration';
    },
    parts: [name, ...signature],
  },
  InterfaceDeclaration: shape(
    'interface_declaration',
    typeName,
    typeParameters,
    { of: 'heritageClauses', wrap: 'extends_type_clause' },
    members('interface_body'),
  ),
  EnumDeclaration: shape('enum_declaration', name, members('enum_body')),
  EnumMember: shape('enum_assignment', propertyName, value),
  TypeAliasDeclaration: shape('type_alias_declaration', typeName, typeParameters, at('type', 'value')),
  PropertyDeclaration: shape('public_field_definition', modifiers, propertyName, type, value),
  PropertySignature: shape('property_signature', modifiers, propertyName, type),
  Parameter: shape(
    ({ questionToken }) => (questionToken === undefined ? 'required_parameter' : 'optional_parameter'),
    modifiers,
    { ...name, field: 'pattern' },
    type,
    value,
  ),
  VariableDeclarationList: { type: 'lexical_declaration' },
  VariableDeclaration: shape('variable_declarator', name, type, value),
  IfStatement: shape(
    'if_statement',
    condition,
    at('thenStatement', 'consequence'),
    at('elseStatement', 'alternative'),
  ),
  SwitchStatement: shape('switch_statement', { ...condition, field: 'value' }, at('caseBlock', 'body')),
  CaseClause: shape('switch_case', at('expression', 'value'), colon, statements),
  DefaultClause: shape('switch_default', colon, statements),
  ForInStatement: { type: 'for_in_statement', parts: loop },
  ForOfStatement: { type: 'for_in_statement', parts: loop },
  ImportDeclaration: shape('import_statement', { of: 'importClause' }, source, { of: 'attributes' }),
  ExportDeclaration: shape('export_statement', { of: 'exportClause' }, source, { of: 'attributes' }),
  ExportAssignment: shape('export_statement', at('expression', 'value')),
  NamedExports: { type: 'export_clause' },
};

/** Kinds with another node type if they are the target of an assignment. */
const TARGETS: Readonly<Record<string, Shape>> = {
  ObjectLiteralExpression: shape('object_pattern', { of: 'properties', isTarget: true }),
  ArrayLiteralExpression: shape('array_pattern', { of: 'elements', isTarget: true }),
  SpreadElement: shape('rest_pattern', { of: 'expression', isTarget: true }),
  SpreadAssignment: shape('rest_pattern', { of: 'expression', isTarget: true }),
  PropertyAssignment: shape('pair_pattern', { ...propertyName, field: 'key' }, { ...value, isTarget: true }),
};

export function targetShapesOf({ SyntaxKind }: TypeScript): ReadonlyMap<number, Shape> {
  const shapes = Object.entries(TARGETS);
  return new Map(shapes.map(([each, shape]) => [SyntaxKind[each as keyof typeof SyntaxKind], shape]));
}

/** Returns the types of tokens that become nodes. Other tokens are omitted: brackets, commas and most keywords. */
export function namedTokens({ SyntaxKind }: TypeScript): ReadonlyMap<number, string> {
  const types: readonly (readonly [type: string, kinds: readonly (keyof typeof SyntaxKind)[]])[] = [
    ['identifier', ['Identifier']],
    ['private_property_identifier', ['PrivateIdentifier']],
    ['string', ['StringLiteral']],
    ['number', ['NumericLiteral', 'BigIntLiteral']],
    ['regex', ['RegularExpressionLiteral']],
    ['template_string', ['NoSubstitutionTemplateLiteral']],
    ['jsx_text', ['JsxText']],
    ['this', ['ThisKeyword']],
    ['super', ['SuperKeyword']],
    ['null', ['NullKeyword']],
    ['true', ['TrueKeyword']],
    ['false', ['FalseKeyword']],
    ['import', ['ImportKeyword']],
    ['accessibility_modifier', ['PrivateKeyword', 'ProtectedKeyword', 'PublicKeyword']],
    ['predefined_type', PREDEFINED_TYPES],
  ];
  return new Map(types.flatMap(([each, kinds]) => kinds.map((kind) => [SyntaxKind[kind], each] as const)));
}

const PREDEFINED_TYPES =
  'Any BigInt Boolean Intrinsic Never Number Object String Symbol Undefined Unknown Void'
    .split(' ')
    .map((word) => `${word}Keyword` as keyof TypeScript['SyntaxKind']);
