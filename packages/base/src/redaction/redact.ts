import { redactAssignments } from './redact/assignments.ts';
import { redactCallShapes } from './redact/call-shapes.ts';
import { redactLongRuns } from './redact/long-runs.ts';
import { redactPlainSettings } from './redact/plain-settings.ts';
import { redactPrivateKeys } from './redact/private-keys.ts';
import { tokenPatterns } from './redact/token-patterns.ts';
import { redactUrlPasswords } from './redact/url-passwords.ts';

/**
 * The text without its secrets. Line count and quoting survive, so a redacted source still parses and its
 * line numbers hold; running it twice changes nothing more.
 */
export function redactSecrets(text: string): string {
  const known = redactUrlPasswords(redactTokens(redactPrivateKeys(text)));
  return redactAssignments(redactCallShapes(known));
}

/** The same for a file no parser knows: settings, scripts, documents. */
export function redactUnparsed(text: string): string {
  return redactSecrets(redactPlainSettings(text));
}

function redactTokens(text: string): string {
  let clean = redactLongRuns(text);
  for (const { label, pattern, hint } of tokenPatterns) {
    if (hint !== undefined && !clean.includes(hint)) continue;
    clean = clean.replace(pattern, (match, prefix: unknown) =>
      typeof prefix === 'string' && match.startsWith(prefix)
        ? `${prefix}[REDACTED:${label}]`
        : `[REDACTED:${label}]`,
    );
  }
  return clean;
}
