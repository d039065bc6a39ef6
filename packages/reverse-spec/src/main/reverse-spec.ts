#!/usr/bin/env node
import { startOnSupportedNode } from '@secateur/serving/commands/start.ts';

startOnSupportedNode('reverse-spec', () =>
  Promise.all([import('@secateur/serving/commands/main.ts'), import('../cli/program.ts')]).then(
    ([{ main }, { reverseSpec }]) => main(reverseSpec),
  ),
);
