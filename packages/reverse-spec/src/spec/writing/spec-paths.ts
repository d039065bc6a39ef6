import { createHash } from 'node:crypto';
import { posix } from 'node:path';

/** Names the batch keeps for itself. */
const RESERVED: ReadonlySet<string> = new Set(['_index', '_root']);
const MAX_LENGTH = 180;

/**
 * The file name of a target's spec. `/` becomes `+`, and what a file name cannot hold is escaped as in URLs, so that
 * two targets never share a name: `src/auth` → `src+auth.spec.md`, `a+b` → `a%2Bb.spec.md`.
 */
export function specFileName(label: string): string {
  return `${nameOf(label)}.spec.md`;
}

/** Names the spec of a folder's own files where its sub-folders hold others: `src` → `src+.spec.md`. */
export function ownFilesSpecName(label: string): string {
  return `${nameOf(label)}+.spec.md`;
}

function nameOf(label: string): string {
  if (label === '.') return '_root';
  const name = label.split('/').map(escapeSegment).join('+');
  const safe = RESERVED.has(name) ? name.replace('_', '%5F') : name;
  if (Buffer.byteLength(safe) <= MAX_LENGTH) return safe;
  const digest = createHash('sha256').update(label).digest('hex').slice(0, 16);
  return `${cut(safe)}%${digest}`;
}

function escapeSegment(segment: string): string {
  return segment.replace(/[%+:*?"<>|\\\p{Cc}]/gu, (char) => encodeURIComponent(char).replace(/\*/g, '%2A'));
}

/** Keeps the end, which differs more than the beginning. A cut name holds a `%` no escape can follow. */
function cut(name: string): string {
  const chars = [...name];
  while (Buffer.byteLength(chars.join('')) > MAX_LENGTH - 20) chars.shift();
  return chars.join('');
}

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
