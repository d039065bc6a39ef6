/**
 * Checks whether cuts are whole units with true labels, over all evaluation sets, and whether the ranges of
 * code units agree with the parsers of reverse-spec.
 *
 *   npm run bench:units [-- STEP]   every STEPth text, 10 by default
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../packages/base/src/runtime/time.ts';
import { splitLines } from '../packages/base/src/text/lines.ts';
import { cutText } from '../packages/engine/src/cut.ts';
import { createLocalScorer } from '../packages/engine/src/ranking/local-scorer.ts';
import type { Unit } from '../packages/engine/src/reading/document.ts';
import { codeFormat } from '../packages/engine/src/reading/formats/code.ts';
import {
  DEFAULT_LEAST,
  DEFAULT_OPTIONS,
  kindOfText,
  type Origin,
  type PruneRequest,
} from '../packages/engine/src/request.ts';
import type { Declaration } from '../packages/reverse-spec/src/syntax/outline.ts';
import { createOutliner, type Outliner } from '../packages/reverse-spec/src/syntax/read-outline.ts';
import { cutFaults } from '../test/support/cut-checks.ts';

const EVAL = fileURLToPath(new URL('../../shared/eval/', import.meta.url));
const STEP = Number(process.argv[2] ?? 10);
const MAX_BYTES = 1 << 30;
const MAX_SHOWN = 40;
const OPTIONS = {
  ...DEFAULT_OPTIONS,
  markers: 'compact',
  maxPruneRatio: 0.95,
  timeoutMs: 60_000,
  least: DEFAULT_LEAST,
} as const;

const COMMANDS: Readonly<Record<string, string>> = {
  logs: 'npm test',
  docs: 'cat page.md',
  code: 'cat file',
};
const BODIES: ReadonlySet<string> = new Set([
  'function',
  'method',
  'constructor',
  'constant',
  'property',
  'default',
  'variable',
]);

interface Asked {
  readonly id: string;
  readonly text: string;
  readonly origin: Origin;
  readonly question: string;
  readonly task?: string;
}

interface Tally {
  texts: number;
  gaps: number;
  readonly faults: string[];
}

const PARTS = { scorer: createLocalScorer(), clock: systemClock };
if (!existsSync(EVAL)) throw new Error(`${EVAL} has the evaluation sets; it is not there`);
for (const [name, asked] of [
  ['everyday', everyday()],
  ['runs', runs()],
  ['dev', dev()],
] as const)
  report(name, check(asked));
await reportCode();

function check(texts: Iterable<Asked>): Tally {
  const tally: Tally = { texts: 0, gaps: 0, faults: [] };
  for (const { id, text, origin, question, task } of texts)
    for (const intent of ['implicit', 'explicit'] as const) {
      const focus = { question, ...(task !== undefined && { task }) };
      const request: PruneRequest = { text, focus, ...kindOfText(origin, text), intent, options: OPTIONS };
      const job = { request, id: 'prn_0000000000', remainingMs: OPTIONS.timeoutMs };
      const cut = cutText(job, PARTS);
      if (cut === undefined) continue;
      tally.texts += 1;
      tally.gaps += cut.annotations.length;
      tally.faults.push(...cutFaults(request, cut).map((fault) => `${id} ${intent}: ${fault}`));
    }
  return tally;
}

function report(name: string, { texts, gaps, faults }: Tally): void {
  console.log(`${name}: ${texts} cuts, ${gaps} gaps checked, ${faults.length} violations`);
  for (const fault of faults.slice(0, MAX_SHOWN)) console.log(`  ${fault}`);
}

function* everyday(): Generator<Asked> {
  for (const line of unpacked('everyday.jsonl.xz')) {
    const { id, command, tool, path, pattern, offset, limit, output, task, said = '' } = JSON.parse(line);
    const isPart = offset !== undefined || limit !== undefined;
    const file: Origin = tool === 'Read' ? { kind: 'file', path, isPart } : { kind: 'search', pattern };
    const origin: Origin = command === undefined ? file : { kind: 'command', command };
    yield { id, text: output, origin, question: said, task };
  }
}

function* runs(): Generator<Asked> {
  for (const [index, line] of unpacked('runs.jsonl.xz').entries()) {
    if (index % STEP !== 0) continue;
    const { run, task, steps } = JSON.parse(line);
    for (const [at, { command, output, goal }] of steps.entries())
      yield { id: `${run}:${at}`, text: output, origin: { kind: 'command', command }, question: goal, task };
  }
}

function* dev(): Generator<Asked> {
  for (const [index, line] of devLines().entries()) {
    if (index % STEP !== 0) continue;
    const { id, text, goal_hint: question, source_type: sourceType, meta = {} } = JSON.parse(line);
    const path = meta.path ?? meta.file;
    const command = COMMANDS[sourceType] ?? 'npm test';
    const origin: Origin =
      path === undefined ? { kind: 'command', command } : { kind: 'file', path, isPart: false };
    yield { id, text, origin, question };
  }
}

function unpacked(name: string): string[] {
  return linesOf(execFileSync('xz', ['-dc', `${EVAL}${name}`], { maxBuffer: MAX_BYTES }));
}

function devLines(): string[] {
  return linesOf(execFileSync('tar', ['-xzOf', `${EVAL}dev.tar.gz`], { maxBuffer: MAX_BYTES }));
}

function linesOf(bytes: Buffer): string[] {
  return bytes
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('{'));
}

/** Functions and methods that the engine collapses, beside what the parsers say of them. */
async function reportCode(): Promise<void> {
  const outliner = createOutliner();
  const differing: string[] = [];
  let compared = 0;
  for (const [index, line] of devLines().entries()) {
    const { id, text, source_type: sourceType, meta = {} } = JSON.parse(line);
    const path = meta.path ?? meta.file;
    if (index % STEP !== 0 || sourceType !== 'code' || path === undefined) continue;
    for (const { unit, end } of await compare(outliner, text, path)) {
      compared += 1;
      if (end !== unit.end) differing.push(`${id} ${unit.name} ${unit.start}-${unit.end}, parser: ${end}`);
    }
  }
  await outliner.close();
  const agreed = (100 * (compared - differing.length)) / Math.max(1, compared);
  console.log(`code: ${compared} functions and methods, ${agreed.toFixed(2)} % end where the parser says`);
  for (const each of differing.slice(0, MAX_SHOWN)) console.log(`  ${each}`);
}

