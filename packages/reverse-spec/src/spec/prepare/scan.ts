import { redactSecrets } from '@secateur/base/redaction/redact.ts';
import { listFiles } from '@secateur/serving/workspace/list-files.ts';
import { openRoot } from '@secateur/serving/workspace/root.ts';
import { type FactsReading, readFacts } from '../reading/read-facts.ts';
import { pathInside, type Target } from '../reading/target.ts';
import type { ReadingParts } from '../reading-parts.ts';
import type { FileNote } from './notes.ts';
import { type ScopeGlobs, scopeOf, writtenByPeople } from './scope.ts';

export interface Scan {
  /** Relative to the project. */
  paths: string[];
  /** Paths that could not be listed, and why. */
  notes: Record<string, FileNote>;
}

const NO_GLOBS: ScopeGlobs = { include: [], exclude: [] };

export interface ScanOptions extends Pick<ReadingParts, 'globs' | 'signal'> {
  /** Tests, examples, generated and vendored code are not modules; `prepare` lists them all the same. */
  modulesOnly: boolean;
}

/** The files of a target. A file or a folder that was named is taken even if git ignores it. */
export async function scanTarget(target: Target, options: ScanOptions): Promise<Scan> {
  const { modulesOnly, globs = NO_GLOBS, signal } = options;
  if (target.scope === 'file') return withoutSecretNames([target.path]);
  const { paths, unlisted } = await listTarget(target, signal);
  const isAsked = scopeOf({ ...globs, target: target.path, modulesOnly });
  const isWanted = (path: string) => isInScope(path, target) && isAsked(path);
  const skipped = unlisted
    .filter((path) => isInScope(path, target))
    .map((path) => [path, { code: path.endsWith('/') ? 'unreadable-folder' : 'name-not-utf8' }]);
  const { paths: named, notes } = withoutSecretNames(paths.filter(isWanted));
  return { paths: named, notes: { ...Object.fromEntries(skipped), ...notes } };
}

/**
 * Names go into prompts and documents, so one that holds a token is left out. Redaction keeps lines: one call
 * checks all.
 */
function withoutSecretNames(paths: readonly string[]): Scan {
  const shown = redactSecrets(paths.join('\n')).split('\n');
  return {
    paths: paths.filter((path, at) => path === shown[at]),
    notes: Object.fromEntries(
      paths.flatMap((path, at) => (path === shown[at] ? [] : [[shown[at], { code: 'secret-in-name' }]])),
    ),
  };
}

async function listTarget({ base, path }: Target, signal: AbortSignal | undefined) {
  const root = await openRoot(base);
  const request = { under: path, ...(signal && { signal }) };
  const list = await listFiles(root, request);
  return list.paths.length > 0 || path === '.' ? list : listFiles(root, { ...request, apart: true });
}

function isInScope(path: string, { scope, path: folder, without = [] }: Target): boolean {
  if (without.some((other) => path.startsWith(`${other}/`))) return false;
  if (scope !== 'folder') return true;
  const below = folder === '.' ? path : path.slice(folder.length + 1);
  return !below.includes('/');
}

/** Lists the sources of a target, without its output folder. */
export async function scanModules(target: Target, outputDir: string, parts: ReadingParts): Promise<Scan> {
  const { paths, notes } = await scanTarget(target, { ...parts, modulesOnly: true });
  const folder = pathInside(target.base, outputDir);
  const isOwn = (path: string) => folder !== undefined && folder !== '.' && path.startsWith(`${folder}/`);
  return { paths: paths.filter((path) => !isOwn(path)), notes };
}

/** Reads the scanned files that people wrote. */
export async function readModules(target: Target, scan: Scan, parts: ReadingParts): Promise<FactsReading> {
  const { files, notes } = await readFacts(target, scan.paths, { ...parts, withBodies: true });
  return {
    files: writtenByPeople(files, { globs: parts.globs, scope: target.scope }),
    notes: { ...notes, ...scan.notes },
  };
}
