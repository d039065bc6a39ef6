import type { ProgramName } from '../cli/programs.ts';

/**
 * Runs one of the executables. The version of Node is checked first, and everything else is imported after it: an older
 * Node cannot parse all of our files and would print a stack trace. So this file uses only syntax that Node 12 knows.
 */
export function start(name: ProgramName): void {
  const version = process.versions.node;
  if (isSupported(version)) run(name);
  else if (process.argv[2] === 'hook') process.stdout.write('{}');
  else {
    process.stderr.write(
      `${name} needs Node 20.19 or newer, but ${process.execPath} is Node ${version}; install a newer Node, or start ${name} with another one.\n`,
    );
    process.exitCode = 1;
  }
}

/** A client starts `secateur hook` for every call of its agent: that program has a bundle of its own. */
function run(name: ProgramName): Promise<unknown> {
  const [command, ...rest] = process.argv.slice(2);
  const isForHelp = rest.some((word) => word === '--help' || word === '-h');
  if (name === 'secateur' && command === 'hook' && !isForHelp) return import('./hook.ts');
  return Promise.all([import('../main.ts'), import('../cli/programs.ts')]).then(([{ main }, { programs }]) =>
    main(programs[name]),
  );
}

function isSupported(version: string): boolean {
  const [major, minor] = version.split('.').map(Number) as [number, number];
  return major > 20 || (major === 20 && minor >= 19);
}