async function compare(
  outliner: Outliner,
  text: string,
  path: string,
): Promise<{ unit: Unit; end: number }[]> {
  const outline = await outliner.outline(text, { path });
  if (outline.parser === 'none') return [];
  const declared = outline.declarations.flatMap(withMembers);
  const units = codeFormat.units(splitLines(text), { fileName: path }).flatMap(withChildren);
  const folded = units.filter(
    ({ rule, kind }) => rule === 'unrelated-units' && (kind === 'function' || kind === 'method'),
  );
  return folded.flatMap((unit) => {
    const same = declared.find(
      (each) => each.startLine <= unit.start && each.endLine >= unit.start && isSame(each, unit),
    );
    return same === undefined ? [] : [{ unit, end: same.endLine }];
  });
}

function isSame({ kind, name, startLine, bodyStartLine = startLine }: Declaration, unit: Unit): boolean {
  const isNear = unit.start <= bodyStartLine + 1;
  return BODIES.has(kind) && isNear && (name === unit.name || startLine === unit.start);
}

function withMembers(declaration: Declaration): Declaration[] {
  return [declaration, ...declaration.members.flatMap(withMembers)];
}

function withChildren(unit: Unit): Unit[] {
  return [unit, ...(unit.children ?? []).flatMap(withChildren)];
}
