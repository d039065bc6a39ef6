/** The same facts through ts-morph: exported names with kind, text up to the body, docs, members; and imports. */
const [, , tree = ''] = process.argv;
const start = performance.now();
const cpuAtStart = process.cpuUsage();
const { Node, Project } = await import('ts-morph');
const project = new Project({ skipAddingFilesFromTsConfig: true, compilerOptions: { noLib: true } });
project.addSourceFilesAtPaths(`${tree}/**/*.ts`);
let exports = 0;
let characters = 0;
for (const file of project.getSourceFiles()) {
  for (const each of file.getImportDeclarations()) characters += each.getModuleSpecifierValue().length;
  for (const [name, declarations] of file.getExportedDeclarations()) {
    exports += 1;
    for (const node of declarations) {
      characters += name.length + node.getKindName().length + node.getText().length;
      if (Node.isJSDocable(node))
        characters += node
          .getJsDocs()
          .map((doc) => doc.getInnerText())
          .join('\n').length;
      if (Node.isClassDeclaration(node))
        characters += node
          .getMembers()
          .map((member) => member.getText())
          .join('').length;
      if (Node.isInterfaceDeclaration(node))
        characters += node
          .getMembers()
          .map((member) => member.getText())
          .join('').length;
    }
  }
}
const ms = performance.now() - start;
const { user, system } = process.cpuUsage(cpuAtStart);
const cpuMs = (user + system) / 1000;
console.log(
  JSON.stringify({ ms, cpuMs, exports, characters, peakMb: process.resourceUsage().maxRSS / 1024 }),
);
