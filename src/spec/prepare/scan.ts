import { redactSecrets } from '../../redaction/redact.ts';
import { listFiles } from '../../workspace/list-files.ts';
import { openRoot } from '../../workspace/root.ts';
import type { Target } from '../reading/target.ts';
import type { ReadingParts } from '../reading-parts.ts';
import type { FileNote } from './notes.ts';
import { type ScopeGlobs, scopeOf } from './scope.ts';

export interface ScanOptions {
  /** Tests, examples, generated and vendored code are no modules; `prepare` lists them all the same. */
  modulesOnly: boolean;
  globs?: ScopeGlobs;
  signal?: AbortSignal;
}

/** What a scan takes of what a reading was given. */
export function scanParts({ signal, globs }: Pick<ReadingParts, 'signal' | 'globs'>) {
  return { ...(signal !== undefined && { signal }), ...(globs !== undefined && { globs }) };
}

export interface Scan {
  /** Relative to the project. */
  paths: string[];
  /** What could not even be listed, and why. */
  notes: Record<string, FileNote>;
}

const NO_GLOBS: ScopeGlobs = { include: [], exclude: [] };

/** The files of a target. A file or a folder that was named is taken even if git ignores it. */
export async function scanTarget(target: Target, options: ScanOptions): Promise<Scan> {
  if (target.scope === 'file') return withoutSecretNames([target.path]);
  const { paths, unlisted } = await listTarget(target, options);
  const { modulesOnly, globs = NO_GLOBS } = options;
  const isAsked = scopeOf({ ...globs, target: target.path, modulesOnly });
  const isWanted = (path: string) => isInScope(path, target) && isAsked(path);
  const skipped = unlisted.filter((path) => isInScope(path, target)).map((path) => [path, noteOn(path)]);
  const { paths: named, notes } = withoutSecretNames(paths.filter(isWanted));
  return { paths: named, notes: { ...Object.fromEntries(skipped), ...notes } };
}

/** Names go into prompts and documents; one that holds a token goes nowhere. Redaction keeps lines: all are looked at at once. */
function withoutSecretNames(paths: readonly string[]): Scan {
  const shown = redactSecrets(paths.join('\n')).split('\n');
  const secret = shown.filter((path, at) => path !== paths[at]);
  return {
    paths: paths.filter((path, at) => path === shown[at]),
    notes: Object.fromEntries(secret.map((path) => [path, { code: 'secret-in-name' }])),
  };
}

async function listTarget({ base, path }: Target, { signal }: ScanOptions) {
  const root = await openRoot(base);
  const request = { under: path, ...(signal !== undefined && { signal }) };
  const list = await listFiles(root, request);
  return list.paths.length > 0 || path === '.' ? list : listFiles(root, { ...request, apart: true });
}

function noteOn(path: string): FileNote {
  return { code: path.endsWith('/') ? 'unreadable-folder' : 'name-not-utf8' };
}

function isInScope(path: string, { scope, path: folder, without = [] }: Target): boolean {
  if (without.some((other) => path.startsWith(`${other}/`))) return false;
  if (scope !== 'folder') return true;
  const below = folder === '.' ? path : path.slice(folder.length + 1);
  return !below.includes('/');
}

/** What a run wrote itself is no source of the next one. */
export function withoutFolder(paths: readonly string[], folder: string | undefined): string[] {
  if (folder === undefined || folder === '.') return [...paths];
  return paths.filter((path) => !path.startsWith(`${folder}/`));
}
