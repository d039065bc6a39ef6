import type { FileHandle } from 'node:fs/promises';
import { DomainError } from '../runtime/domain-error.ts';
import { boundaryBefore, utf8Prefix } from '../text/byte-cuts.ts';
import { fileFailure, openInside, type WorkspaceRoot } from './root.ts';

export interface FileText {
  text: string;
  /** UTF-8 bytes of `text`. */
  bytes: number;
  /** Whether the file goes on after `text`. */
  truncated: boolean;
}

/** The text of a regular file, at most `maxBytes` of it, cut between characters. Reads no more than it returns. */
export async function readFileInside(root: WorkspaceRoot, path: string, maxBytes: number): Promise<FileText> {
  const { handle } = await openInside(root, path);
  try {
    const { size } = await regularFile(handle, path);
    return decode(await readUpTo(handle, maxBytes + 1, size), { path, maxBytes });
  } catch (cause) {
    throw fileFailure(path, cause);
  } finally {
    await handle.close();
  }
}

async function regularFile(handle: FileHandle, path: string): Promise<{ size: number }> {
  const found = await handle.stat();
  if (found.isFile()) return found;
  throw new DomainError(
    'invalid_path',
    `${path}: is ${found.isDirectory() ? 'a directory' : 'not a regular file'}`,
  );
}

/** The size is a hint only: a file may grow meanwhile, and some say 0 while they hold text. */
async function readUpTo(handle: FileHandle, maxBytes: number, sizeHint: number): Promise<Buffer> {
  let buffer = Buffer.allocUnsafe(Math.min(maxBytes, sizeHint + 1));
  let length = 0;
  for (;;) {
    if (length === buffer.length) {
      if (length === maxBytes) return buffer;
      buffer = Buffer.concat([buffer], Math.min(maxBytes, Math.max(65_536, length * 2)));
    }
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
}

function decode(bytes: Buffer, { path, maxBytes }: { path: string; maxBytes: number }): FileText {
  // The rule of git and grep: a NUL near the start means it is no text.
  if (bytes.subarray(0, 8_000).includes(0)) {
    throw new DomainError('io_error', `${path}: is a binary file; only text can be read`);
  }
  const whole = bytes.toString('utf8', 0, boundaryBefore(bytes, maxBytes));
  // Bytes that are not UTF-8 become U+FFFD, which is three bytes long: the text may need a second cut.
  const text = utf8Prefix(whole, maxBytes);
  return {
    text,
    bytes: Buffer.byteLength(text),
    truncated: bytes.length > maxBytes || text.length < whole.length,
  };
}
