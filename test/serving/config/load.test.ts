import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DomainError } from '../../../packages/base/src/runtime/domain-error.ts';
import { RULES } from '../../../packages/engine/src/reading/document.ts';
import {
  type ConfigSources,
  type FlagValues,
  loadConfig,
} from '../../../packages/serving/src/config/load.ts';
import { RULE_NAMES } from '../../../packages/serving/src/config/settings/pruner.ts';
import type { Environment } from '../../../packages/serving/src/config/values.ts';

it('[H4] flags override the environment, which overrides config.toml, which overrides defaults', () => {
  const toml = '[mcp_pruner]\nport = 1001\nhost = "::1"\n';
  const env = { MCP_PRUNER_PORT: '2002' };
  const flags = new Map([['pruner.port', { flag: 'port', text: '3003' }]]);
  expect(pruner({})).toMatchObject({ port: 8006, host: '127.0.0.1' });
  expect(pruner({ toml })).toMatchObject({ port: 1001, host: '::1' });
  expect(pruner({ toml, env })).toMatchObject({ port: 2002, host: '::1' });
  expect(pruner({ toml, env, flags })).toMatchObject({ port: 3003, host: '::1' });
});

it('[H4] the error of loadConfig lists each invalid variable with the expected value', () => {
  const error = failure({ env: { MCP_PRUNER_PORT: 'many', DEEPINFRA_MAX_DOCS: '0' } });
  expect(error.message).toBe(
    'MCP_PRUNER_PORT: expected an integer from 0 to 65535, got "many"\n' +
      'DEEPINFRA_MAX_DOCS: expected an integer from 1 up, got "0"',
  );
});

it('[H4] the error of loadConfig for an invalid value in config.toml contains the file and the path of the key', () => {
  const error = failure({ toml: '[mcp_pruner]\nport = "x"\n' });
  expect(error.message).toMatch(
    /^\/.*\/config\.toml mcp_pruner\.port: expected an integer from 0 to 65535, got "x"$/,
  );
});

it('[P58] disabled_rules accepts names of rules, and the error for an unknown rule lists all rules', () => {
  expect(RULE_NAMES).toEqual(RULES);
  const toml = '[mcp_pruner]\ndisabled_rules = ["progress", "shown-before"]\n';
  expect(pruner({ toml })).toMatchObject({
    disabledRules: ['progress', 'shown-before'],
    maxUnchangedChars: 16_000,
  });
  const env = { SECATEUR_DISABLED_RULES: 'progress, everything' };
  expect(failure({ env }).message).toMatch(
    /^SECATEUR_DISABLED_RULES: expected some of passed-tests, progress, /,
  );
});

it('[H4] loadConfig returns a frozen configuration', () => {
  const config = pruner({});
  expect(Object.isFrozen(config)).toBe(true);
});

it.each([
  ['MCP_PRUNER_HOST', 'host', { key: 'host', env: '::1', toml: '"127.0.0.1"' }],
  ['MCP_PRUNER_PORT', 'port', { key: 'port', env: '1', toml: '2' }],
  ['MCP_PRUNER_MAX_INPUT_CHARS', 'maxInputChars', { key: 'max_input_chars', env: '1', toml: '2' }],
  ['KIMI_PRUNING_BACKEND', 'backend', { key: 'backend', env: 'heuristic', toml: '"deepinfra"' }],
  ['MCP_PRUNER_CACHE_TTL_S', 'cacheTtlS', { key: 'cache_ttl_s', env: '1', toml: '2' }],
  ['MCP_PRUNER_CACHE_MAX_ITEMS', 'cacheMaxItems', { key: 'cache_max_entries', env: '1', toml: '2' }],
  ['MCP_PRUNER_CACHE_MAX_ENTRIES', 'cacheMaxItems', { key: 'cache_max_entries', env: '1', toml: '2' }],
  [
    'DEEPINFRA_ENDPOINT_URL',
    'deepinfraEndpointUrl',
    { key: 'deepinfra_endpoint_url', env: 'http://a/', toml: '"http://b/"' },
  ],
  ['DEEPINFRA_TIMEOUT_MS', 'deepinfraTimeoutMs', { key: 'deepinfra_timeout_ms', env: '1', toml: '2' }],
  ['DEEPINFRA_MAX_DOCS', 'deepinfraMaxDocs', { key: 'deepinfra_max_docs', env: '1', toml: '2' }],
] as const)('[P40] %s overrides config.toml, and config.toml overrides the default', (name, id, given) => {
  const toml = `[mcp_pruner]\n${given.key} = ${given.toml}\n`;
  expect(String(pruner({ toml })[id])).toBe(String(JSON.parse(given.toml)));
  expect(String(pruner({ toml, env: { [name]: given.env } })[id])).toBe(given.env);
});

