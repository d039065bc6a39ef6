import type { ts } from '@ts-morph/common';
import type { ImportStatement } from '../../outline.ts';
import { lineRange, nameText, type TsSource, textOf } from './source.ts';
import { boundNames } from './variables.ts';

export function readImports(source: TsSource): ImportStatement[] {
  return source.file.statements.flatMap((statement) => readImport(source, statement));
}

function readImport(source: TsSource, node: ts.Statement): ImportStatement[] {
  const { ts } = source;
  const imported = (module: string, names: string[], typeOnly = false): ImportStatement[] => [
    { module, names, text: textOf(source, node), typeOnly, ...lineRange(source, node) },
  ];
  if (ts.isImportDeclaration(node)) {
    const clause = node.importClause;
    const names = clause === undefined ? [] : clauseNames(source, clause);
    const isTypeOnly = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return imported(nameText(source, node.moduleSpecifier), names, isTypeOnly);
  }
  // `import x = require('y')`; an alias of a namespace (`import x = A.B`) brings in no module.
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
    const module = nameText(source, node.moduleReference.expression);
    return imported(module, [ts.idText(node.name)], node.isTypeOnly);
  }
  if (ts.isExpressionStatement(node)) {
    const module = requiredModule(source, node.expression);
    return module === undefined ? [] : imported(module, []);
  }
  if (!ts.isVariableStatement(node)) return [];
  return node.declarationList.declarations.flatMap(({ name, initializer }) => {
    const module = initializer && requiredModule(source, initializer);
    return module === undefined ? [] : imported(module, boundNames(source, name));
  });
}

function clauseNames(source: TsSource, clause: ts.ImportClause): string[] {
  const { ts } = source;
  const names = clause.name === undefined ? [] : [textOf(source, clause.name)];
  const bindings = clause.namedBindings;
  if (bindings === undefined) return names;
  if (ts.isNamespaceImport(bindings)) return [...names, textOf(source, bindings)];
  return [...names, ...bindings.elements.map((element) => textOf(source, element))];
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
