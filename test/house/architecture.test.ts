import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { importGraph } from '../../scripts/import-graph.ts';
import { sourceFiles } from '../../scripts/source-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(posix.join(root, 'ARCHITECTURE.md'), 'utf8');

/** `a → b → c` of the section Call paths; every step is a file or a folder of a package: `engine/cut`. */
const walks = [...section('Call paths').matchAll(/^- \*\*(.+?)\*\* `([^`]+)`/gm)].map(
  ([, name = '', steps = '']) => ({
    name,
    steps: steps.split('→').map((step) => step.trim()),
  }),
);

/** Folders of the engine that belong to a file beside them. */
const OWNED_FOLDERS = new Set(['pruner', 'worker-engine', 'cut-text', 'secateur']);

const imports = importGraph(root);

describe('[H8] ARCHITECTURE.md', () => {
  it('ARCHITECTURE.md contains call paths', () => expect(walks.length).toBeGreaterThan(4));

  it.each(walks)(
    'each step of the call path $name exists and is imported by the step before',
    ({ steps }) => {
      const places = steps.map((step) => ({ step, files: filesOf(step) }));
      for (const { step, files } of places) expect(files, `${step} does not exist`).not.toEqual([]);
      for (const [index, { step, files }] of places.entries()) {
        const next = places[index + 1];
        if (next === undefined) continue;
        const reached = reachableFrom(files);
        expect(
          next.files.some((file) => reached.has(file)),
          `${step} does not lead to ${next.step}`,
        ).toBe(true);
      }
    },
  );

  it('ARCHITECTURE.md mentions every module of every package', () => {
    const modules = new Set(
      sourceFiles(root)
        .map((file) => file.split('/')[3] ?? '')
        .filter((module) => !module.endsWith('.ts') && !OWNED_FOLDERS.has(module)),
    );
    for (const module of modules)
      expect(section('Packages and modules'), module).toMatch(new RegExp(`(^|[ ,])${module}/`, 'm'));
  });

  it('every file in the table “Where does … go” exists', () => {
    const touched = [...section('Where does … go').matchAll(/`((?:[\w-]+\/)+[\w-]+\.ts)`/g)].map(
      ([, path = '']) => path,
    );
    expect(touched.length).toBeGreaterThan(4);
    for (const path of touched) expect(existsSync(posix.join(root, pathOf(path))), path).toBe(true);
  });
});

const decisions = readdirSync(join(root, 'docs/decisions'));

it.each(decisions)('[H8] decision %s has question, options, decision and evidence', (name) => {
  const text = readFileSync(join(root, 'docs/decisions', name), 'utf8');
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(['Question', 'Options', 'Decision', 'Evidence']);
});

function section(title: string): string {
  const [, body = ''] = page.split(`\n## ${title}\n`);
  return body.split('\n## ')[0] ?? '';
}

/** A step names a file without its ending, or a folder. */
function filesOf(step: string): string[] {
  const path = pathOf(step);
  if (existsSync(posix.join(root, `${path}.ts`))) return [`${path}.ts`];
  return sourceFiles(root).filter((file) => file.startsWith(`${path}/`));
}

/** `engine/policy/policy.ts` is a file of the package `engine`. */
function pathOf(step: string): string {
  return step.replace(/^([\w-]+)\//, 'packages/$1/src/');
}

function reachableFrom(files: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const waiting = [...files];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    waiting.push(...(imports.get(file) ?? []));
  }
  return reached;
}
