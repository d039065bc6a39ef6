import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkDependencies } from '../../scripts/check-dependencies.ts';
import { plantedRepository } from '../support/planted-repository.ts';

const base = (path: string) => `packages/base/src/${path}`;
const engine = (path: string) => `packages/engine/src/${path}`;
const serving = (path: string) => `packages/serving/src/${path}`;
const secateur = (path: string) => `packages/secateur/src/${path}`;
const reverseSpec = (path: string) => `packages/reverse-spec/src/${path}`;

/** rule → a file that breaks it and what it imports. */
const BREACHES: Readonly<Record<string, readonly [file: string, imported: string]>> = {
  'base-imports-no-package': [base('tools/planted-up.ts'), '@secateur/serving/wire/protocol.ts'],
  'engine-imports-base': [engine('cutting/planted-up.ts'), '@secateur/serving/wire/protocol.ts'],
  'serving-imports-base': [serving('commands/planted-up.ts'), '@secateur/engine/marker.ts'],
  'secateur-imports-engine-and-serving': [
    secateur('cli/planted-up.ts'),
    '../../../reverse-spec/src/spec/locales.ts',
  ],
  'reverse-spec-imports-serving': [reverseSpec('cli/planted-up.ts'), '@secateur/engine/marker.ts'],
  'text-and-runtime-import-nothing': [base('text/planted-up.ts'), '../tools/tool.ts'],
  'redaction-imports-text-and-runtime': [base('redaction/planted-up.ts'), '../tools/tool.ts'],
  'languages-import-text-and-runtime': [base('languages/planted-up.ts'), '../tools/tool.ts'],
  'tools-import-text-and-runtime': [base('tools/planted-side.ts'), '../languages/languages.ts'],
  'recovery-stands-alone': [engine('recovery/planted-up.ts'), '../marker.ts'],
  'reading-imports-base': [engine('reading/planted-up.ts'), '../policy/policy.ts'],
  'policy-imports-reading': [engine('policy/planted-up.ts'), '../ranking/scorer.ts'],
  'ranking-imports-reading': [engine('ranking/planted-up.ts'), '../cutting/select.ts'],
  'cutting-imports-ranking-and-policy': [engine('cutting/planted-store.ts'), '../recovery/store.ts'],
  'wire-imports-base': [serving('wire/planted-up.ts'), '../config/setting.ts'],
  'config-imports-base': [serving('config/planted-up.ts'), '../wire/protocol.ts'],
  'workspace-imports-base': [serving('workspace/planted-up.ts'), '../config/setting.ts'],
  'masking-imports-base': [secateur('masking/planted-up.ts'), '@secateur/serving/wire/protocol.ts'],
  'savings-import-base': [secateur('savings/planted-up.ts'), '@secateur/engine/recovery/store.ts'],
  'replay-imports-engine': [secateur('replay/planted-up.ts'), '../savings/ledger.ts'],
  'servers-below-cli': [secateur('servers/pruner/planted-up.ts'), '../../cli/programs.ts'],
  'runner-below-cli': [secateur('runner/planted-up.ts'), '../servers/prune-outcome.ts'],
  'adapters-below-cli': [secateur('adapters/planted-up.ts'), '@secateur/serving/config/setting.ts'],
  'main-starts-commands': [secateur('main/planted-up.ts'), '@secateur/serving/wire/protocol.ts'],
  'syntax-imports-base': [reverseSpec('syntax/planted-up.ts'), '../spec/locales.ts'],
  'spec-imports-syntax': [reverseSpec('spec/planted-up.ts'), '@secateur/serving/wire/protocol.ts'],
  'server-imports-spec': [reverseSpec('server/planted-up.ts'), '../syntax/outline.ts'],
  'servers-do-not-import-each-other': [
    secateur('servers/gateway/planted-neighbour.ts'),
    '../pruner/server.ts',
  ],
  'sub-folders-are-private': [
    serving('wire/planted-private.ts'),
    '../workspace/search-files/message-reader.ts',
  ],
  'parts-of-the-engine-are-private': [
    secateur('replay/planted-private.ts'),
    '@secateur/engine/pruner/call.ts',
  ],
  'server-sub-folders-are-private': [
    secateur('cli/planted-private.ts'),
    '../servers/pruner/tools/prune-text.ts',
  ],
  'upstreams-only-forward': [
    secateur('servers/gateway/upstreams/planted-mask.ts'),
    '../../../masking/mask.ts',
  ],
  'one-file-opens-upstreams': [secateur('servers/gateway/planted-upstream.ts'), './upstreams/http.ts'],
  'no-cycles': [base('text/planted-cycle.ts'), './planted-there-and-back.ts'],
  resolves: [base('text/planted-nowhere.ts'), './nowhere.ts'],
  'ships-what-it-imports': [base('text/planted-dev.ts'), 'fast-check'],
  'mcp-sdk-in-wire': [secateur('servers/planted-sdk.ts'), '@modelcontextprotocol/server'],
  'typebox-where-tools-are-described': [engine('cutting/planted-typebox.ts'), 'typebox'],
  'parsers-in-syntax': [engine('reading/planted-parser.ts'), 'web-tree-sitter'],
  'redis-in-recovery': [reverseSpec('spec/planted-store.ts'), '@redis/client'],
  'toml-in-config': [secateur('cli/planted-toml.ts'), 'smol-toml'],
  'settings-editors-in-connect': [secateur('cli/planted-jsonc.ts'), 'jsonc-parser'],
  'connect-for-connect-and-doctor': [
    secateur('cli/commands/planted-connect.ts'),
    '../connect/pending-edits.ts',
  ],
  'anthropic-in-model-writers': [reverseSpec('spec/planted-anthropic.ts'), '@anthropic-ai/sdk'],
  'openai-in-model-writers': [reverseSpec('spec/planted-openai.ts'), 'openai'],
  'processes-started-in-few-places': [engine('recovery/planted-process.ts'), 'node:child_process'],
  'process-groups-started-in-few-places': [
    reverseSpec('spec/planted-process.ts'),
    '@secateur/base/runtime/process-group.ts',
  ],
  'network-in-few-places': [secateur('masking/planted-network.ts'), 'node:https'],
};

