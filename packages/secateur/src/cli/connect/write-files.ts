import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { replaceFileSync } from '@secateur/base/runtime/writing-files.ts';
import { parsedFields } from '@secateur/base/text/json.ts';
import { usageError } from '@secateur/serving/commands/command.ts';
import { userConfigPath } from '@secateur/serving/config/config-file.ts';
import type { LaunchContext } from '@secateur/serving/config/values.ts';
import { type FileChange, readClientFile, requireReadable } from './pending-edits.ts';

/**
 * Writes files of clients and puts them back. The folder of copies can be used without this program: it has a folder per
 * changed file with `path`, `before` (absent if there was no file) and `after`, and a shell script that puts them back.
 */

/**
 * Returns the folder of the copies. It is beside the user's settings, so that it outlives the data directory.
 */
export function copiesFolder(origin: LaunchContext): string {
  const config = userConfigPath(origin);
  if (config === undefined)
    throw usageError('there is no home folder in which copies of files could be kept');
  return join(dirname(config), 'connect');
}

/** Writes all files or none, each as a whole, and keeps copies of their earlier contents. */
export function writeFiles(changes: readonly FileChange[], copies: string): void {
  const undo: (() => void)[] = [];
  try {
    for (const change of changes) writeFile(change, copies, undo);
  } catch (cause) {
    for (const step of undo.toReversed()) step();
    removeEmptyFolders(copies);
    if (cause instanceof DomainError) throw cause;
    throw new DomainError('cannot_write', 'a file could not be written; nothing was changed', {
      hint: `Check who may write ${[copies, ...changes.map(({ path }) => path)].join(', ')}.`,
      cause,
    });
  }
}

function writeFile({ path, before, after, mode }: FileChange, copies: string, undo: (() => void)[]): void {
  const target = realPath(path);
  const oldMode = modeOf(target);
  keepCopy({ target, before, after }, copies, undo);
  undo.push(() =>
    before === undefined ? rmSync(target, { force: true }) : replaceFileSync(target, before, oldMode),
  );
  replaceFileSync(target, after, mode ?? oldMode);
}

interface Written {
  readonly target: string;
  readonly before: string | undefined;
  readonly after: string;
}

/**
 * Keeps the file as it was before our first change. A later change keeps this copy and only records what we
 * wrote.
 */
function keepCopy({ target, before, after }: Written, copies: string, undo: (() => void)[]): void {
  const known = readCopy(target, copies);
  makeFolders(copies, copies);
  for (const [name, text, mode] of EXPLANATIONS) replaceFileSync(join(copies, name), text, mode);
  const folder = folderOf(target, copies);
  // If the user has changed the file since, `after` stays as it is: the file is then not put back as a whole.
  const isChanged = known !== undefined && known.after !== before;
  undo.push(() =>
    known?.folder === folder
      ? replaceFileSync(join(folder, 'after'), known.after)
      : rmSync(folder, { recursive: true, force: true }),
  );
  mkdirSync(folder, { mode: 0o700, recursive: true });
  const original = known ?? { before, mode: modeOf(target) };
  if (original.before !== undefined && known?.folder !== folder)
    replaceFileSync(join(folder, 'before'), original.before, original.mode);
  replaceFileSync(join(folder, 'after'), isChanged ? known.after : after);
  replaceFileSync(join(folder, 'path'), target);
  makeFolders(dirname(target), copies);
}

interface Restoring {
  /** Removes what this client added from a file whose other content stays. */
  takeOut(path: string, text: string, before: string): string;
  /** Whether entries that other clients added are still in it. */
  isStillUsed(path: string, text: string): boolean;
}

/**
 * Puts files back as they were, or removes those we made. A file that was changed since keeps those changes and loses
 * what `takeOut` removes; a file in which other clients have entries keeps these. Returns what was done to each.
 */
export function restoreFiles(
  paths: readonly string[],
  copies: string,
  restoring: Restoring,
): Map<string, Restored> {
  // Reads all copies first, so that a damaged one does not leave half of the files restored.
  const found = paths.map((path) => ({ path, copy: readCopy(realPath(path), copies) }));
  const done = new Map<string, Restored>();
  for (const { path, copy } of found)
    if (copy !== undefined) done.set(path, restoreFile(path, copy, restoring));
  removeEmptyFolders(copies);
  return done;
}

function restoreFile(path: string, copy: Copy, { takeOut, isStillUsed }: Restoring): Restored {
  const { target, before, after, folder } = copy;
  const current = readClientFile(target) ?? after;
  const left = takeOut(path, current, before ?? '');
  if (isStillUsed(path, left)) {
    putInPlace(target, left, modeOf(target));
    if (current === after) replaceFileSync(join(folder, 'after'), left);
    return 'cleaned';
  }
  const isAsWritten = current === after;
  if (isAsWritten) putInPlace(target, before, copy.mode);
  else putInPlace(target, left === '' ? before && left : left, modeOf(target));
  rmSync(folder, { recursive: true, force: true });
  if (!isAsWritten) return 'cleaned';
  return before === undefined ? 'removed' : 'as it was';
}

/** Writes a text that can be read again, or removes a file that did not exist before. */
function putInPlace(target: string, text: string | undefined, mode: number): void {
  if (text === undefined) {
    rmSync(target, { force: true });
    return;
  }
  requireReadable(target, text);
  replaceFileSync(target, text, mode);
}

