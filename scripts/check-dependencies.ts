import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ICruiseResult, IViolation } from 'dependency-cruiser';
import { sourceFiles } from './source-files.ts';

/** Imports follow the rules, and every file was read: a run that reads nothing finds nothing wrong. */
export async function checkDependencies(root: string, rules = RULES): Promise<string[]> {
  const { modules, summary } = await cruise(root, rules);
  const seen = modules.filter(({ source }) => /^packages\/[^/]+\/src\/.*\.ts$/.test(source)).length;
  const written = sourceFiles(root).length;
  const unseen = seen === written && seen > 0 ? [] : [`saw ${seen} of ${written} files of the packages`];
  const breaches = summary.violations.filter(
    (violation) => !isCycleOfTypes(root, violation) && !isTypeOfTool(root, violation),
  );
  return [...unseen, ...breaches.map(describe)];
}

const RULES = fileURLToPath(new URL('dependency-rules.config.mjs', import.meta.url));

async function cruise(root: string, rules: string): Promise<ICruiseResult> {
  // Started as its own program: under a TypeScript loader it mistakes the shape of its parser.
  const cruiser = fileURLToPath(
    new URL('../node_modules/dependency-cruiser/bin/dependency-cruise.mjs', import.meta.url),
  );
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [cruiser, '--config', rules, '--output-type', 'json', 'packages'],
    { cwd: root, maxBuffer: 1 << 28 },
  );
  return JSON.parse(stdout);
}

/** A part may name a type of its owner: that cycle does not exist when the code runs. */
function isCycleOfTypes(root: string, { rule, from, cycle = [] }: IViolation): boolean {
  if (rule.name !== 'no-cycles') return false;
  const stations = [from, ...cycle.map(({ name }) => name)];
  return stations.slice(1).some((to, index) => !importsAtRunTime(root, stations[index] ?? '', to));
}

/** A type from a package that is needed to build only: gone when the code runs. */
function isTypeOfTool(root: string, { rule, from, to }: IViolation): boolean {
  if (rule.name !== 'ships-what-it-imports') return false;
  return !runTimeImports(root, from).some((specifier) => to.includes(`node_modules/${specifier}/`));
}

function importsAtRunTime(root: string, from: string, to: string): boolean {
  return runTimeImports(root, from).some(
    (specifier) =>
      join(dirname(from), specifier) === to ||
      specifier.replace(/^@secateur\/([\w-]+)\//, 'packages/$1/src/') === to,
  );
}

function runTimeImports(root: string, from: string): string[] {
  const source = readFileSync(join(root, from), 'utf8');
  const imports = source.matchAll(
    /^(?:import (?!type\b)[^;]*?from|export [^;]*?from|.*\bimport\() ?'([^']+)'/gm,
  );
  return [...imports].map(([, specifier = '']) => specifier);
}

function describe({ rule, from, to }: IViolation): string {
  return `${rule.name}: ${from} → ${to}`;
}