it('[P40] loadConfig reads the file of --config instead of config.toml', () => {
  const given = sources({ toml: '[mcp_pruner]\nport = 1\n' });
  writeFileSync(join(given.origin.cwd, 'other.toml'), '[mcp_pruner]\nhost = "::1"\n');
  const { config } = loadConfig(['pruner'], { ...given, configPath: 'other.toml' });
  expect(config.pruner).toMatchObject({ host: '::1', port: 8006 });
});

it('[P40] loadConfig reads the time to live of ids from MCP_PRUNER_PRUNE_ID_TTL_S', () => {
  const { config } = loadConfig(['recovery'], sources({ env: { MCP_PRUNER_PRUNE_ID_TTL_S: '7' } }));
  expect(config.recovery.ttlS).toBe(7);
});

it('loadConfig reads an earlier name of a variable, prefers the current name, and treats an empty variable as unset', () => {
  expect(pruner({ env: { MCP_PRUNER_CACHE_MAX_ENTRIES: '7' } }).cacheMaxItems).toBe(7);
  expect(
    pruner({ env: { MCP_PRUNER_CACHE_MAX_ENTRIES: '7', MCP_PRUNER_CACHE_MAX_ITEMS: '8' } }).cacheMaxItems,
  ).toBe(8);
  expect(pruner({ env: { MCP_PRUNER_PORT: '' } }).port).toBe(8006);
});

it('loadConfig refuses a secret in config.toml, even if the variable is set, and never shows the secret', () => {
  const error = failure({
    toml: '[mcp_pruner]\ndeepinfra_api_key = "sk-secret"\n',
    env: { DEEPINFRA_API_KEY: 'sk-other' },
  });
  expect(error.message).toContain('config.toml mcp_pruner.deepinfra_api_key');
  expect(error.message).toContain('DEEPINFRA_API_KEY');
  expect(error.message).not.toContain('sk-');
});

it('loadConfig ignores and reports an unknown backend in the environment, and uses the backend of config.toml', () => {
  const loaded = load({ toml: '[mcp_pruner]\nbackend = "cloud"\n', env: { KIMI_PRUNING_BACKEND: 'gpu' } });
  expect(loaded.config.pruner.backend).toBe('deepinfra');
  expect(loaded.warnings).toEqual([
    'KIMI_PRUNING_BACKEND: expected one of heuristic, deepinfra, cloud; ignored',
  ]);
});

it('the error of loadConfig for an invalid focus setting has the code of the contract', () => {
  const cases = {
    JEEVES_MCP_PRUNER_HOST: ['0.0.0.0', 'invalid_host'],
    JEEVES_MCP_PRUNER_PORT: ['65536', 'invalid_port'],
    JEEVES_MCP_PRUNER_ROOT_DIR: ['/no/such/place', 'invalid_root_dir'],
    JEEVES_PRUNER_ENDPOINT: ['ftp://x', 'invalid_pruner_endpoint'],
    JEEVES_PRUNER_TIMEOUT_MS: ['99', 'invalid_timeout_ms'],
    JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES: ['1023', 'invalid_max_prune_input_bytes'],
  };
  for (const [name, [value, code]] of Object.entries(cases)) {
    const error = caught(() => loadConfig(['focus'], sources({ env: { [name]: value } })));
    expect(error.code).toBe(code);
    expect(error.message).toContain(name);
  }
});

it('loadConfig treats an unknown value of JEEVES_MCP_PRUNER_ENABLED as false, with a warning', () => {
  const { config, warnings } = loadConfig(
    ['focus'],
    sources({ env: { JEEVES_MCP_PRUNER_ENABLED: 'perhaps' } }),
  );
  expect(config.focus.enabled).toBe(false);
  expect(warnings).toHaveLength(1);
});

it('config.toml can set limits for single tools of an upstream server', () => {
  const toml = `
[mcp_gateway.servers.files]
url = "http://127.0.0.1:9000/mcp"
[mcp_gateway.servers.files.tools.read_file]
max_chars = 20000
prune_before_mask = true
[mcp_gateway.servers.files.tools."a.b"]
max_chars = 0
`;
  const { servers } = loadConfig(['gateway'], sources({ toml })).config.gateway;
  expect(servers.files?.tools?.each).toEqual({
    read_file: { maxChars: 20_000, pruneBeforeMask: true },
    'a.b': { maxChars: 0 },
  });
});

