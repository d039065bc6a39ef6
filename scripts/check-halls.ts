import { importGraph } from './import-graph.ts';

/** Rooms whose top level is no hall: nobody imports them, or everybody imports all of them. */
const NO_HALL = /^src\/(main|cli|config|library)\//;
/** The public library: its importers are not in this repository. */
const PUBLIC = new Set(['src/runner/focus-run.ts']);

/** A room's top-level files are what others may use; one that no other room imports belongs into a sub-folder. */
export function checkHalls(root: string): string[] {
  const graph = importGraph(root);
  const importers = new Map<string, Set<string>>();
  for (const [file, imported] of graph) {
    for (const target of imported)
      importers.set(target, (importers.get(target) ?? new Set()).add(roomOf(file)));
  }
  return [...graph.keys()]
    .filter((file) => isInHall(file) && !NO_HALL.test(file) && !PUBLIC.has(file))
    .filter((file) => ![...(importers.get(file) ?? [])].some((room) => room !== roomOf(file)))
    .map((file) => `no other room imports ${file}: it belongs into a sub-folder`);
}

function isInHall(file: string): boolean {
  return file.split('/').length === 3;
}

/** Servers are rooms of their own; a file directly in `servers/` is the hall they share. */
function roomOf(file: string): string {
  const [, room = '', server = '', ...rest] = file.split('/');
  return room === 'servers' && rest.length > 0 ? `servers/${server}` : room;
}
