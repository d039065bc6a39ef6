import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runningGateway, type TestGateway } from '../support/gateway.ts';
import { runTool } from '../support/run-tool.ts';
import { describeWith } from '../support/system-parts.ts';

const fixture = fileURLToPath(new URL('../fixtures/gateway/conformance-server.mjs', import.meta.url));

/**
 * Checks in which a stdio server behind the gateway differs from the same server's own HTTP face, and why
 * that is right: answers come as JSON unless there is news (streaming is optional), and the SDK checks
 * versions on HTTP only.
 */
const STDIO_DIFFERS = ['server-sse-multiple-streams', 'server-stateless'];

describeWith(
  ['node 22', 'mcp conformance'],
  'the official conformance suite through the gateway',
  (parts) => {
    let server: ChildProcess;
    let direct: string;
    let gateway: TestGateway;

    beforeAll(async () => {
      server = spawn(process.execPath, [fixture, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [line] = (await once(server.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
      direct = line.toString().trim();
      const command = [process.execPath, fixture, 'stdio'];
      gateway = await runningGateway({ servers: { http: { url: direct }, stdio: { command } } });
    });

    afterAll(async () => {
      await gateway.close();
      server.kill();
    });

    const suite = async (url: string, ...asked: string[]) => {
      const run = await runTool(parts['node 22'], [
        parts['mcp conformance'],
        'server',
        '--url',
        url,
        ...asked,
      ]);
      return run.stdout;
    };
    const perScenario = async (url: string, version: string) => {
      const lines = (await suite(url, '--requirements', version)).matchAll(/^([✓✗]) (\S+): (.*)$/gm);
      return new Map([...lines].map(([, , scenario = '', result = '']) => [scenario, result]));
    };
    const alone = async (url: string, scenario: string, version: string) =>
      /Passed: .*/.exec(await suite(url, '--scenario', scenario, '--spec-version', version))?.[0];

    describe.each(['2025-11-25', '2026-07-28'])('revision %s', (version) => {
      it.each(['http', 'stdio'])(
        '[G1] the gateway changes no conformance result, %s upstream',
        async (kind) => {
          const url = gateway.url(kind);
          const expected = await perScenario(direct, version);
          const through = await perScenario(url, version);
          // Some scenarios pass without a check if their tool is missing, so more than 30 checks must have
          // run.
          expect(expected.size).toBeGreaterThan(30);
          expect([...through.keys()]).toEqual([...expected.keys()]);
          for (const [scenario, result] of expected) {
            if (kind === 'stdio' && STDIO_DIFFERS.includes(scenario)) continue;
            if (through.get(scenario) === result) continue;
            // On a busy machine a scenario may time out on either side, so it is repeated alone.
            expect(await alone(url, scenario, version), scenario).toBe(
              await alone(direct, scenario, version),
            );
          }
        },
        180_000,
      );
    });
  },
);
