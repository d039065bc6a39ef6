import { isUtf8 } from 'node:buffer';
import { DomainError } from '../../runtime/domain-error.ts';
import { readRegularFile } from '../../runtime/open-regular-file.ts';

export interface FileChange {
  readonly path: string;
  /** Absent where there is no file yet. */
  readonly before: string | undefined;
  readonly after: string;
  /** Absent for files whose mode stays as it is. */
  readonly mode?: number | undefined;
}

/** The files as they are, and as they will be. */
export class Texts {
  readonly #before = new Map<string, string | undefined>();
  readonly #after = new Map<string, string>();
  readonly #modes = new Map<string, number>();

  before(path: string): string | undefined {
    if (!this.#before.has(path)) this.#before.set(path, readClientFile(path));
    return this.#before.get(path);
  }

  get(path: string): string {
    return this.#after.get(path) ?? this.before(path) ?? '';
  }

  set(path: string, text: string, mode?: number): void {
    this.before(path);
    this.#after.set(path, text);
    if (mode !== undefined) this.#modes.set(path, mode);
  }

  changes(): FileChange[] {
    const all = [...this.#after].map(([path, after]) => ({
      path,
      before: this.#before.get(path),
      after,
      mode: this.#modes.get(path),
    }));
    return all.filter(({ before, after }) => before !== after && !(before === undefined && after === ''));
  }
}

const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Reads a file of a client's settings, or our backup of one; `undefined` if there is none. */
export function readClientFile(path: string): string | undefined {
  const file = readRegularFile(path, { maxBytes: MAX_FILE_BYTES, followLinks: true });
  if (file.kind === 'read' && isUtf8(file.bytes)) return file.bytes.toString('utf8');
  if (file.kind === 'refused' && file.code === 'missing') return undefined;
  const reason = file.kind === 'read' ? 'is not UTF-8 text' : file.reason;
  throw new DomainError('cannot_read', `${path} ${reason}`, {
    hint: 'Nothing was changed. Move it away or repair it, then run the command again.',
  });
}
