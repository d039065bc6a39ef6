/**
 * Runs one of the executables. Checks the version of Node before `run` imports any other file, because an older Node
 * could not parse all files and would print a stack trace. This file uses only syntax of Node 12.
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
