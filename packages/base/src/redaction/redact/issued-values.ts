import { isPublicName } from '../secret-names.ts';
import { assignedRules } from './gitleaks-rules.ts';
import { isRandomEnough } from './randomness.ts';

const SOME_ISSUER = new RegExp(assignedRules.map(([, names]) => names).join('|'), 'i');
const RULES = assignedRules.map(([, names, value]) => ({
  names: new RegExp(names, 'i'),
  value: new RegExp(`^(?:${value})$`),
}));

/** Whether the name speaks of an issuer whose keys look like the value: `algoliaAdmin = "…32 characters…"`. */
export function isIssuedTo(name: string, value: string): boolean {
  if (!SOME_ISSUER.test(name) || isPublicName(name) || !isRandomEnough(value)) return false;
  return RULES.some((rule) => rule.names.test(name) && rule.value.test(value));
}
