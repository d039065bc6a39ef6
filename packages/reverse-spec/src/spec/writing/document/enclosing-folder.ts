import { posix } from 'node:path';

/** The deepest folder all paths lie in; `.` when they share none. */
export function enclosingFolder(paths: readonly string[]): string {
  const [first = '.', ...others] = paths.map((path) => posix.dirname(path));
  let around = first;
  while (around !== '.' && others.some((folder) => folder !== around && !folder.startsWith(`${around}/`)))
    around = posix.dirname(around);
  return around;
}

/** The path as it reads inside the folder. */
export function below(folder: string, path: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}
