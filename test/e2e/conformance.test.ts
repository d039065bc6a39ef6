import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveHttp } from '../../packages/serving/src/wire/http-host.ts';
import { conformanceServer } from '../support/conformance-tools.ts';
import { runTool } from '../support/run-tool.ts';
import { startSecateur } from '../support/secateur-process.ts';
import { describeWith } from '../support/system-parts.ts';

const baseline = fileURLToPath(new URL('../outside/conformance-baseline.yml', import.meta.url));

/**
 * Checks that a real server may fail: the suite calls them failed when a server lacks its diagnostic
 * tools. Take entries out here and in the baseline; never put one in.
 */
const CEILING = [
  'server-stateless:sep-2575-server-rejects-undeclared-capability',
  'server-stateless:sep-2575-missing-capability-http-400',
  'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
  'server-stateless:sep-2575-server-no-log-without-loglevel',
];

const generic = [
  ['2025-11-25', 'server-initialize'],
  ['2025-11-25', 'ping'],
  ['2025-11-25', 'tools-list'],
  ['2025-11-25', 'dns-rebinding-protection'],
  ['2026-07-28', 'server-stateless'],
  ['2026-07-28', 'tools-list'],
  ['2026-07-28', 'dns-rebinding-protection'],
] as const;

const withTools = ['2025-11-25', '2026-07-28'].flatMap((version) =>
  [
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-error',
    'tools-call-with-progress',
    'server-sse-multiple-streams',
  ].map((scenario) => [version, scenario] as const),
);

test('[W16] the list of expected failures of the conformance suite does not grow', () => {
  const entries = [...readFileSync(baseline, 'utf8').matchAll(/^ +- (\S+)/gm)].map(
    ([, entry]) => entry ?? '',
  );
  expect(entries.filter((entry) => !CEILING.includes(entry))).toEqual([]);
  expect(entries).toEqual(CEILING);
});

interface Served {
  readonly url: string;
  stop(): Promise<void>;
}

async function startFixture(): Promise<Served> {
  const { url, close } = await serveHttp({
    host: '127.0.0.1',
    port: 0,
    rpc: { server: conformanceServer, paths: ['/mcp'] },
  });
  return { url, stop: close };
}

const servers = [
  {
    name: 'our wire with the diagnostic tools',
    start: startFixture,
    scenarios: [...generic, ...withTools],
    expected: [],
  },
  {
    name: 'the pruner',
    start: () => startSecateur(['pruner']),
    scenarios: generic,
    expected: ['--expected-failures', baseline],
  },
  {
    name: 'the focus tools',
    start: () => startSecateur(['focus', '--root', '.']),
    scenarios: generic,
    expected: ['--expected-failures', baseline],
  },
];

describeWith(['node 22', 'mcp conformance'], 'the official conformance suite', (parts) => {
  describe.each(servers)('$name', ({ start, scenarios, expected }) => {
    let served: Served;
    beforeAll(async () => {
      served = await start();
    });
    afterAll(() => served.stop());

    test.concurrent.each(scenarios)(
      '[W16] [P6] conformance at %s: the server passes %s',
      async (version, scenario) => {
        const asked = [
          'server',
          '--url',
          `${served.url}/mcp`,
          '--scenario',
          scenario,
          '--spec-version',
          version,
          ...expected,
        ];
        const { code, stdout, stderr } = await runTool(parts['node 22'], [
          parts['mcp conformance'],
          ...asked,
        ]);
        // At least one check must run, because a skipped scenario proves nothing.
        expect(stdout + stderr).toMatch(/Passed: [1-9]/);
        expect(code, stdout + stderr).toBe(0);
      },
    );
  });
});