type Restored = 'as it was' | 'removed' | 'cleaned';

interface Copy {
  readonly target: string;
  /** The folder of this copy, or the file in which earlier versions stored it. */
  readonly folder: string;
  readonly before: string | undefined;
  readonly mode: number;
  readonly after: string;
}

function readCopy(target: string, copies: string): Copy | undefined {
  const folder = folderOf(target, copies);
  if (!existsSync(folder)) return readOldCopy(target);
  const [path, before, after] = ['path', 'before', 'after'].map((name) => readClientFile(join(folder, name)));
  if (path !== target || after === undefined) throw damaged(folder);
  return { target, folder, before, mode: modeOf(join(folder, 'before')), after };
}

/** Reads a copy of a version before 0.1: a JSON file beside the original. */
function readOldCopy(target: string): Copy | undefined {
  const folder = `${target}.before-secateur`;
  const json = readClientFile(folder);
  if (json === undefined) return undefined;
  const { text: before, mode = 0o600, wrote } = parsedFields(json) ?? {};
  if (typeof wrote !== 'string' || (before !== undefined && typeof before !== 'string'))
    throw damaged(folder);
  const current = readClientFile(target) ?? '';
  const isAsWritten = createHash('sha256').update(current).digest('hex') === wrote;
  return { target, folder, before, mode: Number(mode), after: isAsWritten ? current : '' };
}

function damaged(folder: string): DomainError {
  return new DomainError('damaged_backup', `${folder} is not a copy that secateur made`, {
    hint: 'Nothing was changed. Move it away; what secateur added to the file has to be removed by hand.',
  });
}

function folderOf(target: string, copies: string): string {
  const hash = createHash('sha256').update(target).digest('hex').slice(0, 8);
  return join(copies, `${hash}-${basename(target)}`);
}

/**
 * Returns the file that a link leads to: dotfiles are often links into a repository. That file is changed,
 * the link stays.
 */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** Creates a folder and its parents, and lists them in the file `folders` of the copies. */
function makeFolders(path: string, copies: string): void {
  const made: string[] = [];
  for (let folder = path; !existsSync(folder); folder = dirname(folder)) made.push(folder);
  for (const folder of made.toReversed()) mkdirSync(folder, { mode: 0o700 });
  const listed = made.filter((folder) => !folder.includes('\n')).map((folder) => `${folder}\n`);
  if (listed.length === 0) return;
  const list = join(copies, 'folders');
  replaceFileSync(list, (readClientFile(list) ?? '') + listed.join(''));
}

/**
 * Removes the folders that we created and that are empty now; after the last copy also the folder of copies.
 */
function removeEmptyFolders(copies: string): void {
  if (!existsSync(copies)) return;
  const folders = (readClientFile(join(copies, 'folders')) ?? '').split('\n');
  if (!readdirSync(copies, { withFileTypes: true }).some((each) => each.isDirectory())) {
    for (const name of ['folders', ...EXPLANATIONS.map(([each]) => each)])
      rmSync(join(copies, name), { force: true });
    folders.push(copies);
  }
  for (const folder of folders.toSorted((left, right) => right.length - left.length))
    if (folder !== '' && existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}

/** Returns the mode of a file. A new file is readable by its owner only: it may contain secrets. */
function modeOf(path: string): number {
  return existsSync(path) ? statSync(path).mode & 0o777 : 0o600;
}

const README = `These are copies of the files that \`secateur connect\` changed, made before the first change.

\`secateur connect CLIENT --undo\` puts the files of one client back. Without secateur, run

    sh undo.sh

which puts back all files that were not changed since, and names the others.

Each folder here is one file: \`path\` says where it is, \`before\` is what it was (if \`before\` is
missing, there was no file), \`after\` is what secateur wrote. To undo by hand a file that was changed
since, remove from it what \`after\` has and \`before\` has not: hooks that name secateur, the MCP
server "secateur", rules for "recover_text" and "secateur recover", addresses with /api/mcp-gateway/.
`;

const SCRIPT = `#!/bin/sh
# Puts back the files that \`secateur connect\` changed. It needs nothing of secateur.
# A file that was changed since then is left as it is, and named.
cd "$(dirname "$0")" || exit 1
for copy in */; do
  [ -f "\${copy}path" ] || continue
  path=$(cat "\${copy}path")
  if [ -e "$path" ] && ! cmp -s "$path" "\${copy}after"; then
    echo "not touched, it was changed since: $path (see $PWD/\${copy})"
    continue
  fi
  if [ -f "\${copy}before" ]; then cp -fp "\${copy}before" "$path"; else rm -f "$path"; fi || continue
  rm -r "$copy"
  echo "put back: $path"
done
made=$(sort -r folders 2>/dev/null)
ls -d */ >/dev/null 2>&1 || rm -f README.txt undo.sh folders
cd /
printf '%s\\n' "$made" | while IFS= read -r folder; do
  [ -z "$folder" ] || rmdir "$folder" 2>/dev/null
done
true
`;

const EXPLANATIONS = [
  ['README.txt', README, 0o600],
  ['undo.sh', SCRIPT, 0o700],
] as const;
