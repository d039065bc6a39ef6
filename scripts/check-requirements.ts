import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ts } from '@ts-morph/common';
import { sourceFiles } from './source-files.ts';

/** Every clause is cited by the title of a test, and every cited clause exists. */
export async function checkRequirements(root: string): Promise<string[]> {
  const { requirements } = await import(pathToFileURL(join(root, 'test/requirements.ts')).href);
  const cited = citations(root);
  const uncited = Object.keys(requirements).filter((id) => !cited.has(id));
  const unknown = [...cited].filter(([id]) => !Object.hasOwn(requirements, id));
  return [
    ...uncited.map((id) => `no test cites [${id}] ${requirements[id]}`),
    ...unknown.map(([id, file]) => `${file} cites [${id}], which test/requirements/ does not know`),
  ];
}

function citations(root: string): Map<string, string> {
  const cited = new Map<string, string>();
  for (const file of sourceFiles(root, 'test').filter((each) => each.endsWith('.test.ts'))) {
    for (const title of testTitles(readFileSync(join(root, file), 'utf8'))) {
      for (const [, id = ''] of title.matchAll(/\[([A-Z]{1,4}\d+[a-z]?)\]/g)) cited.set(id, file);
    }
  }
  return cited;
}

const TEST_FUNCTION = /^(it|test|describe)(\b|With)/;

/** The texts handed to `it`, `test`, `describe` and their kin, wherever they stand. */
function testTitles(source: string): string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && TEST_FUNCTION.test(node.expression.getText())) {
      titles.push(...node.arguments.filter(isText).map((argument) => argument.getText()));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('test.ts', source, ts.ScriptTarget.ES2023, true));
  return titles;
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}
