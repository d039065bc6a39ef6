import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  answering,
  startGateway,
  startUpstream,
  type TestGateway,
  textOf,
} from '../../../support/gateway.ts';

const fixture = fileURLToPath(new URL('../../../fixtures/gateway/faulty-server.mjs', import.meta.url));

interface Faulty {
  readonly gateway: TestGateway;
  /** The process that runs now. */
  pid(): Promise<number>;
  /** Restarts the server as its operator would; the gateway restarts stdio servers itself. */
  startAgain(): Promise<void>;
}

type Kind = 'stdio' | 'json' | 'events';

async function startFaulty(kind: Kind): Promise<Faulty> {
  const fine = await startUpstream(answering({ content: [{ type: 'text', text: 'unhurt' }] }));
  const servers = { fine: { url: fine.url } };
  const settings = { timeoutMs: 5000, maxResponseBytes: 2_000_000 };
  if (kind === 'stdio') {
    const command = [process.execPath, fixture, 'stdio'];
    const gateway = await startGateway({ servers: { ...servers, faulty: { command } }, settings });
    const processes = async () => {
      const found = (await gateway.servers()).find(({ name }) => name === 'faulty');
      return found?.processes as { pid: number }[];
    };
    return { gateway, pid: async () => (await processes())[0]?.pid ?? 0, startAgain: async () => {} };
  }
  let running = await listening(kind, 0);
  const { port } = running;
  const url = `http://127.0.0.1:${port}/mcp`;
  const gateway = await startGateway({ servers: { ...servers, faulty: { url } }, settings });
  const startAgain = async () => {
    running = await listening(kind, port);
  };
  return { gateway, pid: async () => running.child.pid ?? 0, startAgain };
}

async function listening(kind: Kind, port: number): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, [fixture, kind, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [printed] = await once(child.stdout, 'data');
  return { child, port: Number(printed) };
}

const call = ({ gateway }: Faulty, name: string, server = 'faulty') =>
  gateway.call(server, 'tools/call', { name, arguments: {} });

async function circuitOf({ gateway }: Faulty): Promise<unknown> {
  return (await gateway.servers()).find(({ name }) => name === 'faulty')?.circuit;
}

describe.each(['stdio', 'json', 'events'] as const)('an upstream of the kind %s', (kind) => {
  it.each([
    ['is killed in the middle of its answer', 'die', -31002],
    ['is frozen', 'freeze', -31003],
    ['sends a response that is not JSON', 'lie', -31004],
  ])(
    '[X14] [X19] an upstream that %s causes one error and one failure, then works',
    async (_, fault, code) => {
      const faulty = await startFaulty(kind);
      expect(textOf(await call(faulty, 'speak'))).toBe('fine');
      const pid = await faulty.pid();
      const broken = call(faulty, fault);
      expect(textOf(await call(faulty, 'speak', 'fine'))).toBe('unhurt');
      expect((await broken).error?.code).toBe(code);
      expect(await circuitOf(faulty)).toEqual({ state: 'closed', failures: 1 });
      if (fault === 'freeze') process.kill(pid, 'SIGCONT');
      if (fault === 'die') await faulty.startAgain();
      expect(textOf(await call(faulty, 'speak'))).toBe('fine');
      expect(await circuitOf(faulty)).toEqual({ state: 'closed', failures: 0 });
    },
  );

  it('[X14] [X19] an upstream that sends too much causes one error with the limit and one failure; its next response is complete', async () => {
    const faulty = await startFaulty(kind);
    expect((await call(faulty, 'flood')).error).toMatchObject({
      code: -31007,
      data: { max_response_bytes: 2_000_000 },
    });
    expect(await circuitOf(faulty)).toEqual({ state: 'closed', failures: 1 });
    expect(textOf(await call(faulty, 'speak'))).toBe('fine');
  });
});
