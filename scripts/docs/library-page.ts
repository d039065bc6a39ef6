import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ts } from '@ts-morph/common';

/** Entry points that users import, and the module of each. */
const ENTRIES: Readonly<Record<string, string>> = {
  secateur: 'engine/src/secateur',
  'secateur/ai-sdk': 'secateur/src/adapters/ai-sdk',
  'secateur/claude-agent-sdk': 'secateur/src/adapters/claude-agent-sdk',
  'secateur/openai-agents': 'secateur/src/adapters/openai-agents',
  'secateur/langchain': 'secateur/src/adapters/langchain',
  'secateur/mcp': 'secateur/src/adapters/mcp',
  'secateur/gateway': 'secateur/src/main/gateway',
  'secateur/runner': 'secateur/src/runner/focus-run',
  'reverse-spec': 'reverse-spec/src/main/library',
};

const HEADING = '## Reference\n';

/** Writes the reference of `docs/library.md` from the types; what is above it is written by hand. */
export function libraryPage(root: string): string {
  const [written = ''] = readFileSync(join(root, 'docs/library.md'), 'utf8').split(HEADING);
  const sections = Object.entries(ENTRIES).map(
    ([entry, module]) => `### \`${entry}\`\n\n\`\`\`ts\n${declarationsOf(root, module)}\n\`\`\`\n`,
  );
  return `${written}${HEADING}\nWritten from the types by \`npm run docs\`.\n\n${sections.join('\n')}`;
}

/** Exported declarations of a module without bodies, with their comments. */
function declarationsOf(root: string, module: string): string {
  const fileName = `${module}.ts`;
  const source = readFileSync(join(root, 'packages', fileName), 'utf8');
  const compilerOptions = { isolatedDeclarations: true, target: ts.ScriptTarget.ES2023 };
  const { outputText } = ts.transpileDeclaration(source, { fileName, compilerOptions });
  const declared = ts.createSourceFile('out.d.ts', outputText, ts.ScriptTarget.ES2023, true);
  return declared.statements.filter(isExported).map(printed).join('\n\n');
}

function isExported(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  );
}

/** The text of a declaration with the comment right above it; the comment of the whole file is left out. */
function printed(statement: ts.Statement): string {
  const text = statement.getFullText().trim();
  const comments = ts.getLeadingCommentRanges(statement.getFullText(), 0) ?? [];
  const last = comments.at(-1);
  return last === undefined ? text : statement.getFullText().slice(last.pos).trim();
}
