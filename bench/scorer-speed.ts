/**
 * Cost of scoring on one core: CPU time per 1,000 lines for each tier beside the lexical scorer, from 1,000
 * to 50,000 lines; and texts made to be slow beside an ordinary one of as many characters.
 *
 *   npm run bench:scorer-speed
 */

import { type Deadline, noDeadline } from '../packages/base/src/runtime/time.ts';
import { scoreLexically } from '../packages/engine/src/ranking/lexical-scorer.ts';
import { createLocalScorer } from '../packages/engine/src/ranking/local-scorer.ts';

const ROUNDS = 5;
const goal =
  'Sessions expire too early: SessionStore.refresh() ignores the configured ttl and uses the default timeout';
const scorer = createLocalScorer();
// A server has scored before: the compiler's own work must not count for the first row alone.
for (let round = 0; round < 20; round += 1) scorer(request(sourceCode(2000), noDeadline));

console.log('| lines | lexical ms / 1,000 | full ms / 1,000 | default time limit: tier, ms in all |');
console.log('|---|---|---|---|');
for (const lines of [1000, 2000, 5000, 10_000, 20_000, 50_000]) {
  const text = sourceCode(lines);
  const perThousand = (ms: number) => ((ms / lines) * 1000).toFixed(1);
  const lexical = cost(() => scoreLexically(request(text, noDeadline)));
  const full = cost(() => scorer(request(text, noDeadline)));
  const limited = request(text, fixedDeadline(0.7 * 1500));
  const { tier } = scorer(limited);
  const whole = cost(() => scorer(limited));
  console.log(`| ${lines} | ${perThousand(lexical)} | ${perThousand(full)} | ${tier}, ${whole.toFixed(0)} |`);
}

const CHARACTERS = 2_000_000;
const ordinary = linesOf(CHARACTERS, sourceCode(60_000));
const nasty: Record<string, string[]> = {
  'ordinary source code': ordinary,
  'one line': ['x'.repeat(CHARACTERS)],
  '100,000 blank lines': Array.from({ length: 100_000 }, () => ''),
  'deep indentation': linesOf(
    CHARACTERS,
    Array.from({ length: 20_000 }, (_, line) => `${' '.repeat(line % 2000)}x`),
  ),
  '10,000 identifiers a line': linesOf(
    CHARACTERS,
    Array.from({ length: 25 }, (_, line) => identifiers(10_000, line)),
  ),
  'every line the goal': linesOf(
    CHARACTERS,
    Array.from({ length: 20_000 }, () => goal),
  ),
};
console.log('\n| text of 2,000,000 characters at most | tier | ms | ns a character | against ordinary |');
console.log('|---|---|---|---|---|');
const usual = cost(() => scorer(request(ordinary, fixedDeadline(1050)))) / CHARACTERS;
for (const [name, lines] of Object.entries(nasty)) {
  const characters = lines.reduce((sum, line) => sum + line.length + 1, 0);
  const call = request(lines, fixedDeadline(1050));
  const { tier } = scorer(call);
  const ms = cost(() => scorer(call));
  const each = ms / characters;
  console.log(
    `| ${name} | ${tier} | ${ms.toFixed(0)} | ${(each * 1e6).toFixed(0)} | ${(each / usual).toFixed(2)} × |`,
  );
}

function request(lines: readonly string[], deadline: Deadline) {
  return { lines, focus: { question: goal }, sourceType: 'code' as const, deadline };
}

/** The remaining time is constant: the tier depends on the text's size alone. */
function fixedDeadline(remainingMs: number): Deadline {
  return { remainingMs: () => remainingMs, passed: () => false };
}

/** The least processor time of several rounds, in milliseconds; the machine may be busy with other things. */
function cost(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  work();
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

function sourceCode(total: number): string[] {
  const lines: string[] = [];
  for (let block = 0; lines.length < total; block += 1) {
    lines.push(
      `/** Handles part ${block} of the request. */`,
      `export function handlePart${block}(input: Part${block % 50}, store: SessionStore): Result {`,
      `  const session = store.find(input.id_${block % 97});`,
      `  if (session === undefined) return { kind: 'missing', id: input.id_${block % 97} };`,
      `  const limit = Math.min(session.limit, DEFAULT_LIMIT_${block % 13});`,
      `  for (const entry of session.entries.slice(0, limit)) visit${block % 31}(entry);`,
      `  return { kind: 'done', count: limit };`,
      '}',
      '',
    );
  }
  return lines.slice(0, total);
}

function identifiers(count: number, line: number): string {
  return Array.from({ length: count }, (_, at) => `name${line}x${at}`).join(' ');
}

function linesOf(characters: number, lines: readonly string[]): string[] {
  const kept: string[] = [];
  let room = characters;
  for (const line of lines) {
    if (line.length + 1 > room) break;
    kept.push(line);
    room -= line.length + 1;
  }
  return kept;
}
