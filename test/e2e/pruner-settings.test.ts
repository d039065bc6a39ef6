import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pruneArguments, rpcClient } from '../secateur/servers/pruner/running-pruner.ts';
import { json, startRerankStandIn } from '../support/rerank-stand-in.ts';
import { secateur, temporaryFolder } from '../support/secateur-cli.ts';
import { startSecateur } from '../support/secateur-process.ts';

async function backendIn(toml: string, env: Record<string, string>): Promise<string> {
  const cwd = temporaryFolder();
  await writeFile(join(cwd, 'config.toml'), toml);
  const server = await startSecateur(['pruner'], { cwd, env });
  const { result } = await rpcClient(`${server.url}/rpc`)('tools/call', {
    name: 'prune_text',
    arguments: pruneArguments,
  });
  await server.stop();
  return JSON.parse(result?.content?.[0]?.text ?? '').warnings.join();
}

const DEEPINFRA_WITHOUT_KEY = 'deepinfra_error,deepinfra_config_error';

const choosingDeepInfra = '[mcp_pruner]\nbackend = "deepinfra"';

it.each<[string, { toml: string; env: Record<string, string> }, string]>([
  ['the default is local', { toml: '', env: {} }, ''],
  ['TOML chooses', { toml: choosingDeepInfra, env: {} }, DEEPINFRA_WITHOUT_KEY],
  [
    'the environment wins over TOML',
    { toml: choosingDeepInfra, env: { KIMI_PRUNING_BACKEND: 'heuristic' } },
    '',
  ],
  ['cloud is an alias', { toml: '', env: { KIMI_PRUNING_BACKEND: 'cloud' } }, DEEPINFRA_WITHOUT_KEY],
  [
    'another value counts as absent',
    { toml: choosingDeepInfra, env: { KIMI_PRUNING_BACKEND: 'magic' } },
    DEEPINFRA_WITHOUT_KEY,
  ],
])('[P40] the pruner selects its backend: %s', async (_rule, { toml, env }, warnings) => {
  expect(await backendIn(toml, env)).toBe(warnings);
});

it.each([
  ['MCP_PRUNER_MAX_INPUT_CHARS', '-1'],
  ['MCP_PRUNER_PRUNE_ID_TTL_S', 'soon'],
  ['MCP_PRUNER_CACHE_TTL_S', '1.5'],
  ['MCP_PRUNER_CACHE_MAX_ITEMS', 'many'],
  ['MCP_PRUNER_CACHE_MAX_ENTRIES', 'many'],
  ['DEEPINFRA_ENDPOINT_URL', 'not a url'],
  ['DEEPINFRA_TIMEOUT_MS', '0'],
  ['DEEPINFRA_MAX_DOCS', 'all'],
])('[P40] %s=%s stops the start with an error that contains the variable', async (name, value) => {
  const { code, stderr } = await secateur(['pruner'], { env: { [name]: value } });
  expect(code).toBe(2);
  expect(stderr).toContain(name);
});

it('[P40] an invalid port in the environment stops the start with an error that contains the variable', async () => {
  const { code, stderr } = await secateur(['pruner'], { env: { MCP_PRUNER_PORT: 'eighty' } });
  expect(code).toBe(2);
  expect(stderr).toContain('MCP_PRUNER_PORT');
});

it('[P44] a DeepInfra key in config.toml stops the start, and the error does not contain the key', async () => {
  const cwd = temporaryFolder();
  await writeFile(join(cwd, 'config.toml'), '[mcp_pruner]\ndeepinfra_api_key = "sk-in-a-file"');
  const { code, stderr } = await secateur(['pruner'], { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain('DEEPINFRA_API_KEY');
  expect(stderr).not.toContain('sk-in-a-file');
});

it('[P44] the pruner never prints or returns its DeepInfra key', async () => {
  const service = await startRerankStandIn();
  const env = {
    KIMI_PRUNING_BACKEND: 'deepinfra',
    DEEPINFRA_API_KEY: 'sk-very-secret',
    DEEPINFRA_ENDPOINT_URL: service.url,
  };
  const server = await startSecateur(['pruner'], { env });
  const answers: unknown[] = [];
  for (const status of [200, 401, 500]) {
    service.answer(json(() => ({ error: `bad key ${env.DEEPINFRA_API_KEY}` }), status));
    answers.push(
      await rpcClient(`${server.url}/rpc`)('tools/call', { name: 'prune_text', arguments: pruneArguments }),
    );
  }
  await server.stop();
  await service.close();
  expect(service.calls).toHaveLength(3);
  expect(JSON.stringify(answers) + server.said()).not.toContain('sk-very-secret');
});
