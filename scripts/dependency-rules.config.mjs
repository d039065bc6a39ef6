/**
 * Import rules between the parts of the repository (ARCHITECTURE.md). The files directly in a module's folder
 * are its public API; its sub-folders are private. Each rule has an example that breaks it in
 * test/house/dependency-rules.test.ts.
 */

const source = (path) => `^packages/${path}`;
const BASE = source('base/src/');
const TEXT_AND_RUNTIME = source('base/src/(text|runtime)/');
const ENGINE_FILES = source('engine/src/[^/]+[.]ts$');
const ANY_PACKAGE = '^packages/[^/]+/src/';

/** The only files that open connections to other machines, and the module that listens. */
const NETWORK = [
  source('serving/src/wire/'),
  source('base/src/runtime/probe-health[.]ts$'),
  source('secateur/src/cli/commands/doctor[.]ts$'),
  source('engine/src/ranking/deepinfra'),
  source('secateur/src/servers/gateway/'),
  // Asks whether a text is an IP address.
  source('serving/src/config/values[.]ts$'),
  // Reads a pipe, which node calls a socket.
  source('serving/src/workspace/output-pipes[.]ts$'),
];

/** Files in `from` may import from our packages only `allowed` and each other. */
function only(name, from, allowed) {
  return {
    name,
    severity: 'error',
    from: { path: from },
    to: { path: ANY_PACKAGE, pathNot: [from, ...allowed] },
  };
}

/** A package of others, or a module of Node, that only `users` may import. */
function onlyFor(name, modules, users) {
  return {
    name,
    severity: 'error',
    from: { path: ANY_PACKAGE, pathNot: users },
    to: { path: modules.map((each) => `(^|node_modules/)${each}(/|$)`), dependencyTypesNot: ['local'] },
  };
}

const SECATEUR = source('secateur/src/');
const REVERSE_SPEC = source('reverse-spec/src/');
const ENGINE = source('engine/src/');
const SERVING = source('serving/src/');

