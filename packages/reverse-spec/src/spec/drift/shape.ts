import { plainName } from '../reading/namespaces.ts';
import { codeTokens } from '../reading/normalise-code.ts';
import type { SkeletonExport } from '../reading/skeleton.ts';
import { withOneSpelling } from './type-synonyms.ts';

/** A signature as it is compared: neither the spelling of a type nor how the name is exported (in place, or in a list) changes anything for its users. */
export function comparable({ signature }: Pick<SkeletonExport, 'signature'>, language: string): string {
  return withOneSpelling(codeTokens(signature, language), language)
    .join(' ')
    .replace(/^export (?:default )?(?!\{|\*|=)/, '');
}

/** What an export is apart from its own name: equal shapes under two names are a rename. */
export function shapeOf(symbol: SkeletonExport, language: string): string {
  const name = plainName(symbol.name);
  const signature = comparable(symbol, language)
    .split(' ')
    .map((token) => (token === name ? '\u0000' : token))
    .join(' ');
  const members = (symbol.members ?? [])
    .map((member) => `${member.name}:${shapeOf(member, language)}`)
    .sort();
  return JSON.stringify([symbol.kind, signature, members]);
}
