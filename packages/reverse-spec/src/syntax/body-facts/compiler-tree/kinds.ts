import type { TypeScript } from '../../languages/typescript/source.ts';

/**
 * Maps node kinds of the TypeScript compiler to the node types of the tree-sitter grammars. A kind without a
 * row gets its own name in snake case and all its children, without fields.
 */

/** A property of a compiler node, and how its value is copied. */
export interface Part {
  /** Name of the property. For a token without a node in the compiler's tree, its text. */
  of: string;
  isWord?: true;
  field?: string;
  /** Type of the value if it is an identifier. */
  as?: string;
  /** Type of the node that is put around the value and its brackets. */
  wrap?: string;
  /** Whether the value is the target of an assignment, so that an array or object in it is a pattern. */
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

const name: Part = { of: 'name', field: 'name' };
const propertyName: Part = { ...name, as: 'property_identifier' };
const typeName: Part = { ...name, as: 'type_identifier' };
const constructorName: Part = { ...propertyName, of: 'constructor', isWord: true };
const colon: Part = { of: ':', isWord: true };
const statements: Part = { of: 'statements' };
const modifiers: Part = { of: 'modifiers' };
const typeParameters: Part = { of: 'typeParameters' };
const typeArguments: Part = { of: 'typeArguments' };
const type: Part = { of: 'type', field: 'type' };
const value: Part = { of: 'initializer', field: 'value' };
const body: Part = { of: 'body', field: 'body' };
const condition: Part = { of: 'expression', field: 'condition', wrap: 'parenthesized_expression' };
const callArguments: Part = { of: 'arguments', field: 'arguments', wrap: 'arguments' };
const signature: readonly Part[] = [
  typeParameters,
  { of: 'parameters', field: 'parameters', wrap: 'formal_parameters' },
  { of: 'type', field: 'return_type' },
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
const operand: Part = { of: 'operand', field: 'argument' };
const argument: Part = { of: 'expression', field: 'argument' };
const source: Part = { of: 'moduleSpecifier', field: 'source' };
const loop: readonly Part[] = [
  { of: 'initializer', field: 'left', isTarget: true },
  { of: 'expression', field: 'right' },
  { of: 'statement', field: 'body' },
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
  // Names of ranges (`FirstNode`) come after the names of the kinds and are ignored.
  for (const [kindName, kind] of Object.entries(SyntaxKind))
    if (typeof kind === 'number' && !byKind.has(kind))
      byKind.set(kind, shapes[kindName] ?? { type: inSnakeCase(kindName) });
  return byKind;
}

function inSnakeCase(kind: string): string {
  return kind.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase();
}

const EXPRESSIONS: Readonly<Record<string, Shape>> = {
  CallExpression: {
    type: 'call_expression',
    parts: [{ of: 'expression', field: 'function' }, typeArguments, callArguments],
  },
  NewExpression: {
    type: 'new_expression',
    parts: [{ of: 'expression', field: 'constructor' }, typeArguments, callArguments],
  },
  TaggedTemplateExpression: {
    type: 'call_expression',
    parts: [{ of: 'tag', field: 'function' }, typeArguments, { of: 'template', field: 'arguments' }],
  },
  PropertyAccessExpression: {
    type: 'member_expression',
    parts: [
      { of: 'expression', field: 'object' },
      { ...propertyName, field: 'property' },
    ],
  },
  ElementAccessExpression: {
    type: 'subscript_expression',
    parts: [
      { of: 'expression', field: 'object' },
      { of: 'argumentExpression', field: 'index' },
    ],
  },
  PrefixUnaryExpression: { type: 'unary_expression', parts: [operand] },
  PostfixUnaryExpression: { type: 'update_expression', parts: [operand] },
  TypeOfExpression: { type: 'unary_expression', parts: [argument] },
  VoidExpression: { type: 'unary_expression', parts: [argument] },
  DeleteExpression: { type: 'unary_expression', parts: [argument] },
  ConditionalExpression: {
    type: 'ternary_expression',
    parts: [
      { of: 'condition', field: 'condition' },
      { of: 'whenTrue', field: 'consequence' },
      { of: 'whenFalse', field: 'alternative' },
    ],
  },
  ArrowFunction: { type: 'arrow_function', parts: signature },
  FunctionExpression: {
    type: ({ asteriskToken }) => (asteriskToken === undefined ? 'function_expression' : 'generator_function'),
    parts: [name, ...signature],
  },
  ObjectLiteralExpression: { type: 'object' },
  ArrayLiteralExpression: { type: 'array' },
  PropertyAssignment: { type: 'pair', parts: [{ ...propertyName, field: 'key' }, value] },
  ShorthandPropertyAssignment: { type: 'shorthand_property_identifier', parts: [] },
  SpreadAssignment: { type: 'spread_element' },
  ObjectBindingPattern: { type: 'object_pattern' },
  ArrayBindingPattern: { type: 'array_pattern' },
};

const STATEMENTS: Readonly<Record<string, Shape>> = {
  Block: { type: 'statement_block', parts: [statements] },
  ModuleBlock: { type: 'statement_block', parts: [statements] },
  FunctionDeclaration: {
    type: ({ body: own, name: ownName, asteriskToken }) => {
      if (own === undefined) return 'function_signature';
      // `export default function () {}`
      if (ownName === undefined)
        return asteriskToken === undefined ? 'function_expression' : 'generator_function';
      return asteriskToken === undefined ? 'function_declaration' : 'generator_function_declaration';
    },
    parts: [name, ...signature],
  },
  InterfaceDeclaration: {
    type: 'interface_declaration',
    parts: [
      typeName,
      typeParameters,
      { of: 'heritageClauses', wrap: 'extends_type_clause' },
      members('interface_body'),
    ],
  },
  EnumDeclaration: { type: 'enum_declaration', parts: [name, members('enum_body')] },
  EnumMember: { type: 'enum_assignment', parts: [propertyName, value] },
  TypeAliasDeclaration: {
    type: 'type_alias_declaration',
    parts: [typeName, typeParameters, { of: 'type', field: 'value' }],
  },
  PropertyDeclaration: {
    type: 'public_field_definition',
    parts: [modifiers, propertyName, type, value],
  },
  PropertySignature: { type: 'property_signature', parts: [modifiers, propertyName, type] },
  Parameter: {
    type: ({ questionToken }) => (questionToken === undefined ? 'required_parameter' : 'optional_parameter'),
    parts: [modifiers, { ...name, field: 'pattern' }, type, value],
  },
  VariableDeclarationList: { type: 'lexical_declaration' },
  VariableDeclaration: { type: 'variable_declarator', parts: [name, type, value] },
  IfStatement: {
    type: 'if_statement',
    parts: [
      condition,
      { of: 'thenStatement', field: 'consequence' },
      { of: 'elseStatement', field: 'alternative' },
    ],
  },
  SwitchStatement: {
    type: 'switch_statement',
    parts: [
      { ...condition, field: 'value' },
      { of: 'caseBlock', field: 'body' },
    ],
  },
  CaseClause: {
    type: 'switch_case',
    parts: [{ of: 'expression', field: 'value' }, colon, statements],
  },
  DefaultClause: {
    type: 'switch_default',
    parts: [colon, statements],
  },
  ForInStatement: { type: 'for_in_statement', parts: loop },
  ForOfStatement: { type: 'for_in_statement', parts: loop },
  ImportDeclaration: {
    type: 'import_statement',
    parts: [{ of: 'importClause' }, source, { of: 'attributes' }],
  },
  ExportDeclaration: {
    type: 'export_statement',
    parts: [{ of: 'exportClause' }, source, { of: 'attributes' }],
  },
  ExportAssignment: { type: 'export_statement', parts: [{ of: 'expression', field: 'value' }] },
  NamedExports: { type: 'export_clause' },
};

/** Kinds with another node type if they are the target of an assignment. */
const TARGETS: Readonly<Record<string, Shape>> = {
  ObjectLiteralExpression: { type: 'object_pattern', parts: [{ of: 'properties', isTarget: true }] },
  ArrayLiteralExpression: { type: 'array_pattern', parts: [{ of: 'elements', isTarget: true }] },
  SpreadElement: { type: 'rest_pattern', parts: [{ of: 'expression', isTarget: true }] },
  SpreadAssignment: { type: 'rest_pattern', parts: [{ of: 'expression', isTarget: true }] },
  PropertyAssignment: {
    type: 'pair_pattern',
    parts: [
      { ...propertyName, field: 'key' },
      { ...value, isTarget: true },
    ],
  },
};

export function targetShapesOf({ SyntaxKind }: TypeScript): ReadonlyMap<number, Shape> {
  const shapes = Object.entries(TARGETS);
  return new Map(shapes.map(([each, shape]) => [SyntaxKind[each as keyof typeof SyntaxKind], shape]));
}

/**
 * Returns the types of tokens that become nodes. Other tokens are omitted: brackets, commas and most
 * keywords.
 */
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

const PREDEFINED_TYPES = [
  'AnyKeyword',
  'BigIntKeyword',
  'BooleanKeyword',
  'IntrinsicKeyword',
  'NeverKeyword',
  'NumberKeyword',
  'ObjectKeyword',
  'StringKeyword',
  'SymbolKeyword',
  'UndefinedKeyword',
  'UnknownKeyword',
  'VoidKeyword',
] as const;
