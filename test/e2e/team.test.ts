import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../support/redis.ts';
import { runTool } from '../support/run-tool.ts';
import { secateur, temporaryFolder } from '../support/secateur-cli.ts';
import { secateurProgram } from '../support/secateur-process.ts';
import { describeWith } from '../support/system-parts.ts';

const example = fileURLToPath(new URL('../../examples/team', import.meta.url));

interface Team {
  readonly url: string;
  readonly dataDir: string;
  /** Ends one of the programs; the example starts it again. */
  signal(name: string, signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<number | null>;
  /** Returns which of its programs still run. */
  running(): string[];
}

async function startTeam(): Promise<Team> {
  const dataDir = temporaryFolder();
  const ports = await Promise.all(Array.from({ length: 5 }, () => freePort()));
  const [team, redis, one, two, three] = ports.map(String);
  const child = spawn(join(example, 'start.sh'), [], {
    env: {
      PATH: process.env.PATH,
      HOME: dataDir,
      SECATEUR: `${process.execPath} ${secateurProgram}`,
      TEAM_DIR: dataDir,
      TEAM_PORT: team,
      REDIS_PORT: redis,
      ...{ PORT_1: one, PORT_2: two, PORT_3: three },
    },
    stdio: 'ignore',
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  onTestFinished(async () => void (await stop()));
  const url = `http://127.0.0.1:${team}`;
  const isUp = () =>
    fetch(`${url}/ready`).then(
      (answer) => answer.status,
      () => 0,
    );
  await expect.poll(isUp, { timeout: 50_000 }).toBe(200);
  const pidOf = (name: string) => Number(readFileSync(join(dataDir, `${name}.pid`), 'utf8'));
  return {
    url,
    dataDir,
    stop,
    running: () => PROGRAMS.filter((name) => isRunning(pidOf(name))),
    signal: async (name, signal) => {
      const before = pidOf(name);
      process.kill(before, signal);
      await expect.poll(() => pidOf(name), { timeout: 30_000 }).not.toBe(before);
    },
  };
}

const PROGRAMS = ['redis', 'one', 'two', 'three', 'haproxy'];

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const OPTIONS = {
  max_prune_ratio: 0.9,
  min_keep_lines: 1,
  timeout_ms: 8000,
  annotate_lines: false,
  include_markers: true,
};

interface Tally {
  calls: number;
  failed: string[];
  /** Calls that failed while a process was killed by SIGKILL. Only calls in progress may fail. */
  inFlight: number;
}

interface Pruned {
  readonly prune_id: string;
  readonly pruned_text: string;
  readonly warnings: string[];
}

/** Cuts texts of one user and recovers lines of these texts, repeatedly. */
async function use(
  team: Team,
  user: { name: string; token: string },
  state: { running: boolean; killing: boolean; tally: Tally },
) {
  const held: { id: string; first: string }[] = [];
  for (let turn = 0; state.running; turn += 1) {
    const first = `${user.name} line 1 of turn ${turn}`;
    const text = [first, ...Array.from({ length: 80 }, (_, at) => `${user.name} ${turn} hay ${at}`)].join(
      '\n',
    );
    const cut = await call(team, user.token, {
      name: 'prune_text',
      text,
      goal_hint: 'hay 40',
      source_type: 'logs',
      options: OPTIONS,
    });
    const outcome = note(state, cut.failure);
    if (outcome) {
      const { prune_id, pruned_text, warnings } = JSON.parse(cut.text) as Pruned;
      // The result contains only lines of this call.
      const isOwn = (line: string) =>
        line === first || line.startsWith(`${user.name} ${turn} hay `) || line.startsWith('⟦PRUNÉ');
      expect(pruned_text.split('\n').filter((line) => !isOwn(line))).toEqual([]);
      // While Redis is down, texts are returned unchanged, so they need not be recovered.
      if (!warnings.includes('recovery_unavailable')) held.push({ id: prune_id, first });
    }
    const asked = held[turn % Math.max(1, held.length)];
    if (asked === undefined) continue;
    const ranges = [{ start_line: 1, end_line: 1 }];
    const back = await call(team, user.token, {
      name: 'recover_text',
      prune_id: asked.id,
      ranges,
      include_line_numbers: false,
    });
    if (note(state, back.failure))
      expect((JSON.parse(back.text) as { raw_text: string }).raw_text).toBe(asked.first);
  }
}

function note({ killing, tally }: { killing: boolean; tally: Tally }, failure: string | undefined): boolean {
  tally.calls += 1;
  if (failure === undefined) return true;
  if (killing) tally.inFlight += 1;
  else tally.failed.push(failure);
  return false;
}

async function call(
  { url }: Team,
  token: string,
  { name, ...args }: { readonly name: string; readonly [argument: string]: unknown },
): Promise<{ text: string; failure?: string }> {
  try {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      }),
    });
    const answer = (await response.json()) as { result?: { content: { text: string }[] }; error?: object };
    if (answer.result === undefined)
      return { text: '', failure: `${name}: ${response.status} ${JSON.stringify(answer.error)}` };
    return { text: answer.result.content[0]?.text ?? '' };
  } catch (error) {
    return { text: '', failure: `${name}: ${String(error)}` };
  }
}

/** Duration of the whole load; `SECATEUR_TEAM_SECONDS=60` for the figures of docs/team.md. */
const SECONDS = Number(process.env.SECATEUR_TEAM_SECONDS ?? 12);

describeWith(['redis-server', 'haproxy'], 'several processes behind one proxy', () => {
  it('[T13] [T10] restarting and killing one process at a time loses only running calls, and every prune id stays valid', {
    timeout: 180_000,
  }, async ({ annotate }) => {
    const team = await startTeam();
    const names = ['alice', 'bob', 'carol'];
    const tokens: string[] = [];
    for (const name of names)
      tokens.push((await secateur(['token', 'add', name], { dataDir: team.dataDir })).stdout.trim());
    await setTimeout(2500);
    const state = { running: true, killing: false, tally: { calls: 0, failed: [] as string[], inFlight: 0 } };
    const users = names.map((name, index) => use(team, { name, token: tokens[index] ?? '' }, state));
    const pause = () => setTimeout((SECONDS * 1000) / 6);
    await pause();
    await team.signal('one', 'SIGTERM');
    await pause();
    state.killing = true;
    await team.signal('two', 'SIGKILL');
    await setTimeout(500);
    state.killing = false;
    await pause();
    await team.signal('redis', 'SIGTERM');
    await pause();
    await team.signal('three', 'SIGTERM');
    await pause();
    state.running = false;
    await Promise.all(users);
    const { calls, inFlight, failed } = state.tally;
    await annotate(`${SECONDS} s: ${calls} calls, ${inFlight} in flight at a kill, ${failed.length} failed`);
    expect(failed).toEqual([]);
    expect(calls).toBeGreaterThan(20);
    expect(inFlight).toBeLessThanOrEqual(names.length);
    expect(team.running()).toEqual(PROGRAMS);
    expect(await team.stop()).toBe(0);
    expect(team.running()).toEqual([]);
  });
});

describeWith(['systemd-analyze'], 'systemd units of the team example', () => {
  it('[T13] systemd accepts the units of the team example', async () => {
    const units = ['secateur@.service', 'secateur-haproxy.service'].map((name) =>
      join(example, 'systemd', name),
    );
    expect((await runTool('systemd-analyze', ['verify', ...units])).stderr).toBe('');
  });
});
