/**
 * The arrows of ARCHITECTURE.md as rules. A room's top-level files are its hall; its sub-folders are private.
 * Each breach has a planted twin in test/house/arrows.test.ts.
 */

const DOMAIN = '^src/(engine|ranking|replay|redaction|spec|masking|recovery|workspace|savings|syntax)/';
const GROUND = '^src/(text|runtime)/';

/** The only files that talk to the network outside this machine, and the wire that listens. */
const NETWORK = [
  '^src/wire/',
  '^src/runtime/probe-health[.]ts$',
  '^src/cli/doctor/port-use[.]ts$',
  '^src/ranking/deepinfra',
  '^src/servers/focus/http-backend',
  '^src/servers/gateway/',
  // Asks whether a text is an IP address.
  '^src/config/values[.]ts$',
  // Reads a pipe, which node calls a socket; reaches nobody.
  '^src/workspace/output-pipes[.]ts$',
];

/** `name` may import from our own rooms only `allowed` (and itself). */
function only(name, room, allowed) {
  return {
    name,
    severity: 'error',
    from: { path: room },
    to: { path: '^src/', pathNot: [room, ...allowed] },
  };
}

/** A package or built-in module only `rooms` may know. */
function knownTo(name, modules, rooms) {
  return {
    name,
    severity: 'error',
    from: { path: '^src/', pathNot: rooms },
    to: { path: modules.map((each) => `(^|node_modules/)${each}(/|$)`), dependencyTypesNot: ['local'] },
  };
}

const forbidden = [
  only('ground-stands-alone', GROUND, []),
  only('syntax-on-ground', '^src/syntax/', [GROUND]),
  only('masking-on-ground', '^src/masking/', [GROUND]),
  only('recovery-on-ground', '^src/recovery/', [GROUND]),
  only('savings-on-ground', '^src/savings/', [GROUND]),
  only('redaction-on-ground', '^src/redaction/', [GROUND]),
  only('workspace-on-redaction', '^src/workspace/', [GROUND, '^src/redaction/']),
  only('ranking-on-syntax', '^src/ranking/', [GROUND, '^src/syntax/']),
  only('engine-on-ranking-syntax-and-recovery', '^src/engine/', [GROUND, '^src/(ranking|syntax|recovery)/']),
  only('replay-on-engine-and-ranking', '^src/replay/', [GROUND, '^src/(engine|ranking)/']),
  only('spec-on-syntax-workspace-and-redaction', '^src/spec/', [
    GROUND,
    '^src/(syntax|workspace|redaction)/',
  ]),
  only('wire-on-ground', '^src/wire/', [GROUND]),
  only('config-on-ground', '^src/config/', [GROUND]),
  only('servers-below-cli', '^src/servers/', [GROUND, DOMAIN, '^src/(config|wire)/']),
  only('runner-below-cli', '^src/runner/', [GROUND, '^src/config/']),
  // The library is the pruner without settings and listening: what it shares with hooks and the page is imported, not copied.
  only('library-below-cli', '^src/library/', [
    GROUND,
    '^src/(engine|ranking|recovery|wire)/[^/]+[.]ts$',
    '^src/servers/(hooks|dashboard)/[^/]+[.]ts$',
    '^src/servers/[^/]+[.]ts$',
  ]),
  only('main-starts-cli', '^src/main([.]ts|/)', ['^src/cli/[^/]+[.]ts$']),
  {
    name: 'servers-do-not-know-each-other',
    severity: 'error',
    from: { path: '^src/servers/([^/]+)/' },
    to: { path: '^src/servers/[^/]+/', pathNot: '^src/servers/$1/' },
  },
  {
    name: 'sub-folders-are-private',
    severity: 'error',
    from: { path: '^src/([^/]+)/' },
    to: { path: '^src/[^/]+/[^/]+/', pathNot: ['^src/$1/', '^src/servers/[^/]+/[^/]+[.]ts$'] },
  },
  {
    name: 'server-sub-folders-are-private',
    severity: 'error',
    from: { path: '^src/', pathNot: '^src/servers/' },
    to: { path: '^src/servers/[^/]+/[^/]+/' },
  },
  {
    // The proxy layer forwards: it knows neither what is done to answers nor what is served.
    name: 'upstreams-only-forward',
    severity: 'error',
    from: { path: '^src/servers/gateway/upstreams/' },
    to: {
      path: [
        DOMAIN,
        '^src/config/',
        '^src/servers/gateway/(gateway|server|in-process|respond|answer-edit|shorten|announce|savings|prune-first|recover-tool)[.]ts$',
      ],
    },
  },
  {
    name: 'one-file-opens-upstreams',
    severity: 'error',
    from: {
      path: '^src/',
      pathNot: ['^src/servers/gateway/upstreams/', '^src/servers/gateway/server[.]ts$'],
    },
    to: { path: '^src/servers/gateway/upstreams/' },
  },
  { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
  { name: 'resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
  {
    name: 'ships-what-it-imports',
    severity: 'error',
    from: { path: '^src/' },
    // A package users install only for what they use is a peer here, and a development dependency for the tests.
    to: {
      dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
      dependencyTypesNot: ['npm-peer'],
      // The build makes these part of the bundles.
      pathNot: 'node_modules/@modelcontextprotocol/server/',
    },
  },
  // The gateway's sign-ins are the SDK's client authorisation.
  knownTo(
    'mcp-sdk-in-wire',
    ['@modelcontextprotocol'],
    ['^src/wire/', '^src/servers/gateway/(oauth|sign-in)'],
  ),
  knownTo('typebox-at-the-door', ['typebox'], ['^src/wire/', '^src/servers/']),
  knownTo('parsers-in-syntax', ['web-tree-sitter', '@ts-morph/common', 'typescript'], ['^src/syntax/']),
  knownTo('redis-in-recovery', ['redis', '@redis'], ['^src/recovery/']),
  knownTo('toml-in-config', ['smol-toml'], ['^src/config/']),
  // Loading them takes time that hooks and servers do not have.
  knownTo('settings-editors-in-connect', ['jsonc-parser', 'toml-eslint-parser'], ['^src/cli/connect/']),
  {
    name: 'connect-for-connect-and-doctor',
    severity: 'error',
    from: {
      path: '^src/',
      pathNot: ['^src/cli/(connect|doctor)/', '^src/cli/commands/(connect|doctor)[.]ts$'],
    },
    to: { path: '^src/cli/connect/' },
  },
  knownTo('anthropic-in-its-writer', ['@anthropic-ai'], ['^src/spec/anthropic-writer']),
  knownTo('openai-in-its-writer', ['openai'], ['^src/spec/openai-writer']),
  knownTo(
    'processes-where-they-belong',
    ['(node:)?child_process'],
    ['^src/workspace/', '^src/runtime/(process-group|lifeline)[.]ts$'],
  ),
  {
    name: 'groups-started-where-they-belong',
    severity: 'error',
    from: { path: '^src/', pathNot: ['^src/(workspace|runner|servers/gateway)/', '^src/cli/up/'] },
    to: { path: '^src/runtime/process-group[.]ts$' },
  },
  knownTo(
    'network-where-it-belongs',
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
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
