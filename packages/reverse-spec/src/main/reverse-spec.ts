#!/usr/bin/env node
import { start } from '@secateur/serving/commands/start.ts';

start('reverse-spec', () =>
  Promise.all([import('@secateur/serving/commands/main.ts'), import('../cli/program.ts')]).then(
    ([{ main }, { reverseSpec }]) => main(reverseSpec),
  ),
);
