import { normaliseCode } from '../normalise-code.ts';
import type { SkeletonExport } from '../skeleton.ts';

/** What an export is apart from its own name: equal shapes under two names are a rename. */
export function shapeOf(symbol: SkeletonExport, language: string): string {
  const signature = withoutName(normaliseCode(symbol.signature, language), symbol.name);
  const members = (symbol.members ?? []).map((member) => `${member.name}:${shapeOf(member, language)}`);
  return JSON.stringify([symbol.kind, signature, members]);
}

function withoutName(signature: string, name: string): string {
  return signature
    .split(' ')
    .map((token) => (token === name ? '\u0000' : token))
    .join(' ');
}
