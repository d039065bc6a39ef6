import type { FileHandle } from 'node:fs/promises';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { openInside, type WorkspaceRoot } from '../root.ts';

/** A file or folder to search, opened and found to lie inside the root. */
export interface Target {
  handle: FileHandle;
  /** Real path, relative to the root. */
  path: string;
  isDirectory: boolean;
}

/** All of them or none; the caller closes them. */
export async function openTargets(root: WorkspaceRoot, paths: readonly string[]): Promise<Target[]> {
  const opened = await Promise.allSettled(paths.map((path) => openTarget(root, path)));
  const targets = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failure = opened.find((each) => each.status === 'rejected');
  if (failure === undefined) return targets;
  await closeTargets(targets);
  throw failure.reason;
}

async function openTarget(root: WorkspaceRoot, path: string): Promise<Target> {
  const { handle, path: real } = await openInside(root, path);
  const found = await handle.stat();
  if (found.isFile() || found.isDirectory()) return { handle, path: real, isDirectory: found.isDirectory() };
  await handle.close();
  throw new DomainError('invalid_path', `${path}: is neither a file nor a directory`);
}

export async function closeTargets(targets: readonly Target[]): Promise<void> {
  await Promise.all(targets.map(({ handle }) => handle.close()));
}
