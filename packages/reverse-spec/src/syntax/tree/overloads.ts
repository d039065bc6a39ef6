import type { Declaration } from '../outline.ts';

const OVERLOADABLE: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);

/** Merges adjacent signatures of one function into one declaration, with one signature per line. */
export function mergeOverloads(
  declarations: readonly Declaration[],
  isVariant: (declaration: Declaration) => boolean = ({ bodyStartLine }) => bodyStartLine === undefined,
): Declaration[] {
  const merged: Declaration[] = [];
  for (const next of declarations) {
    const last = merged.at(-1);
    if (
      last !== undefined &&
      isVariant(last) &&
      last.name === next.name &&
      last.kind === next.kind &&
      OVERLOADABLE.has(next.kind)
    )
      merged[merged.length - 1] = join(last, next);
    else merged.push(next);
  }
  return merged;
}

function join(last: Declaration, next: Declaration): Declaration {
  return {
    ...last,
    signature: `${last.signature}\n${next.signature}`,
    doc: last.doc ?? next.doc,
    exported: last.exported || next.exported,
    endLine: next.endLine,
    bodyStartLine: next.bodyStartLine,
  };
}
