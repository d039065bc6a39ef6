import { startOnSupportedNode } from '@secateur/serving/commands/start.ts';
import type { ProgramName } from '../cli/programs.ts';

/** Starts a program. `secateur hook` has its own bundle, because clients start it for every call. */
export function startProgram(name: ProgramName): void {
  startOnSupportedNode(name, () => {
    const [command, ...rest] = process.argv.slice(2);
    const isForHelp = rest.some((word) => word === '--help' || word === '-h');
    if (name === 'secateur' && command === 'hook' && !isForHelp) return import('./hook.ts');
    return Promise.all([import('@secateur/serving/commands/main.ts'), import('../cli/programs.ts')]).then(
      ([{ main }, { programs }]) => main(programs[name]),
    );
  });
}