const forbidden = [
  only('base-imports-no-package', BASE, []),
  only('engine-imports-base', ENGINE, [BASE]),
  only('serving-imports-base', SERVING, [BASE]),
  only('secateur-imports-engine-and-serving', SECATEUR, [BASE, ENGINE, SERVING]),
  only('reverse-spec-imports-serving', REVERSE_SPEC, [BASE, SERVING]),

  only('text-and-runtime-import-nothing', TEXT_AND_RUNTIME, []),
  only('redaction-imports-text-and-runtime', source('base/src/redaction/'), [TEXT_AND_RUNTIME]),
  only('languages-import-text-and-runtime', source('base/src/languages/'), [TEXT_AND_RUNTIME]),
  only('tools-import-text-and-runtime', source('base/src/tools/'), [TEXT_AND_RUNTIME]),

  only('recovery-stands-alone', source('engine/src/recovery/'), [BASE]),
  only('reading-imports-base', source('engine/src/reading/'), [BASE, ENGINE_FILES]),
  only('policy-imports-reading', source('engine/src/policy/'), [
    BASE,
    ENGINE_FILES,
    source('engine/src/reading/'),
  ]),
  only('ranking-imports-reading', source('engine/src/ranking/'), [
    BASE,
    ENGINE_FILES,
    source('engine/src/reading/'),
  ]),
  only('cutting-imports-ranking-and-policy', source('engine/src/cutting/'), [
    BASE,
    ENGINE_FILES,
    source('engine/src/(ranking|policy|reading)/'),
  ]),

  only('wire-imports-base', source('serving/src/wire/'), [BASE]),
  only('config-imports-base', source('serving/src/config/'), [BASE]),
  only('workspace-imports-base', source('serving/src/workspace/'), [BASE]),

  only('masking-imports-base', source('secateur/src/masking/'), [BASE]),
  only('savings-import-base', source('secateur/src/savings/'), [BASE]),
  only('replay-imports-engine', source('secateur/src/replay/'), [BASE, ENGINE]),
  only('servers-below-cli', source('secateur/src/servers/'), [
    BASE,
    ENGINE,
    source('serving/src/(config|wire|workspace)/'),
    source('secateur/src/(masking|savings|replay)/'),
  ]),
  only('runner-below-cli', source('secateur/src/runner/'), [BASE, source('serving/src/config/')]),
  // Adapters import the code they share with hooks; they do not copy it.
  only('adapters-below-cli', source('secateur/src/adapters/'), [
    BASE,
    ENGINE,
    source('serving/src/wire/[^/]+[.]ts$'),
    source('secateur/src/servers/hooks/[^/]+[.]ts$'),
  ]),
  only('main-starts-commands', source('(secateur|reverse-spec)/src/main/'), [
    source('(secateur|reverse-spec)/src/cli/[^/]+[.]ts$'),
    source('serving/src/commands/(main|start)[.]ts$'),
  ]),

  only('syntax-imports-base', source('reverse-spec/src/syntax/'), [BASE]),
  only('spec-imports-syntax', source('reverse-spec/src/spec/'), [
    BASE,
    source('serving/src/workspace/'),
    source('reverse-spec/src/syntax/'),
  ]),
  only('server-imports-spec', source('reverse-spec/src/server/'), [
    BASE,
    source('serving/src/wire/'),
    source('reverse-spec/src/spec/'),
  ]),
  {
    name: 'servers-do-not-import-each-other',
    severity: 'error',
    from: { path: source('secateur/src/servers/([^/]+)/') },
    to: { path: source('secateur/src/servers/[^/]+/'), pathNot: source('secateur/src/servers/$1/') },
  },
  {
    name: 'sub-folders-are-private',
    severity: 'error',
    from: { path: '^packages/([^/]+)/src/([^/]+)/' },
    to: {
      path: '^packages/[^/]+/src/[^/]+/[^/]+/',
      pathNot: ['^packages/$1/src/$2/', source('secateur/src/servers/[^/]+/[^/]+[.]ts$')],
    },
  },
  {
    name: 'parts-of-the-engine-are-private',
    severity: 'error',
    from: { path: ANY_PACKAGE, pathNot: ENGINE },
    to: { path: source('engine/src/(pruner|worker-engine|cut-text|secateur)/') },
  },
  {
    name: 'server-sub-folders-are-private',
    severity: 'error',
    from: { path: ANY_PACKAGE, pathNot: source('secateur/src/servers/') },
    to: { path: source('secateur/src/servers/[^/]+/[^/]+/') },
  },
  {
    // The proxy layer forwards: it does not know what is done to answers or what is served.
    name: 'upstreams-only-forward',
    severity: 'error',
    from: { path: source('secateur/src/servers/gateway/upstreams/') },
    to: {
      path: [
        ENGINE,
        source('secateur/src/(masking|savings|replay)/'),
        source('serving/src/(config|workspace)/'),
        source(
          'secateur/src/servers/gateway/(gateway|server|respond|answer-edit|shorten|recovery-notice|savings|prune-first)[.]ts$',
        ),
      ],
    },
  },
  {
    name: 'one-file-opens-upstreams',
    severity: 'error',
    from: {
      path: ANY_PACKAGE,
      pathNot: [
        source('secateur/src/servers/gateway/upstreams/'),
        source('secateur/src/servers/gateway/server[.]ts$'),
      ],
    },
    to: { path: source('secateur/src/servers/gateway/upstreams/') },
  },
  { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  { name: 'resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
  {
    name: 'ships-what-it-imports',
    severity: 'error',
    // DeepInfra's client is part of the bundle of `secateur` only, which depends on undici.
    from: { path: ANY_PACKAGE, pathNot: source('engine/src/ranking/deepinfra[.]ts$') },
    // A package users install only for what they use is a peer here, and a development dependency for the tests.
    to: {
      dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
      dependencyTypesNot: ['npm-peer', 'local', 'localmodule'],
      // The build makes these part of the bundles.
      pathNot: ['node_modules/@modelcontextprotocol/server/', ANY_PACKAGE],
    },
  },
  // The gateway's sign-ins are the SDK's client authorisation.
  onlyFor(
    'mcp-sdk-in-wire',
    ['@modelcontextprotocol'],
    [source('serving/src/wire/'), source('secateur/src/servers/gateway/(oauth|sign-in)')],
  ),
  onlyFor(
    'typebox-where-tools-are-described',
    ['typebox'],
    [
      source('base/src/tools/'),
      source('serving/src/wire/'),
      source('secateur/src/servers/'),
      source('reverse-spec/src/server/'),
      source('engine/src/recover-text'),
    ],
  ),
  onlyFor(
    'parsers-in-syntax',
    ['web-tree-sitter', '@ts-morph/common', 'typescript'],
    [source('reverse-spec/src/syntax/')],
  ),
  onlyFor('redis-in-recovery', ['redis', '@redis'], [source('engine/src/recovery/')]),
  onlyFor('toml-in-config', ['smol-toml'], [source('serving/src/config/')]),
  // Loading them takes time that hooks and servers do not have.
  onlyFor(
    'settings-editors-in-connect',
    ['jsonc-parser', 'toml-eslint-parser'],
    [
      source('secateur/src/cli/connect/'),
      source('reverse-spec/src/spec/reading/import-resolver/project-files[.]ts$'),
    ],
  ),
  {
    name: 'connect-for-connect-and-doctor',
    severity: 'error',
    from: {
      path: ANY_PACKAGE,
      pathNot: [
        source('secateur/src/cli/(connect|doctor)/'),
        source('secateur/src/cli/commands/(connect|doctor)[.]ts$'),
      ],
    },
    to: { path: source('secateur/src/cli/connect/') },
  },
  onlyFor(
    'anthropic-in-model-writers',
    ['@anthropic-ai'],
    [source('reverse-spec/src/spec/model-writers[.]ts$')],
  ),
  onlyFor('openai-in-model-writers', ['openai'], [source('reverse-spec/src/spec/model-writers[.]ts$')]),
  onlyFor(
    'processes-started-in-few-places',
    ['(node:)?child_process'],
    [source('serving/src/workspace/'), source('base/src/runtime/(process-group|process-watchdog)[.]ts$')],
  ),
  {
    name: 'process-groups-started-in-few-places',
    severity: 'error',
    from: {
      path: ANY_PACKAGE,
      pathNot: [
        source('serving/src/workspace/'),
        source('secateur/src/(runner|servers/gateway)/'),
        source('secateur/src/cli/up/'),
      ],
    },
    to: { path: source('base/src/runtime/process-group[.]ts$') },
  },
  onlyFor(
    'network-in-few-places',
    ['undici', '(node:)?https?', '(node:)?http2', '(node:)?net', '(node:)?tls', '(node:)?dgram'],
    NETWORK,
  ),
];

export default {
  forbidden,
  options: {
    // Beside TypeScript 7 the default parser reads nothing and reports success.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules'] },
    exclude: { path: '^packages/[^/]+/dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['secateur-source', 'import', 'node', 'default', 'types'],
    },
  },
};
