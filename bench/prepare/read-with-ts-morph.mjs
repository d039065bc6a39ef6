/**
 * Reads the facts of `prepare` with ts-morph, as its documentation would have one do it: every export with
 * kind, signature up to the body, docs, members and lines, and the imports; one JSON line a file. Less than
 * `prepare` does: nothing is redacted, hashed, counted in tokens or merged, and no call-outs or internal
 * declarations are looked for.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { Node, Project } from 'ts-morph';

const [, , tree = '', output = ''] = process.argv;
const project = new Project({
  skipAddingFilesFromTsConfig: true,
  skipFileDependencyResolution: true,
  compilerOptions: { noLib: true },
});
project.addSourceFilesAtPaths(`${tree}/**/*.ts`);
const out = openSync(output, 'w');
for (const file of project.getSourceFiles()) writeSync(out, `${JSON.stringify(factsOf(file))}\n`);
closeSync(out);

function factsOf(file) {
  const exports = [];
  for (const [name, declarations] of file.getExportedDeclarations()) {
    // A re-export is reported in the file that declares it.
    const own = declarations.filter((node) => node.getSourceFile() === file);
    for (const node of own) exports.push({ name, ...declarationOf(node) });
  }
  for (const each of file.getExportDeclarations()) exports.push({ name: '*', signature: each.getText() });
  const imports = file.getImportDeclarations().map((each) => ({
    module: each.getModuleSpecifierValue(),
    names: each.getNamedImports().map((one) => one.getText()),
    isTypeOnly: each.isTypeOnly(),
    line: each.getStartLineNumber(),
  }));
  return { filePath: file.getFilePath(), loc: file.getEndLineNumber(), exports, imports };
}

function declarationOf(node) {
  const withMembers = Node.isClassDeclaration(node) || Node.isInterfaceDeclaration(node);
  return {
    kind: node.getKindName(),
    signature: signatureOf(node),
    jsDoc: docOf(node),
    ...(withMembers && { members: node.getMembers().map(memberOf) }),
    startLine: node.getStartLineNumber(),
    endLine: node.getEndLineNumber(),
  };
}

function memberOf(member) {
  return {
    name: member.getName?.() ?? 'constructor',
    kind: member.getKindName(),
    signature: signatureOf(member),
    jsDoc: docOf(member),
    startLine: member.getStartLineNumber(),
    endLine: member.getEndLineNumber(),
  };
}

/** The source's own text up to the body. */
function signatureOf(node) {
  const holder = Node.isVariableDeclaration(node) ? (node.getInitializer() ?? node) : node;
  const body = Node.isBodyable(holder) || Node.isBodied(holder) ? holder.getBody() : undefined;
  const text = node.getText();
  if (Node.isClassDeclaration(node) || Node.isInterfaceDeclaration(node))
    return text.slice(0, text.indexOf('{'));
  return body === undefined ? text : text.slice(0, body.getStart() - node.getStart()).trimEnd();
}

function docOf(node) {
  const holder = Node.isVariableDeclaration(node) ? node.getVariableStatement() : node;
  if (holder === undefined || !Node.isJSDocable(holder)) return null;
  return (
    holder
      .getJsDocs()
      .map((doc) => doc.getInnerText())
      .join('\n') || null
  );
}
