import { readFile } from 'node:fs/promises';
import { text as readStream } from 'node:stream/consumers';
import { DomainError } from '../runtime/domain-error.ts';
import type { Terminal } from './terminal.ts';
import { usageError } from './usage-error.ts';

/** The text of a file, or of standard input when there is none or it is called `-`. */
export async function readText(path: string | undefined, { input }: Terminal): Promise<string> {
  if (path !== undefined && path !== '-') return readNamedFile(path);
  if (input.isTTY === true) throw usageError('give a file or pipe a text in');
  return readStream(input);
}

async function readNamedFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new DomainError('cannot_read', `${path} cannot be read`, {
      hint: 'Check the name and its permissions.',
      cause,
    });
  }
}
