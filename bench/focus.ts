/**
 * The focus tools against what they wrap, on a generated tree of 5,000 files: `grep` against bare ripgrep, `read`
 * against fs.readFile, `bash` against a bare spawn; and the memory of a server whose command prints 1 GB.
 * Needs `npm run build`. Run: npx tsx bench/focus.ts
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { rgPath } from '@vscode/ripgrep';
import { readFileInside } from '../packages/serving/src/workspace/files-in-root.ts';
import { openRoot } from '../packages/serving/src/workspace/root.ts';

const FILES = 5_000;
const ROUNDS = 25;
const SERVER = fileURLToPath(new URL('../packages/secateur/dist/main/jeeves-mcp-pruner.js', import.meta.url));

const root = await mkdtemp(join(tmpdir(), 'secateur-bench-'));
const server = spawn(process.execPath, [SERVER, '--root', root], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, HOME: root, SECATEUR_DATA_DIR: join(root, '..', 'secateur-bench-data') },
});
try {
  const bytes = await makeTree();
  const url = await readyUrl();
  console.log(`${FILES} files, ${(bytes / 2 ** 20).toFixed(0)} MiB; medians of ${ROUNDS} rounds in ms\n`);
  await compareGrep(url);
  await compareRead(url);
  await compareBash(url);
  await measureMemory(url);
} finally {
  server.kill();
  await rm(root, { recursive: true, force: true });
}

async function compareGrep(url: string): Promise<void> {
  const searches = [
    { name: 'grep, 1 match', pattern: 'needle_in_4711' },
    { name: 'grep, 5,000 matches, 500 shown', pattern: 'export function first' },
    { name: 'grep, 150,000 matches, 500 shown', pattern: 'return' },
  ];
  for (const { name, pattern } of searches) {
    const flags = ['--no-config', '--hidden', '--glob=!.git', '-n', '-e', pattern, '.'];
    await compare(name, {
      ours: () => call(url, 'grep', { pattern, paths: ['.'] }),
      'bare ripgrep': () => drain(rgPath, flags),
      'ripgrep --sort path': () => drain(rgPath, ['--sort=path', ...flags]),
    });
  }
}

async function compareRead(url: string): Promise<void> {
  const workspace = await openRoot(root);
  const files = { 'a 3 KiB file': 'd0/f0.ts', 'a 1 MiB file': 'large.txt' };
  for (const [name, path] of Object.entries(files)) {
    await compare(`read inside the server, ${name}`, {
      ours: () => readFileInside(workspace, path, { maxBytes: 10_485_760 }),
      'fs.readFile': () => readFile(join(root, path), 'utf8'),
    });
    await compare(`read over HTTP, ${name}`, {
      ours: () => call(url, 'read', { path }),
      'fs.readFile': () => readFile(join(root, path), 'utf8'),
      'a ping of the same server': () => rpc(url, 'ping', {}),
    });
  }
}

async function compareBash(url: string): Promise<void> {
  await compare('bash, echo', {
    ours: () => call(url, 'bash', { cmd: 'echo hello' }),
    'bare bash -lc': () => drain('bash', ['-lc', 'echo hello']),
  });
}

async function measureMemory(url: string): Promise<void> {
  const before = await peakMiB();
  const cmd = "yes 'a line of a log that nobody will ever read, one of very many' | head -c 1000000000";
  const started = performance.now();
  await call(url, 'bash', { cmd, timeout_ms: 300_000 });
  const took = performance.now() - started;
  const bare = performance.now();
  await drain('bash', ['-lc', cmd]);
  const bareTook = performance.now() - bare;
  const after = await peakMiB();
  console.log(
    `bash, 1 GB of output: peak memory of the server ${after} MiB (${before} MiB before), ratio ${(after / before).toFixed(2)}`,
  );
  console.log(
    `  ${took.toFixed(0)} ms, ${(took / bareTook).toFixed(2)} × a bare spawn that throws the output away (${bareTook.toFixed(0)} ms)`,
  );
}

type Work = () => Promise<unknown>;

/** The contestants take turns, so that a busy machine disturbs all of them alike. */
async function compare(name: string, contestants: { ours: Work; [baseline: string]: Work }): Promise<void> {
  const times = new Map(Object.keys(contestants).map((each) => [each, [] as number[]]));
  for (let round = -3; round < ROUNDS; round += 1) {
    for (const [each, work] of Object.entries(contestants)) {
      const started = performance.now();
      await work();
      if (round >= 0) times.get(each)?.push(performance.now() - started);
    }
  }
  const [ours = 0, ...baselines] = [...times.values()].map(median);
  console.log(`${name}: ${ours.toFixed(2)} ms`);
  for (const [index, theirs] of baselines.entries()) {
    const baseline = Object.keys(contestants)[index + 1];
    console.log(`  ${(ours / theirs).toFixed(2)} × ${baseline} (${theirs.toFixed(2)} ms)`);
  }
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function call(url: string, name: string, args: unknown): Promise<void> {
  await rpc(url, 'tools/call', { name, arguments: args });
}

async function rpc(url: string, method: string, params: unknown): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const answer = (await response.json()) as { error?: unknown; result?: { isError?: boolean } };
  if (answer.error !== undefined || answer.result?.isError === true)
    throw new Error(JSON.stringify(answer).slice(0, 500));
}

async function drain(file: string, args: readonly string[]): Promise<void> {
  const child = spawn(file, args, {
    cwd: root,
    env: { ...process.env, HOME: root },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child.stdout.resume();
  await once(child, 'close');
}

async function readyUrl(): Promise<string> {
  for await (const line of createInterface({ input: server.stdout })) {
    const { event, data } = JSON.parse(line);
    if (event !== 'mcp_pruner.ready') continue;
    server.stdout.resume();
    return `http://${data.host}:${data.port}`;
  }
  throw new Error('the server ended');
}

async function peakMiB(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

async function makeTree(): Promise<number> {
  let bytes = 0;
  for (let file = 0; file < FILES; file += 1) {
    const folder = join(root, `d${file % 50}`);
    if (file < 50) await mkdir(folder);
    const text = fileText(file);
    bytes += text.length;
    await writeFile(join(folder, `f${file}.ts`), text);
  }
  await writeFile(join(root, 'large.txt'), 'sixteen bytes..\n'.repeat(65_536));
  return bytes;
}

function fileText(file: number): string {
  const body = Array.from({ length: 30 }, (_, index) => {
    return `  if (input.kind === 'case_${index}') {\n    return transform(input, { step: ${file * index}, limit: ${index} });\n  }\n`;
  });
  return `// needle_in_${file}\nexport function first${file}(input: Input) {\n${body.join('')}}\n`;
}
