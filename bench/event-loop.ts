/**
 * Time that one call blocks the event loop of a server (X25: at most 200 ms), measured inside the server
 * between two ticks of a timer of 1 ms: CPU time of the main thread (Linux), which other programs on the
 * machine do not change, and wall time. The largest answers of the focus tools, the savings page over a full
 * ledger, hook events of very many texts. Needs `npm run build`. Run: npx tsx bench/event-loop.ts
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../test/support/eventually.ts';
import { type SecateurProcess, startSecateur } from '../test/support/secateur-process.ts';

const ROUNDS = 3;
const MAX_OUTPUT_BYTES = 10_485_760;
/** The default of `SECATEUR_LEDGER_MAX_BYTES`. */
const LEDGER_BYTES = 33_554_432;
const STRINGS = 1_000_000;

const folder = mkdtempSync(join(tmpdir(), 'secateur-bench-loop-'));
const probe = join(folder, 'probe.mjs');
writeFileSync(
  probe,
  `import { readFileSync } from 'node:fs';
const cpuMs = () => Number(readFileSync('/proc/self/task/' + process.pid + '/schedstat', 'latin1').split(' ')[0]) / 1e6;
let [cpu, wall] = [cpuMs(), performance.now()];
let held = { cpu: 0, wall: 0 };
setInterval(() => {
  const [cpuNow, wallNow] = [cpuMs(), performance.now()];
  held = { cpu: Math.max(held.cpu, cpuNow - cpu), wall: Math.max(held.wall, wallNow - wall) };
  [cpu, wall] = [cpuNow, wallNow];
}, 1).unref();
process.on('SIGUSR2', () => {
  process.stderr.write(\`held \${held.cpu.toFixed(0)} of \${held.wall.toFixed(0)} ms\\n\`);
  held = { cpu: 0, wall: 0 };
});`,
);
const env = {
  NODE_OPTIONS: `--import ${probe}`,
  SECATEUR_DATA_DIR: join(folder, 'data'),
  JEEVES_PRUNER_ENDPOINT: 'embedded',
  JEEVES_PRUNER_TIMEOUT_MS: '30000',
};
try {
  makeFiles();
  console.log(
    '| one call | held, processor time, worst of 3 | held, wall, least of 3 | answer |\n|---|--:|--:|--:|',
  );
  await measureFocus('text');
  await measureFocus('both');
  await measurePages();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureFocus(answer: string): Promise<void> {
  const server = await startSecateur(['focus', '--root', folder, '--answer', answer], { env, cwd: folder });
  const ask = { context_focus_question: 'Which line is not like the others?' };
  const calls = {
    'read, 10 MiB of 2-byte lines': ['read', { path: 'lines.txt' }],
    'read, the same with a question': ['read', { path: 'lines.txt', ...ask }],
    'bash, 10 MiB of 2-byte lines': ['bash', { cmd: 'cat lines.txt' }],
    'bash, the same with a question': ['bash', { cmd: 'cat lines.txt', ...ask }],
    'read, 10 MiB of control characters': ['read', { path: 'control.txt' }],
    'grep, 5,000 of 5,242,880 matches': ['grep', { pattern: 'x', paths: ['lines.txt'], max_matches: 5000 }],
  } as const;
  for (const [name, [tool, args]] of Object.entries(calls)) {
    const params = { name: tool, arguments: args };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    await measure(`${name}, answer \`${answer}\``, server, () => post(`${server.url}/mcp`, body));
  }
  await server.stop();
}

async function measurePages(): Promise<void> {
  const strings = Array.from({ length: STRINGS }, () => 'ab');
  const write = { hook_event_name: 'PreToolUse', tool_name: 'Write', tool_input: { content: strings } };
  const parts = Array.from({ length: STRINGS / 8 }, () => ({ type: 'text', text: 'a' }));
  const output = {
    hook_event_name: 'PostToolUse',
    tool_name: 'mcp__a__b',
    tool_input: {},
    tool_response: parts,
  };
  const [writeText, outputText] = [JSON.stringify(write), JSON.stringify(output)];
  for (let round = 0; round < ROUNDS; round += 1) {
    // A new server each time: the next look at the same ledger finds it summed.
    const server = await startSecateur(['pruner'], { env, cwd: folder });
    const page = () => get(`${server.url}/api/overview?span=all`);
    await measure(`savings page, ledger of 32 MiB, round ${round + 1}`, server, page, 1);
    if (round === ROUNDS - 1) {
      const hooks = `${server.url}/hooks/claude-code`;
      await measure('hook, 5 MB event with 1,000,000 strings', server, () => post(hooks, writeText));
      await measure('hook, 3.4 MB event with 125,000 texts', server, () => post(hooks, outputText));
    }
    await server.stop();
  }
}

/** The server's longest hold during each of several calls. */
async function measure(
  name: string,
  server: SecateurProcess,
  ...[call, rounds = ROUNDS]: [call: () => Promise<number>, rounds?: number]
): Promise<void> {
  const held: { cpu: number; wall: number }[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    await pause(200);
    await heldMs(server);
    bytes = await call();
    await pause(50);
    held.push(await heldMs(server));
  }
  const answer = `${(bytes / 1e6).toFixed(1)} MB`;
  const cpu = Math.max(...held.map((each) => each.cpu));
  const wall = Math.min(...held.map((each) => each.wall));
  console.log(`| ${name} [X25] | ${cpu} ms | ${wall} ms | ${answer} |`);
}

async function heldMs(server: SecateurProcess): Promise<{ cpu: number; wall: number }> {
  const reports = () => [...server.said().matchAll(/^held (\d+) of (\d+) ms$/gm)];
  const before = reports().length;
  process.kill(server.pid, 'SIGUSR2');
  const all = await eventually(async () => (reports().length > before ? reports() : undefined), 'the probe');
  const [, cpu, wall] = all.at(-1) ?? [];
  return { cpu: Number(cpu), wall: Number(wall) };
}

async function post(url: string, body: string): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return (await response.arrayBuffer()).byteLength;
}

async function get(url: string): Promise<number> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return (await response.arrayBuffer()).byteLength;
}

function makeFiles(): void {
  writeFileSync(join(folder, 'lines.txt'), 'x\n'.repeat(MAX_OUTPUT_BYTES / 2));
  // A NUL, or much else that is not text, near the start would make it a binary file.
  writeFileSync(
    join(folder, 'control.txt'),
    `${'a'.repeat(9000)}${'\u0001'.repeat(MAX_OUTPUT_BYTES - 9000)}`,
  );
  const savings = join(folder, 'data/savings');
  mkdirSync(savings, { recursive: true });
  for (let file = 0; file < 16; file += 1) {
    const day = new Date(Date.now() - (16 - file) * 86_400_000).toISOString().slice(0, 10);
    writeFileSync(join(savings, `savings-${day}-0000.jsonl`), ledgerText(day));
  }
}

function ledgerText(day: string): string {
  const entry = (index: number) => ({
    at: `${day}T${String(index % 24).padStart(2, '0')}:00:00.000Z`,
    ...{ kind: index % 12 === 11 ? 'recovered' : 'cut', system: 'gateway', server: `server-${index % 7}` },
    ...{
      client: `client-${index % 5}`,
      tool: `tool-${index % 31}`,
      pruneId: `prn_${Math.floor(index / 12)}`,
    },
    ...{ tokensBefore: 4000, tokensAfter: 1200, durationMs: index % 90 },
  });
  let text = '';
  for (let index = 0; text.length < LEDGER_BYTES / 16; index += 1)
    text += `\n${JSON.stringify(entry(index))}\n`;
  return text;
}
