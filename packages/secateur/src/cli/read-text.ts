import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { readAtMost } from '@secateur/base/runtime/bounded-reading.ts';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { usageError } from '@secateur/serving/commands/exit-codes.ts';
import type { Terminal } from '@secateur/serving/commands/terminal.ts';

/** Reads a file, or standard input if no path or `-` is given. */
export async function readBytes(path: string | undefined, { input }: Terminal): Promise<Buffer> {
  if (path !== undefined && path !== '-') return readNamedFile(path);
  if (input.isTTY === true) throw usageError('give a file or pipe a text in');
  const bytes = await readAtMost(input, MAX_INPUT_BYTES);
  if (bytes !== undefined) return bytes;
  throw new DomainError('input_too_large', `standard input is longer than ${MAX_INPUT_BYTES} bytes`, {
    hint: 'Pipe in a part of it, such as `tail -n 100000`.',
  });
}

/** Nearly as long as a string of V8 can be. */
const MAX_INPUT_BYTES = 512 * 1024 * 1024;

/** Returns whether bytes are text: no NUL near the start, as in git and grep. */
export function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.subarray(0, 8000).includes(0);
}

async function readNamedFile(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EISDIR')
      throw new DomainError('cannot_read', `${path} is a folder`, { hint: 'Name a file in it.', cause });
    throw new DomainError('cannot_read', `${path} cannot be read`, {
      hint: 'Check the name and its permissions.',
      cause,
    });
  }
}
