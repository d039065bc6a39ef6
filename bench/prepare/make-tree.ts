import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A tree of plausible TypeScript modules, about 130 lines each, a hundred a folder; the same for the same count. */
export function makeTree(root: string, count: number): number {
  let bytes = 0;
  const old = new Date(Date.now() - 60_000);
  for (let at = 0; at < count; at += 1) {
    const path = join(root, fileName(at));
    mkdirSync(dirname(path), { recursive: true });
    const text = source(at);
    writeFileSync(path, text);
    // As a checkout would be: not written in the same second as it is read.
    utimesSync(path, old, old);
    bytes += text.length;
  }
  return bytes;
}

function fileName(at: number): string {
  return `area-${Math.floor(at / 100)}/part-${at % 100}.ts`;
}

function source(at: number): string {
  const before = Math.max(0, at - 1 - (at % 7));
  const folder =
    Math.floor(at / 100) === Math.floor(before / 100) ? '.' : `../area-${Math.floor(before / 100)}`;
  return `import { readFile } from 'node:fs/promises';
import type { Part${before}Options } from '${folder}/part-${before % 100}.ts';

/** How part ${at} is told what to do. */
export interface Part${at}Options<Item = unknown> extends Partial<Part${before}Options> {
  /** Retries before giving up; at least ${at % 5}. */
  readonly retries?: number;
  items: readonly Item[];
  onItem(item: Item, index: number): Promise<void> | void;
}

export type Part${at}Outcome = { kind: 'done'; count: number } | { kind: 'failed'; error: Error; at: ${at} };

export enum Part${at}Level {
  Low = 'low',
  High = 'high',
}

export const part${at}Limit: number = ${at * 10};

${Array.from({ length: 4 }, (_, step) => helper(at, step)).join('\n')}
/** Runs part ${at}. Throws when an item cannot be read. */
export class Part${at}<Item extends { id: string }> {
  readonly #options: Part${at}Options<Item>;
  protected count = 0;

  constructor(options: Part${at}Options<Item>) {
    this.#options = options;
  }

  async run(signal?: AbortSignal): Promise<Part${at}Outcome> {
    for (const [index, item] of this.#options.items.entries()) {
      if (signal?.aborted) return { kind: 'failed', error: new Error('aborted'), at: ${at} };
      await this.#options.onItem(item, index);
      this.count += 1;
    }
    return { kind: 'done', count: this.count };
  }

  // TODO: cache the text of item ${at}
  protected async read(item: Item): Promise<string> {
    const text = await readFile(item.id, 'utf8');
    return text.trim();
  }
}

function hidden${at}(value: number): number {
  return value * ${at};
}

export default hidden${at};
`;
}

function helper(at: number, step: number): string {
  return `/** Step ${step} of part ${at}: folds the values into one. */
export function step${step}Of${at}<T>(values: readonly T[], pick: (value: T) => number, start = ${step}): number {
  let total = start;
  for (const value of values) {
    const picked = pick(value);
    if (Number.isNaN(picked)) {
      throw new RangeError(\`value \${String(value)} of part ${at} is no number\`);
    }
    total += picked > ${step} ? picked : -picked;
  }
  return total;
}
`;
}
