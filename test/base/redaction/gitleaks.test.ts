import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assignedRules, tokenRules } from '../../../packages/base/src/redaction/redact/gitleaks-rules.ts';
import { redactSecrets } from '../../../packages/base/src/redaction/redact.ts';

/** Returns a text that the pattern matches, of characters that an issuer would use. Padding is at the end. */
function sampleOf(pattern: string): string {
  const texts = fc.sample(fc.stringMatching(new RegExp(`^(?:${pattern})$`)), { numRuns: 60, seed: 7 });
  return (
    texts.find(
      (text) => !/[=%]/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text) && new Set(text).size > 9,
    ) ?? ''
  );
}

/** Rules of gitleaks that `scripts/secret-rules.ts` omits, because our own rules match their tokens. */
const COVERED_RULES: typeof tokenRules = [
  ['age-secret-key', 'AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}'],
  ['airtable-personnal-access-token', '(?:pat[A-Za-z0-9]{14}\\.[a-f0-9]{64})'],
  ['anthropic-admin-api-key', '(?:sk-ant-admin01-[a-zA-Z0-9_\\-]{93}AA)'],
  ['anthropic-api-key', '(?:sk-ant-api03-[a-zA-Z0-9_\\-]{93}AA)'],
  ['cloudflare-origin-ca-key', '(?:v1\\.0-[a-f0-9]{24}-[a-f0-9]{146})'],
  ['databricks-api-token', '(?:dapi[a-f0-9]{32}(?:-\\d)?)'],
  ['digitalocean-access-token', '(?:doo_v1_[a-f0-9]{64})'],
  ['digitalocean-pat', '(?:dop_v1_[a-f0-9]{64})'],
  ['easypost-api-token', 'EZAK[A-Za-z0-9]{54}'],
  ['easypost-test-api-token', 'EZTK[A-Za-z0-9]{54}'],
  ['gcp-api-key', '(?:AIza[\\w-]{35})'],
  ['github-app-token', '(?:ghu|ghs)_[0-9a-zA-Z]{36}'],
  ['github-fine-grained-pat', 'github_pat_\\w{82}'],
  ['github-oauth', 'gho_[0-9a-zA-Z]{36}'],
  ['github-pat', 'ghp_[0-9a-zA-Z]{36}'],
  ['github-refresh-token', 'ghr_[0-9a-zA-Z]{36}'],
  ['heroku-api-key-v2', '(?:(?:HRKU-AA[0-9a-zA-Z_-]{58}))'],
  ['linear-api-key', 'lin_api_[A-Za-z0-9]{40}'],
  ['notion-api-token', '(?:ntn_[0-9]{11}[A-Za-z0-9]{32}[A-Za-z0-9]{3})'],
  ['planetscale-api-token', '(?:pscale_tkn_[\\w=\\.-]{32,64})'],
  ['planetscale-oauth-token', '(?:pscale_oauth_[\\w=\\.-]{32,64})'],
  ['pulumi-api-token', '(?:pul-[a-f0-9]{40})'],
  ['pypi-upload-token', 'pypi-AgEIcHlwaS5vcmc[\\w-]{50,1000}'],
  ['rubygems-api-token', '(?:rubygems_[a-f0-9]{48})'],
  ['sendinblue-api-token', '(?:xkeysib-[a-f0-9]{64}\\-[A-Za-z0-9]{16})'],
  ['sentry-user-token', '(?:sntryu_[a-f0-9]{64})'],
  ['shopify-access-token', 'shpat_[a-fA-F0-9]{32}'],
  ['shopify-custom-access-token', 'shpca_[a-fA-F0-9]{32}'],
  ['shopify-private-app-access-token', 'shppa_[a-fA-F0-9]{32}'],
  ['shopify-shared-secret', 'shpss_[a-fA-F0-9]{32}'],
];

it('[X10] redactSecrets redacts tokens of every issuer whose token format gitleaks knows', () => {
  const rules = [...tokenRules, ...COVERED_RULES];
  const kept = rules.filter(([, shape]) => {
    const token = sampleOf(shape);
    return token !== '' && redactSecrets(`call("${token}");`).includes(token);
  });
  expect(kept).toEqual([]);
  expect(rules.length).toBeGreaterThan(60);
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
