import { relative } from 'node:path';

/** Whether a glob of `hook.exclude` means this file: by its path from the working directory, or by its name alone. */
export function matchesGlob(path: string, { glob, cwd }: { glob: string; cwd: string | undefined }): boolean {
  const pattern = patternOf(glob);
  const fromFolder = cwd === undefined ? path : relative(cwd, path);
  const name = path.slice(path.lastIndexOf('/') + 1);
  return [path, fromFolder, ...(glob.includes('/') ? [] : [name])].some((each) => pattern.test(each));
}

const PARTS: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };

/** `*` and `?` within a folder, `**` across folders; everything else is plain text. */
function patternOf(glob: string): RegExp {
  const parts = glob.split(/(\*\*\/|\*\*|\*|\?)/);
  const source = parts.map((part) => PARTS[part] ?? part.replace(/[\\^$.|+()[\]{}]/g, '\\$&')).join('');
  return new RegExp(`^${source}$`);
}
