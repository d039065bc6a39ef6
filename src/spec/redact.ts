import { redactAssignments } from './redact/assignments.ts';
import { redactPrivateKeys } from './redact/private-keys.ts';
import { openSuspicion } from './redact/suspicion.ts';
import { tokenPatterns } from './redact/token-patterns.ts';
import { redactUrlPasswords } from './redact/url-passwords.ts';

/**
 * The text without its secrets. Line count and quoting survive, so a redacted source still parses and its
 * line numbers hold; running it twice changes nothing more.
 */
export function redactSecrets(text: string): string {
  let clean = redactPrivateKeys(text);
  for (const { label, pattern, hint } of tokenPatterns) {
    if (hint !== undefined && !clean.includes(hint)) continue;
    clean = clean.replace(pattern, (match, prefix: unknown) =>
      typeof prefix === 'string' && match.startsWith(prefix)
        ? `${prefix}[REDACTED:${label}]`
        : `[REDACTED:${label}]`,
    );
  }
  clean = redactUrlPasswords(clean);
  return redactAssignments(clean);
}

/** The same for many texts: one that cannot hold a secret is passed on as it is. */
export function createRedactor(): (text: string) => string {
  const mayHoldSecrets = openSuspicion();
  return (text) => (mayHoldSecrets(text) ? redactSecrets(text) : text);
}
