import { join, relative } from 'node:path';
import { ts } from '@ts-morph/common';
import type { ReferenceCall } from './calls.ts';

/** Calls inside a JavaScript or TypeScript project as the compiler resolves them. */
export function typescriptCalls(base: string, paths: readonly string[]): ReferenceCall[] {
  const program = ts.createProgram(
    paths.map((path) => join(base, path)),
    {
      allowJs: true,
      checkJs: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: [],
    },
  );
  const checker = program.getTypeChecker();
  const wanted = new Set(paths);
  const calls: ReferenceCall[] = [];
  const visit = (file: ts.SourceFile, path: string) => (node: ts.Node) => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const target = declarationOf(node, checker);
      const to = target && relative(base, target.getSourceFile().fileName);
      if (target !== undefined && to !== undefined && wanted.has(to))
        calls.push(callAt(node, { file, path, target, to }));
    }
    ts.forEachChild(node, visit(file, path));
  };
  for (const path of paths) {
    const file = program.getSourceFile(join(base, path));
    if (file !== undefined) ts.forEachChild(file, visit(file, path));
  }
  return calls;
}

function declarationOf(
  node: ts.CallExpression | ts.NewExpression,
  checker: ts.TypeChecker,
): ts.Node | undefined {
  const declaration = checker.getResolvedSignature(node)?.declaration;
  if (declaration !== undefined) {
    // A type that says what may be called is not what is called.
    if (ts.isFunctionTypeNode(declaration) || ts.isJSDocSignature(declaration)) return undefined;
    return implementationOf(declaration, checker);
  }
  const name = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
  const symbol = checker.getSymbolAtLocation(name);
  const meant = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const found = meant?.declarations?.[0];
  return found !== undefined && (ts.isFunctionLike(found) || ts.isClassLike(found)) ? found : undefined;
}

/** Returns the declaration with the body for an overload without one. */
function implementationOf(overload: ts.SignatureDeclaration, checker: ts.TypeChecker): ts.Node {
  const hasBody = (node: ts.Node) => (node as { body?: ts.Node }).body !== undefined;
  const symbol = overload.name === undefined ? undefined : checker.getSymbolAtLocation(overload.name);
  return hasBody(overload) ? overload : (symbol?.declarations?.find(hasBody) ?? overload);
}

function callAt(
  node: ts.CallExpression | ts.NewExpression,
  { file, path, target, to }: { file: ts.SourceFile; path: string; target: ts.Node; to: string },
): ReferenceCall {
  const line = (of: ts.SourceFile, at: number) => of.getLineAndCharacterOfPosition(at).line + 1;
  const named = target as { name?: ts.Node };
  return {
    path,
    line: line(file, node.getStart(file)),
    name: named.name?.getText() ?? '',
    to,
    toLine: line(target.getSourceFile(), target.getStart()),
    isType: ts.isClassLike(target) || ts.isConstructorDeclaration(target),
  };
}
