import { normaliseCode } from '../reading/normalise-code.ts';
import type { SkeletonExport } from '../reading/skeleton.ts';

/**
 * Blocks that open one type several times (`impl A`, `extension A`, a class of Ruby) are one: in which a member stands is no
 * matter. So are macros that are there once for the documentation and once for the compiler.
 */
export function joinBlocks(exports: readonly SkeletonExport[], language: string): SkeletonExport[] {
  const blocks = new Map<string, SkeletonExport>();
  for (const [at, symbol] of exports.entries()) {
    const key = isReopened(symbol, language) ? keyOf(symbol, language) : String(at);
    const known = blocks.get(key);
    blocks.set(key, known === undefined ? symbol : joined(known, symbol));
  }
  return [...blocks.values()];
}

function isReopened({ kind }: SkeletonExport, language: string): boolean {
  if (language === 'rust' && kind === 'macro') return true;
  return kind === 'impl' || (language === 'ruby' && (kind === 'class' || kind === 'namespace'));
}

/** Attributes before a block say under which condition it is there. */
function keyOf({ name, kind, signature }: SkeletonExport, language: string): string {
  const words = normaliseCode(signature, language);
  return `${kind}\0${name}\0${words.slice(Math.max(0, words.search(/\b(?:impl|extension|class|module|macro_rules)\b/)))}`;
}

function joined(one: SkeletonExport, other: SkeletonExport): SkeletonExport {
  const members = [...(one.members ?? []), ...(other.members ?? [])];
  return { ...one, ...(members.length > 0 && { members }) };
}
