import { isUtf8 } from 'node:buffer';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { readRegularFile } from '@secateur/base/runtime/open-regular-file.ts';
import { tryParseToml } from '@secateur/serving/config/config-file.ts';
import { parsedObject } from './jsonc.ts';

export interface FileChange {
  readonly path: string;
  /** `undefined` if the file does not exist yet. */
  readonly before: string | undefined;
  readonly after: string;
  /** Default: the mode of the file, 0600 for a new one. */
  readonly mode?: number;
}

/** The files as they are, and as they will be. */
export class Texts {
  readonly #before = new Map<string, string | undefined>();
  readonly #after = new Map<string, { text: string; mode: number | undefined }>();

  before(path: string): string | undefined {
    if (!this.#before.has(path)) this.#before.set(path, readClientFile(path));
    return this.#before.get(path);
  }

  get(path: string): string {
    return this.#after.get(path)?.text ?? this.before(path) ?? '';
  }

  /** Throws if the file could not be read again with this text. */
  set(path: string, text: string, mode?: number): void {
    this.before(path);
    requireReadable(path, text);
    this.#after.set(path, { text, mode });
  }

  changes(): FileChange[] {
    const all = [...this.#after].map(([path, { text, mode }]) => ({
      path,
      before: this.#before.get(path),
      after: text,
      ...(mode !== undefined && { mode }),
    }));
    return all.filter(({ before, after }) => before !== after && !(before === undefined && after === ''));
  }
}

/** Throws if a text that is to be written to `path` could not be read again. */
export function requireReadable(path: string, text: string): void {
  try {
    if (path.endsWith('.toml')) requireToml(text);
    else if (/\.jsonc?$/.test(path)) parsedObject(text, path);
  } catch (cause) {
    throw new DomainError('cannot_write', `${path} could not be read any more after this change`, {
      hint: 'Nothing was changed. Please report this with the notation of the file; it has to be changed by hand.',
      cause,
    });
  }
}

function requireToml(text: string): void {
  const table = tryParseToml(text);
  if (table instanceof Error) throw table;
}

const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Reads a file of a client's settings, or our copy of one; `undefined` if it does not exist. */
export function readClientFile(path: string): string | undefined {
  const file = readRegularFile(path, { maxBytes: MAX_FILE_BYTES, followLinks: true });
  if (file.kind === 'read' && isUtf8(file.bytes)) return file.bytes.toString('utf8');
  if (file.kind === 'refused' && file.code === 'missing') return undefined;
  const reason = file.kind === 'read' ? 'is not UTF-8 text' : file.reason;
  throw new DomainError('cannot_read', `${path} ${reason}`, {
    hint: 'Nothing was changed. Move it away or repair it, then run the command again.',
  });
}
