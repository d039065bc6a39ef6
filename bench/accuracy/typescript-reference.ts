import { Node, type SourceFile, type Symbol as TsSymbol } from 'ts-morph';

/** A signature as the compiler's tree bounds it: at least `head`, at most `full`. */
export interface Reference {
  head: string;
  full: string;
  members: Reference[];
}

/** Exported name → the signatures of what it names, by TypeScript's own binder. */
export function referenceExports(file: SourceFile): Map<string, Reference[]> {
  const exports = new Map<string, Reference[]>();
  for (const symbol of exportedSymbols(file)) {
    const name = symbol.getEscapedName();
    if (name === '__export') continue;
    exports.set(unescapeName(name), referencesOf(symbol, file));
  }
  return exports;
}

function unescapeName(name: string): string {
  return name.startsWith('___') ? name.slice(1) : name.replace(/^"(.*)"$/, '$1');
}

/** A module's export table; of a script, what it adds to the global scope. */
function exportedSymbols(file: SourceFile): TsSymbol[] {
  const symbol = file.getSymbol();
  return symbol === undefined ? file.getLocals() : symbol.getExports();
}

function referencesOf(symbol: TsSymbol, file: SourceFile): Reference[] {
  const declarations = symbol
    .getDeclarations()
    .filter((each) => each.getSourceFile() === file && !isExpando(each));
  return mergeOverloads(declarations.flatMap((declaration) => referenceOf(declaration, file)));
}

/** `f.x = 1` adds to a function's type; it declares nothing by itself. */
function isExpando(node: Node): boolean {
  return /^(PropertyAccess|ElementAccess|Binary)Expression$|^Identifier$/.test(node.getKindName());
}

interface Found extends Reference {
  /** Name of the function that this is a signature of. */
  callable?: string;
  /** Has no body yet: more signatures may follow. */
  isOpen?: boolean;
}

function referenceOf(node: Node, file: SourceFile): Found[] {
  if (Node.isExportSpecifier(node)) return specifierReference(node, file);
  if (Node.isExportAssignment(node)) return assignmentReference(node, file);
  if (Node.isVariableDeclaration(node) || Node.isBindingElement(node)) return [variableReference(node)];
  if (Node.isFunctionDeclaration(node)) return [functionReference(node)];
  if (Node.isClassDeclaration(node) || Node.isInterfaceDeclaration(node)) return [typeReference(node)];
  if (Node.isModuleDeclaration(node))
    return [plain(head(node, moduleBody(node)?.getStart() ?? node.getEnd()))];
  return [plain(trim(node.getText()))];
}

function specifierReference(node: Node & { getText(): string }, file: SourceFile): Found[] {
  if (!Node.isExportSpecifier(node)) return [];
  if (node.getExportDeclaration().getModuleSpecifierValue() === undefined) {
    const local = node.getLocalTargetSymbol();
    const own =
      local
        ?.getDeclarations()
        .filter((each) => each.getSourceFile() === file && !isImport(each) && !isExpando(each)) ?? [];
    if (local !== undefined && own.length > 0) return own.flatMap((each) => referenceOf(each, file));
  }
  return [plain(trim(node.getText()))];
}

function isImport(node: Node): boolean {
  return (
    Node.isImportSpecifier(node) ||
    Node.isImportClause(node) ||
    Node.isNamespaceImport(node) ||
    Node.isImportEqualsDeclaration(node)
  );
}

function assignmentReference(node: Node, file: SourceFile): Found[] {
  if (!Node.isExportAssignment(node)) return [];
  const expression = node.getExpression();
  const symbol = Node.isIdentifier(expression) ? expression.getSymbol() : undefined;
  const own =
    symbol
      ?.getDeclarations()
      .filter((each) => each.getSourceFile() === file && !isImport(each) && !isExpando(each)) ?? [];
  if (own.length > 0) return own.flatMap((each) => referenceOf(each, file));
  const text = trim(node.getText());
  return [{ head: text.slice(0, text.indexOf(expression.getText())).trimEnd(), full: text, members: [] }];
}

function variableReference(node: Node): Found {
  const statement = node.getFirstAncestor(Node.isVariableStatement);
  const variable = Node.isVariableDeclaration(node)
    ? node
    : node.getFirstAncestor(Node.isVariableDeclaration);
  if (statement === undefined || variable === undefined) return plain(node.getText());
  const [first] = statement.getDeclarations();
  const source = node.getSourceFile().getFullText();
  const keywords = source.slice(statement.getStart(), first?.getStart());
  const end = variable.getTypeNode()?.getEnd() ?? variable.getNameNode().getEnd();
  return {
    head: keywords + source.slice(variable.getStart(), end),
    full: keywords + trim(variable.getText()),
    members: [],
  };
}

function functionReference(node: Node): Found {
  const body = Node.isBodyable(node) || Node.isBodied(node) ? node.getBody() : undefined;
  const text = head(node, body?.getStart() ?? node.getEnd());
  const name = Node.hasName(node) ? node.getName() : '';
  return { ...plain(text), callable: `function ${name}`, isOpen: body === undefined };
}

function typeReference(node: Node): Found {
  const brace = openBrace(node);
  // ts-morph's own member lists leave overloads out; the syntax list has every one.
  const members = node.getChildSyntaxList()?.getChildren() ?? [];
  const own = members.filter(
    (member) => !/^(ClassStaticBlock|Semicolon|.*Comment)/.test(member.getKindName()),
  );
  return {
    ...plain(head(node, brace ?? node.getEnd())),
    members: mergeOverloads(own.map((member) => memberReference(member))),
  };
}

function openBrace(node: Node): number | undefined {
  return node
    .getChildren()
    .find((child) => child.getKindName() === 'OpenBraceToken')
    ?.getStart();
}

function moduleBody(node: Node): Node | undefined {
  return node.getFirstDescendant((each) => each.getKindName() === 'ModuleBlock');
}

function memberReference(member: Node): Found {
  const body = Node.isBodyable(member) || Node.isBodied(member) ? member.getBody() : undefined;
  const text = head(member, body?.getStart() ?? member.getEnd());
  if (Node.isPropertyDeclaration(member) && member.getInitializer() !== undefined) {
    const end = member.getTypeNode()?.getEnd() ?? member.getNameNode().getEnd();
    return { head: head(member, end), full: text, members: [] };
  }
  const name = Node.hasName(member) ? member.getName() : '';
  const kind = /^(Method|Constructor|Construct|Call)/.exec(member.getKindName())?.[0];
  return {
    ...plain(text),
    ...(kind !== undefined && { callable: `${kind} ${name}`, isOpen: body === undefined }),
  };
}

/** Neighbours of one callable, of which all but the last have no body, are one function. */
function mergeOverloads(found: readonly Found[]): Reference[] {
  const merged: Found[] = [];
  for (const each of found) {
    const last = merged.at(-1);
    if (last?.isOpen === true && last.callable !== undefined && last.callable === each.callable) {
      last.head += `\n${each.head}`;
      last.full += `\n${each.full}`;
      last.isOpen = each.isOpen === true;
    } else merged.push({ ...each });
  }
  return merged;
}

function head(node: Node, end: number): string {
  return trim(node.getSourceFile().getFullText().slice(node.getStart(), end));
}

function trim(text: string): string {
  return text.trimEnd().replace(/[;,]$/, '').trimEnd();
}

function plain(text: string): Found {
  return { head: text, full: text, members: [] };
}
