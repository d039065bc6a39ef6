import { expect, it } from 'vitest';
import { keysIn, sectionsIn } from '../../src/pruning/cut/keys.ts';

it('[P17] a key whose value stands below it is one, in JSON and in YAML', () => {
  const lines = [
    '{',
    '  "name": "app",',
    '  "dependencies": {',
    '    "files" : [',
    'on:',
    "  'a b/c':",
    '  - steps:',
    '    run: |-',
    '    size: 1',
    '    - one',
    '# note: this',
  ];
  expect(keysIn(lines)).toEqual([
    { index: 2, indent: 2, key: 'dependencies' },
    { index: 3, indent: 4, key: 'files' },
    { index: 4, indent: 0, key: 'on' },
    { index: 5, indent: 2, key: 'a b/c' },
    { index: 6, indent: 4, key: 'steps' },
    { index: 7, indent: 4, key: 'run' },
  ]);
});

it('[P17] a section of TOML or INI is one, with a note behind it or none', () => {
  const lines = [
    '[tool.ruff]',
    'size = 1',
    '[[package]]  # one',
    '[core]',
    ' [no]',
    'a = [1]',
    '[remote "origin"] ; one',
  ];
  expect(sectionsIn(lines)).toEqual([
    { index: 0, indent: 0, key: 'tool.ruff' },
    { index: 2, indent: 0, key: 'package' },
    { index: 3, indent: 0, key: 'core' },
    { index: 6, indent: 0, key: 'remote "origin"' },
  ]);
});
