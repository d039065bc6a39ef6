/**
 * Runs one of the executables. First checks the version of Node, because an older one could not parse the
 * other files and would print a stack trace. This file therefore uses only the syntax of Node 12.
 */
export function startOnSupportedNode(name: string, run: () => Promise<unknown>): void {
  const version = process.versions.node;
  if (isSupported(version)) run();
  else if (process.argv[2] === 'hook') process.stdout.write('{}');
  else {
    process.stderr.write(
      `${name} needs Node 20.19 or newer, but ${process.execPath} is Node ${version}; install a newer Node, or start ${name} with another one.\n`,
    );
    process.exitCode = 1;
  }
}

function isSupported(version: string): boolean {
  const [major, minor] = version.split('.').map(Number) as [number, number];
  return major > 20 || (major === 20 && minor >= 19);
}