it('[T8] config.toml can list the allowed tools of an upstream server, and settings of a tool called "allow"', () => {
  const toml = `
[mcp_gateway.servers.files]
url = "http://127.0.0.1:9000/mcp"
tools = { allow = ["read_*"], deny = ["read_secret"], max_description_chars = 200 }
[mcp_gateway.servers.other]
url = "http://127.0.0.1:9001/mcp"
[mcp_gateway.servers.other.tools.allow]
description = "lets somebody in"
`;
  const { servers } = loadConfig(['gateway'], sources({ toml })).config.gateway;
  expect(servers.files?.tools).toEqual({
    allow: ['read_*'],
    deny: ['read_secret'],
    maxDescriptionChars: 200,
    each: {},
  });
  expect(servers.other?.tools).toEqual({ each: { allow: { description: 'lets somebody in' } } });
});

it('upstream servers in config.toml are added to the defaults, change them by name, or remove them with enabled = false', () => {
  const toml = `
[mcp_gateway.servers.files]
command = ["npx", "server-filesystem", "."]
timeout_ms = 60000
[mcp_gateway.servers.pruner]
max_chars = 100
[mcp_gateway.servers.json-query]
enabled = false
`;
  const { servers } = loadConfig(['gateway'], sources({ toml })).config.gateway;
  expect(servers.files).toEqual({ command: ['npx', 'server-filesystem', '.'], timeoutMs: 60_000 });
  expect(servers.pruner).toEqual({ url: 'http://127.0.0.1:8006/rpc', maxChars: 100 });
  expect(Object.keys(servers)).not.toContain('json-query');
});

it('the error for an invalid upstream table contains its name and the reason', () => {
  const messageFor = (toml: string) => caught(() => loadConfig(['gateway'], sources({ toml }))).message;
  const tools = '[mcp_gateway.servers.x]\nurl = "http://x"\n[mcp_gateway.servers.x.tools.read]\n';
  expect(messageFor(`${tools}max_chars = "many"`)).toContain(
    'x: tools: read: max_chars: expected an integer',
  );
  expect(messageFor(`${tools}timeout_ms = 1`)).toContain('x: tools: read: unknown key timeout_ms');
  expect(messageFor('[mcp_gateway.servers.x]\n')).toContain('x: neither url nor command is given');
  expect(messageFor('[mcp_gateway.servers.x]\nurl = "nope"\n')).toContain('x: url: expected an absolute URL');
  expect(messageFor('[mcp_gateway.servers.x]\nuri = "http://x"\n')).toContain('x: unknown key uri');
});

it('loadConfig throws if the file of --config is missing or is not valid TOML', () => {
  expect(caught(() => loadConfig([], { ...sources({}), configPath: 'none.toml' })).message).toContain(
    'it does not exist',
  );
  expect(failure({ toml: '[mcp_pruner\n' }).message).toContain('expected TOML');
});

it('loadConfig ignores an unknown key or table with a warning', () => {
  const { warnings } = load({ toml: '[mcp_pruner]\nprot = 1\ncache_max_items = 3\n[models]\nname = "x"\n' });
  expect(warnings).toEqual([
    expect.stringMatching(
      /\/config\.toml mcp_pruner\.prot: there is no such setting; ignored; did you mean mcp_pruner\.port\?$/,
    ),
    expect.stringMatching(/\/config\.toml \[models\]: there is no such table; ignored$/),
  ]);
});

it('loadConfig suggests the correct name for a misspelled table in a file that the user chose', () => {
  const given = sources({ toml: '[mcp_prunner]\nport = 1\n[pruner]\nport = 1\n[mcp_servers.x]\n' });
  const { warnings } = loadConfig(['pruner'], { ...given, configPath: 'config.toml' });
  expect(warnings).toEqual([
    expect.stringMatching(
      /\/config\.toml \[mcp_prunner\]: there is no such table; ignored; did you mean \[mcp_pruner\]\?$/,
    ),
  ]);
});

it('a default of a command replaces the default of the setting; all other sources replace both', () => {
  const defaults = { recovery: { store: 'embedded' as const } };
  const plain = loadConfig(['recovery'], { ...sources({}), defaults });
  const set = loadConfig(['recovery'], { ...sources({ env: { SECATEUR_STORE: 'redis' } }), defaults });
  expect(plain.config.recovery.store).toBe('embedded');
  expect(set.config.recovery.store).toBe('redis');
});

interface Given {
  toml?: string;
  env?: Environment;
  flags?: FlagValues;
}

function sources({ toml, env = {}, flags = new Map() }: Given): ConfigSources {
  const cwd = mkdtempSync(join(tmpdir(), 'secateur-config-'));
  if (toml !== undefined) writeFileSync(join(cwd, 'config.toml'), toml);
  return {
    origin: { env, cwd, platform: 'linux', homeDir: '/home/someone' },
    flags,
    readsWorkingDirectory: true,
  };
}

function load(given: Given) {
  return loadConfig(['pruner'], sources(given));
}

function pruner(given: Given) {
  return load(given).config.pruner;
}

function failure(given: Given): DomainError {
  return caught(() => load(given));
}

function caught(action: () => unknown): DomainError {
  try {
    action();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}
