import { type ExportSpecifier, Node, Project, type SourceFile, type Symbol as TsSymbol, ts } from 'ts-morph';

/** Exports of a file by the TypeScript compiler itself: name → its declarations, printed without comments. */
export type DeclaredExports = Map<string, string>;

/** An extractor that shares no code with the product. Keys are paths below `root`. */
export function declaredExports(root: string): Map<string, DeclaredExports> {
  const project = new Project({
    skipAddingFilesFromTsConfig: true,
    compilerOptions: {
      noLib: true,
      allowJs: true,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
    },
  });
  project.addSourceFilesAtPaths([
    `${root}/**/*.ts`,
    `${root}/**/*.mts`,
    `${root}/**/*.cts`,
    `!${root}/**/node_modules/**`,
  ]);
  const files = new Map<string, DeclaredExports>();
  for (const file of project.getSourceFiles()) {
    files.set(file.getFilePath().slice(root.length + 1), exportsOf(file));
  }
  return files;
}

function exportsOf(file: SourceFile): DeclaredExports {
  const found: DeclaredExports = new Map();
  for (const symbol of file.getExportSymbols()) {
    const own = symbol.getDeclarations().filter((node) => node.getSourceFile() === file);
    if (own.length > 0) found.set(symbol.getName(), own.flatMap(textsOf).join('\n'));
  }
  for (const each of file.getExportDeclarations()) {
    if (each.isNamespaceExport() && each.getNamespaceExport() === undefined)
      found.set(`* ${each.getModuleSpecifierValue()}`, printed(each));
  }
  return found;
}

function textsOf(node: Node): string[] {
  if (Node.isExportSpecifier(node)) return specifierTexts(node);
  if (Node.isNamespaceExport(node)) return [printed(node.getParentOrThrow())];
  if (!Node.isExportAssignment(node)) return [printed(node)];
  const local = localDeclarations(node.getExpression().getSymbol(), node);
  return local.length > 0 ? local.map(printed) : [printed(node)];
}

function localDeclarations(symbol: TsSymbol | undefined, at: Node): Node[] {
  return (symbol?.getDeclarations() ?? []).filter((node) => node.getSourceFile() === at.getSourceFile());
}

/** `export { a }` refers to the declaration of `a` if that is in the same file. */
function specifierTexts(specifier: ExportSpecifier): string[] {
  const declaration = specifier.getExportDeclaration();
  const module = declaration.getModuleSpecifierValue();
  const kind = declaration.isTypeOnly() ? 'type ' : '';
  if (module !== undefined) return [`${kind}${printed(specifier)} from ${module}`];
  const local = localDeclarations(specifier.getSymbol()?.getAliasedSymbol(), specifier);
  return local.length > 0 ? local.map(printed) : [`${kind}${printed(specifier)}`];
}

const printer = ts.createPrinter({ removeComments: true });

/** Private members and bodies are not part of the public interface. */
function printed(node: Node): string {
  const owner = Node.isVariableDeclaration(node) ? (node.getVariableStatement() ?? node) : node;
  const { transformed } = ts.transform(owner.compilerNode, [() => withoutBodies]);
  const text = printer.printNode(
    ts.EmitHint.Unspecified,
    transformed[0] ?? owner.compilerNode,
    node.getSourceFile().compilerNode,
  );
  return text
    .split('\n')
    .filter((line) => !/^\s*(?:private\s|#)/.test(line))
    .join('\n')
    .replace(/'/g, '"')
    .replace(/\s+/g, ' ');
}

function withoutBodies(node: ts.Node): ts.Node {
  if (ts.isBlock(node)) return ts.factory.createBlock([]);
  return ts.visitEachChild(node, withoutBodies, undefined);
}
