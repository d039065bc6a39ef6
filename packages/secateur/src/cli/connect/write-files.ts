import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { replaceFileSync } from '@secateur/base/runtime/writing-files.ts';
import { usageError } from '@secateur/serving/commands/command.ts';
import { userConfigPath } from '@secateur/serving/config/config-file.ts';
import type { LaunchContext } from '@secateur/serving/config/values.ts';
import { hasTables } from './gateway-config.ts';
import { type FileChange, readClientFile, requireReadable } from './pending-edits.ts';
import { takeOut, type WholeRequest } from './plan.ts';

/**
 * This file writes and restores files of clients. The folder of copies contains a folder per changed file,
 * with `path`, `before` (missing if there was no file) and `after`. A shell script in it restores the files
 * without this program.
 */

/** Returns the folder of the copies. It is beside the user's settings, so that it remains if the data directory is deleted. */
export function copiesFolder(origin: LaunchContext): string {
  const config = userConfigPath(origin);
  if (config === undefined)
    throw usageError('there is no home folder in which copies of files could be kept');
  return join(dirname(config), 'connect');
}

/** Writes all files or none. Keeps a copy of the earlier contents of each file. */
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
  keepCopy({ path: target, before, after }, copies, undo);
  undo.push(() =>
    before === undefined ? rmSync(target, { force: true }) : replaceFileSync(target, before, oldMode),
  );
  replaceFileSync(target, after, mode ?? oldMode);
}

/** Keeps a copy of the file as it was before the first change by `connect`. Later changes only update `after`. */
function keepCopy({ path: target, before, after }: FileChange, copies: string, undo: (() => void)[]): void {
  const known = readCopy(target, copies);
  makeFolders(copies, copies);
  for (const [name, text, mode] of EXPLANATIONS) replaceFileSync(join(copies, name), text, mode);
  const folder = folderOf(target, copies);
  // If the user has changed the file since, `after` stays, and `--undo` keeps the user's changes.
  const isChanged = known !== undefined && known.after !== before;
  undo.push(() =>
    known === undefined
      ? rmSync(folder, { recursive: true, force: true })
      : replaceFileSync(join(folder, 'after'), known.after),
  );
  mkdirSync(folder, { mode: 0o700, recursive: true });
  if (known === undefined && before !== undefined)
    replaceFileSync(join(folder, 'before'), before, modeOf(target));
  replaceFileSync(join(folder, 'after'), isChanged ? known.after : after);
  replaceFileSync(join(folder, 'path'), target);
  makeFolders(dirname(target), copies);
}

/**
 * Restores the earlier files and removes files that `connect` created. From a file that the user has changed
 * since, only the changes of `connect` are removed (`takeOut`). Entries of other clients are kept. Returns
 * what was done to each file.
 */
export function restoreFiles(
  paths: readonly string[],
  copies: string,
  request: WholeRequest,
): Map<string, Restored> {
  // Reads all copies first. A damaged copy then does not leave half of the files restored.
  const found = paths.map((path) => ({ path, copy: readCopy(realPath(path), copies) }));
  const done = new Map<string, Restored>();
  for (const { path, copy } of found)
    if (copy !== undefined) done.set(path, restoreFile(path, copy, request));
  removeEmptyFolders(copies);
  return done;
}

function restoreFile(path: string, copy: Copy, request: WholeRequest): Restored {
  const { target, before, after, folder, mode } = copy;
  const current = readClientFile(target) ?? after;
  const isAsWritten = current === after;
  const left = takeOut(request, path, { text: current, before });
  if (path === request.gatewayConfigPath && hasTables(left)) {
    putInPlace(target, left, modeOf(target));
    if (isAsWritten) replaceFileSync(join(folder, 'after'), left);
    return 'cleaned';
  }
  if (isAsWritten) putInPlace(target, before, mode);
  else putInPlace(target, left === '' ? before && left : left, modeOf(target));
  rmSync(folder, { recursive: true, force: true });
  if (!isAsWritten) return 'cleaned';
  return before === undefined ? 'removed' : 'as it was';
}

/** Writes a text that can be read again, or removes a file that did not exist before `connect`. */
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
  readonly folder: string;
  readonly before: string | undefined;
  readonly mode: number;
  readonly after: string;
}

function readCopy(target: string, copies: string): Copy | undefined {
  const folder = folderOf(target, copies);
  if (!existsSync(folder)) return undefined;
  const [path, before, after] = ['path', 'before', 'after'].map((name) => readClientFile(join(folder, name)));
  if (path === target && after !== undefined)
    return { target, folder, before, mode: modeOf(join(folder, 'before')), after };
  throw new DomainError('damaged_backup', `${folder} is not a copy that secateur made`, {
    hint: 'Nothing was changed. Move it away; what secateur added to the file has to be removed by hand.',
  });
}
function folderOf(target: string, copies: string): string {
  const hash = createHash('sha256').update(target).digest('hex').slice(0, 8);
  return join(copies, `${hash}-${basename(target)}`);
}

/** Returns the target of a symlink, such as a dotfile in a repository, so that the symlink is kept. */
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

/** Removes the empty folders that `connect` created. After the last copy, also removes the folder of copies. */
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

/** Returns the mode of a file. Only the owner can read a new file, because it may contain secrets. */
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