it('[H1] each dependency rule finds exactly its own violation', async () => {
  const planted = Object.values(BREACHES).map(([file, imported]) => [file, importing(imported)]);
  const root = plantedRepository({
    ...Object.fromEntries(planted),
    [base('text/planted-there-and-back.ts')]: importing('./planted-cycle.ts'),
  });
  const findings = await checkDependencies(root);
  for (const [rule, [file]] of Object.entries(BREACHES)) {
    expect(findings, rule).toContainEqual(expect.stringContaining(`${rule}: ${file}`));
  }
  expect(findings.filter((finding) => !finding.includes('planted-'))).toEqual([]);
});

it('[H1] the dependency check accepts a cycle that consists only of type imports', async () => {
  const root = plantedRepository({
    [base('text/planted-cycle.ts')]: importing('./planted-cycle-back.ts'),
    [base('text/planted-cycle-back.ts')]:
      "import type * as owner from './planted-cycle.ts';\nexport type Owner = typeof owner;\n",
  });
  expect(await checkDependencies(root)).toEqual([]);
});

it('[H1] the dependency check fails if it reads no file', async () => {
  const root = plantedRepository({});
  const blind = join(root, 'blind.mjs');
  writeFileSync(
    blind,
    "export default { forbidden: [], options: { parser: 'swc', exclude: { path: '^(packages/serving|.*node_modules)' } } };\n",
  );
  expect(await checkDependencies(root, blind)).toEqual([
    expect.stringMatching(/^saw \d+ of \d+ files of the packages$/),
  ]);
});

function importing(module: string): string {
  return `import * as planted from '${module}';\nexport const seen = planted;\n`;
}
