import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { DomainError } from '../../runtime/domain-error.ts';

export interface FileChange {
  readonly path: string;
  /** Absent where there is no file yet. */
  readonly before: string | undefined;
  readonly after: string;
}

/** The files as they are, and as they will be. */
export class Texts {
  readonly #before = new Map<string, string | undefined>();
  readonly #after = new Map<string, string>();

  before(path: string): string | undefined {
    if (!this.#before.has(path)) this.#before.set(path, readIfThere(path));
    return this.#before.get(path);
  }

  get(path: string): string {
    return this.#after.get(path) ?? this.before(path) ?? '';
  }

  set(path: string, text: string): void {
    this.before(path);
    this.#after.set(path, text);
  }

  changes(): FileChange[] {
    const all = [...this.#after].map(([path, after]) => ({ path, before: this.#before.get(path), after }));
    return all.filter(({ before, after }) => before !== after && !(before === undefined && after === ''));
  }
}

function readIfThere(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new DomainError('cannot_read', `${path} is not UTF-8 text`, { hint: 'Change it by hand.' });
}
