import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generate } from '../../../packages/reverse-spec/src/spec/generate.ts';
import {
  type Baseline,
  readBaselineOf,
} from '../../../packages/reverse-spec/src/spec/writing/document/baseline.ts';
import { declaredExports } from '../../support/declared-exports.ts';
import { judge } from '../../support/drift-referee.ts';
import { parts, project } from '../../support/spec-project.ts';

/** Two releases of a small library: what libraries do to their exports, once each. */
const before = {
  'index.ts': `export * from './queue.ts';
export { parse as parseText, type ParseOptions } from './parse.ts';
export { Level } from './levels.ts';
import { open } from './store.ts';
export { open };
export default open;
`,
  'queue.ts': `/** First in, first out. */
export class Queue<T> {
  private items: T[] = [];
  constructor(readonly limit = 10) {}
  push(item: T): void { this.items.push(item); }
  pop(): T | undefined { return this.items.pop(); }
  static of<U>(...items: U[]): Queue<U> { return new Queue<U>(items.length); }
}
export interface Job { id: string; run(): Promise<void> }
export type Outcome = 'done' | 'failed';
export namespace Limits { export const most = 10; export const least = 1; }
`,
  'parse.ts': `export interface ParseOptions { strict?: boolean; depth: number }
export function parse(text: string): unknown;
export function parse(text: string, options: ParseOptions): unknown;
export function parse(text: string, options?: ParseOptions): unknown { return [text, options]; }
export const VERSION = '1.0.0';
export let counter = 0;
`,
  'levels.ts':
    'export enum Level { Low = 1, High = 2 }\nexport const levels = [Level.Low, Level.High] as const;\n',
  'store.ts':
    'export async function open(path: string): Promise<void> { return void path; }\nfunction close() {}\nexport { close as shut };\n',
  'legacy.ts': 'export const old = true;\nexport function forget(): void {}\n',
  'format.ts':
    'export function formatDuration(milliseconds: number, digits = 2): string { return milliseconds.toFixed(digits); }\n',
};

const after = {
  'index.ts': `import { open } from './store.ts';
export * from './queue.ts';
export { parse as parseText, type ParseOptions } from './parse.ts';
export { Level, levels } from './levels.ts';
export { open };
export default open;
`,
  'queue.ts': `/** First in, first out; or last, when asked. */
export class Queue<T> {
  private readonly list: T[] = [];
  constructor(readonly limit = 20) {}
  push(item: T): void {
    this.list.push(item);
  }
  pop(): T | undefined {
    return this.list.shift();
  }
  get size(): number { return this.list.length; }
}
export interface Job {
  id: string;
  run(signal?: AbortSignal): Promise<void>;
}
export type Outcome = | "done" | "failed";
export namespace Limits { export const most = 10; }
`,
  'parse.ts': `export interface ParseOptions { strict?: boolean; depth?: number }
export function parse(text: string, options?: ParseOptions): unknown { return [options, text]; }
export const VERSION = '1.0.0';
export let counter: number = 0;
`,
  'levels.ts':
    'export enum Level {\n  Low = 1,\n  // in between\n  Middle,\n  High = 2,\n}\nexport const levels = [Level.Low, Level.High] as const;\n',
  'store.ts':
    'export async function open(path: string): Promise<void> {\n  await path;\n}\nfunction close(force: boolean) { return force; }\nexport { close as shut };\n',
  'text/format.ts':
    'export function formatDuration(milliseconds: number, digits = 2): string { return milliseconds.toFixed(digits); }\n',
};

async function baselineOf(cwd: string): Promise<Baseline> {
  const { specPath } = await generate(
    { targetPath: 'lib', deep: false, outputDir: 'specs', astOnly: true },
    parts(cwd),
  );
  const reading = await readBaselineOf(specPath, readFileSync(specPath, 'utf8'));
  if (reading.kind !== 'read') throw new Error('no baseline');
  return reading.baseline;
}

function library(files: Record<string, string>): string {
  return project(Object.fromEntries(Object.entries(files).map(([path, text]) => [`lib/${path}`, text])));
}

it('[R41] diff reports the same removed and changed exports between two releases as the TypeScript compiler', async () => {
  const [old, now] = [library(before), library(after)];
  const verdict = judge(
    { before: await baselineOf(old), after: await baselineOf(now) },
    { before: declaredExports(join(old, 'lib')), after: declaredExports(join(now, 'lib')) },
  );
  expect(verdict.missed).toEqual([]);
  expect(verdict.invented).toEqual([]);
  expect(verdict.expected).toEqual({ removed: 3, added: 2, changed: 8 });
});
