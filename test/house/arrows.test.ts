import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkArrows } from '../../scripts/check-arrows.ts';
import { plantedRepository } from '../support/planted-repository.ts';

/** rule → a file that breaks it and what it imports. */
const BREACHES: Readonly<Record<string, readonly [file: string, imported: string]>> = {
  'ground-stands-alone': ['src/text/planted-up.ts', '../recovery/store.ts'],
  'syntax-on-ground': ['src/syntax/planted-up.ts', '../ranking/scorer.ts'],
  'masking-on-ground': ['src/masking/planted-up.ts', '../wire/tool.ts'],
  'recovery-on-ground': ['src/recovery/planted-up.ts', '../config/setting.ts'],
  'savings-on-ground': ['src/savings/planted-up.ts', '../recovery/store.ts'],
  'redaction-on-ground': ['src/redaction/planted-up.ts', '../recovery/store.ts'],
  'workspace-on-redaction': ['src/workspace/planted-up.ts', '../config/setting.ts'],
  'ranking-on-syntax': ['src/ranking/planted-up.ts', '../engine/request.ts'],
  'engine-on-ranking-syntax-and-recovery': ['src/engine/planted-up.ts', '../workspace/root.ts'],
  'replay-on-engine-and-ranking': ['src/replay/planted-up.ts', '../recovery/store.ts'],
  'spec-on-syntax-workspace-and-redaction': ['src/spec/planted-up.ts', '../recovery/store.ts'],
  'wire-on-ground': ['src/wire/planted-up.ts', '../savings/ledger.ts'],
  'config-on-ground': ['src/config/planted-up.ts', '../wire/tool.ts'],
  'servers-below-cli': ['src/servers/pruner/planted-up.ts', '../../cli/command.ts'],
  'runner-below-cli': ['src/runner/planted-up.ts', '../servers/recover-text.ts'],
  'library-below-cli': ['src/library/planted-up.ts', '../config/setting.ts'],
  'main-starts-cli': ['src/main/planted-up.ts', '../wire/tool.ts'],
  'servers-do-not-know-each-other': ['src/servers/gateway/planted-neighbour.ts', '../pruner/server.ts'],
  'sub-folders-are-private': ['src/wire/planted-private.ts', '../recovery/stores/memory.ts'],
  'server-sub-folders-are-private': ['src/cli/planted-private.ts', '../servers/pruner/tools/health.ts'],
  'upstreams-only-forward': ['src/servers/gateway/upstreams/planted-mask.ts', '../../../masking/mask.ts'],
  'one-file-opens-upstreams': ['src/servers/gateway/planted-upstream.ts', './upstreams/registry.ts'],
  'no-circles': ['src/text/planted-circle.ts', './planted-there-and-back.ts'],
  resolves: ['src/text/planted-nowhere.ts', './nowhere.ts'],
  'ships-what-it-imports': ['src/text/planted-dev.ts', 'fast-check'],
  'mcp-sdk-in-wire': ['src/servers/planted-sdk.ts', '@modelcontextprotocol/server'],
  'typebox-at-the-door': ['src/engine/planted-typebox.ts', 'typebox'],
  'parsers-in-syntax': ['src/engine/planted-parser.ts', 'web-tree-sitter'],
  'redis-in-recovery': ['src/spec/planted-store.ts', 'redis'],
  'toml-in-config': ['src/cli/planted-toml.ts', 'smol-toml'],
  'settings-editors-in-connect': ['src/cli/planted-jsonc.ts', 'jsonc-parser'],
  'connect-for-connect-and-doctor': ['src/cli/commands/planted-connect.ts', '../connect/jsonc.ts'],
  'anthropic-in-its-writer': ['src/spec/planted-anthropic.ts', '@anthropic-ai/sdk'],
  'processes-where-they-belong': ['src/recovery/planted-process.ts', 'node:child_process'],
  'groups-started-where-they-belong': ['src/spec/planted-process.ts', '../runtime/process-group.ts'],
  'network-where-it-belongs': ['src/masking/planted-network.ts', 'node:https'],
};

it('[H1] a planted breach of each arrow is found, and nothing else is', async () => {
  const planted = Object.values(BREACHES).map(([file, imported]) => [file, importing(imported)]);
  const root = plantedRepository({
    ...Object.fromEntries(planted),
    'src/text/planted-there-and-back.ts': importing('./planted-circle.ts'),
  });
  const findings = await checkArrows(root);
  for (const [rule, [file]] of Object.entries(BREACHES)) {
    expect(findings, rule).toContainEqual(expect.stringContaining(`${rule}: ${file}`));
  }
  expect(findings.filter((finding) => !finding.includes('planted-'))).toEqual([]);
});

it('[H1] a circle of types alone is no circle', async () => {
  const root = plantedRepository({
    'src/text/planted-circle.ts': importing('./planted-circle-back.ts'),
    'src/text/planted-circle-back.ts':
      "import type * as owner from './planted-circle.ts';\nexport type Owner = typeof owner;\n",
  });
  expect(await checkArrows(root)).toEqual([]);
});

it('[H1] reading no file is a failure, not a success', async () => {
  const root = plantedRepository({});
  const blind = join(root, 'blind.mjs');
  writeFileSync(
    blind,
    "export default { forbidden: [], options: { parser: 'swc', exclude: { path: '^(src/wire|.*node_modules)' } } };\n",
  );
  expect(await checkArrows(root, blind)).toEqual([expect.stringMatching(/^saw \d+ of \d+ files in src\/$/)]);
});

function importing(module: string): string {
  return `import * as planted from '${module}';\nexport const seen = planted;\n`;
}
