import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assignedRules, tokenRules } from '../../../packages/base/src/redaction/redact/gitleaks-rules.ts';
import { redactSecrets } from '../../../packages/base/src/redaction/redact.ts';

/** A text the pattern matches, of characters an issuer would draw; padding comes last, if at all. */
function sampleOf(pattern: string): string {
  const texts = fc.sample(fc.stringMatching(new RegExp(`^(?:${pattern})$`)), { numRuns: 60, seed: 7 });
  return (
    texts.find(
      (text) => !/[=%]/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text) && new Set(text).size > 9,
    ) ?? ''
  );
}

it('[X10] redactSecrets redacts tokens of every issuer whose token format gitleaks knows', () => {
  const kept = tokenRules.filter(([, shape]) => {
    const token = sampleOf(shape);
    return token !== '' && redactSecrets(`call("${token}");`).includes(token);
  });
  expect(kept).toEqual([]);
  expect(tokenRules.length).toBeGreaterThan(60);
});

it('[X10] redactSecrets redacts values assigned to the key names of every issuer that gitleaks knows', () => {
  const rules = assignedRules.flatMap(([value, names]) =>
    names.split(' ').map((each) => [value, each] as const),
  );
  const kept = rules.filter(([value, names]) => {
    const key = sampleOf(value);
    const [name = ''] = fc.sample(fc.stringMatching(new RegExp(`^(?:${names})$`)), { numRuns: 1, seed: 3 });
    return key !== '' && redactSecrets(`${name}_value = "${key}";`).includes(key);
  });
  expect(kept).toEqual([]);
  expect(rules.length).toBeGreaterThan(80);
});

it.each([
  'const linearGradient = "to right";',
  'discordChannel = "general-announcements-and-updates";',
  'const twitterHandle = "some_account_name_of_25ch";',
  'sentryRelease: "4.12.0-beta.3",',
  'const netlifySite = "https://docs.example.com/guide/getting-started";',
])('[X10] redactSecrets redacts nothing in a line that only mentions an issuer: %s', (line) => {
  expect(redactSecrets(line)).toBe(line);
});
