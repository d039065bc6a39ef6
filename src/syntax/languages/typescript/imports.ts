import type { ts } from '@ts-morph/common';
import type { ImportStatement } from '../../outline.ts';
import { lineRange, nameText, type TsSource, textOf } from './source.ts';
import { boundNames } from './variables.ts';

export function readImports(source: TsSource): ImportStatement[] {
  return source.file.statements.flatMap((statement) => readImport(source, statement));
}

function readImport(source: TsSource, node: ts.Statement): ImportStatement[] {
  const { ts } = source;
  if (ts.isImportDeclaration(node)) return [importDeclaration(source, node)];
  if (ts.isImportEqualsDeclaration(node)) return importEquals(source, node);
  if (ts.isVariableStatement(node)) return requires(source, node);
  if (ts.isExpressionStatement(node)) return bareRequire(source, node);
  return [];
}

function importDeclaration(source: TsSource, node: ts.ImportDeclaration): ImportStatement {
  const { ts } = source;
  const clause = node.importClause;
  return {
    module: nameText(source, node.moduleSpecifier),
    names: clause === undefined ? [] : clauseNames(source, clause),
    text: textOf(source, node),
    typeOnly: clause?.phaseModifier === ts.SyntaxKind.TypeKeyword,
    ...lineRange(source, node),
  };
}

function clauseNames(source: TsSource, clause: ts.ImportClause): string[] {
  const { ts } = source;
  const names = clause.name === undefined ? [] : [textOf(source, clause.name)];
  const bindings = clause.namedBindings;
  if (bindings === undefined) return names;
  if (ts.isNamespaceImport(bindings)) return [...names, textOf(source, bindings)];
  return [...names, ...bindings.elements.map((element) => textOf(source, element))];
}

/** `import x = require('y')`; an alias of a namespace (`import x = A.B`) brings in no module. */
function importEquals(source: TsSource, node: ts.ImportEqualsDeclaration): ImportStatement[] {
  const { ts } = source;
  if (!ts.isExternalModuleReference(node.moduleReference)) return [];
  return [
    {
      module: nameText(source, node.moduleReference.expression),
      names: [ts.idText(node.name)],
      text: textOf(source, node),
      typeOnly: node.isTypeOnly,
      ...lineRange(source, node),
    },
  ];
}

function requires(source: TsSource, node: ts.VariableStatement): ImportStatement[] {
  return node.declarationList.declarations.flatMap(({ name, initializer }) => {
    const module = initializer === undefined ? undefined : requiredModule(source, initializer);
    if (module === undefined) return [];
    return [{ module, names: boundNames(source, name), ...statementPart(source, node) }];
  });
}

function bareRequire(source: TsSource, node: ts.ExpressionStatement): ImportStatement[] {
  const module = requiredModule(source, node.expression);
  return module === undefined ? [] : [{ module, names: [], ...statementPart(source, node) }];
}

function statementPart(source: TsSource, node: ts.Statement) {
  return { text: textOf(source, node), typeOnly: false, ...lineRange(source, node) };
}

/** The module of `require('x')`, also inside `__importStar(require('x'))`, `await import('x')` and `require('x').y`. */
export function requiredModule(source: TsSource, node: ts.Expression): string | undefined {
  const { ts } = source;
  if (ts.isAwaitExpression(node) || ts.isPropertyAccessExpression(node)) {
    return requiredModule(source, node.expression);
  }
  if (!ts.isCallExpression(node)) return undefined;
  const [first] = node.arguments;
  if (first === undefined) return undefined;
  const isLoad =
    node.expression.kind === ts.SyntaxKind.ImportKeyword || textOf(source, node.expression) === 'require';
  if (isLoad && ts.isStringLiteralLike(first)) return first.text;
  return ts.isIdentifier(node.expression) && ts.isCallExpression(first)
    ? requiredModule(source, first)
    : undefined;
}
