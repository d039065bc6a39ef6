import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileWasm, wasmModules } from '../../scripts/build-wasm.ts';
import { openSuspicion } from '../../src/spec/redact/suspicion.ts';
import { tokenPatterns } from '../../src/spec/redact/token-patterns.ts';
import { createRedactor, redactSecrets } from '../../src/spec/redact.ts';

const mayHoldSecrets = openSuspicion();
const redact = createRedactor();

const run = (length: number) => 'aB3dE6gH9kLmN0pQrS5tUvWxYz12'.repeat(6).slice(0, length);
const upper = (length: number) => 'Q7RSTUVWXYZABCDE'.repeat(2).slice(0, length);
const hex = (length: number) => '0a1b2c3d4e5f6789'.repeat(8).slice(0, length);

/** At least one of each shape, and each way a shape may begin. */
const tokens: readonly string[] = [
  ...['AKIA', 'ASIA', 'AROA', 'AIDA', 'AGPA', 'ANPA', 'ABIA', 'ACCA'].map((start) => start + upper(16)),
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'].map((start) => start + run(36)),
  ...['glpat-', 'glrt-', 'glptt-', 'gldt-', 'glsoat-'].map((start) => start + run(24)),
  ...['xoxa-', 'xoxb-', 'xoxe-', 'xoxp-', 'xoxo-', 'xoxs-', 'xoxr-', 'xapp-'].map((start) => start + run(20)),
  ...['services', 'workflows'].map((kind) => `https://hooks.slack.com/${kind}/${run(30)}`),
  ...['sk_live_', 'rk_test_', 'pk_live_', 'whsec_', 'sk-ant-', 'sk-', 'sk-proj-'].map(
    (start) => start + run(30),
  ),
  ...['ya29.', 'GOCSPX-', 'pypi-', 'hf_'].map((start) => start + run(40)),
  ...['doo_v1_', 'dop_v1_', 'dor_v1_'].map((start) => start + hex(64)),
  ...['shpat_', 'shpca_', 'shppa_', 'shpss_'].map((start) => start + hex(32)),
  ...['AccountKey=', 'SharedAccessKey=', '?sig=', '&sig='].map((start) => start + run(44)),
  ...['Bearer ', 'Basic ', 'Bearer\t', 'Basic\u00a0'].map((start) => start + run(32)),
  `AIza${run(35)}`,
  `npm_${run(36)}`,
  `SG.${run(20)}.${run(30)}`,
  `123456789:AA${run(33)}`,
  `eyJ${run(12)}.eyJ${run(20)}.${run(20)}`,
];

const others: readonly string[] = [
  `-----BEGIN PRIVATE KEY-----\n${run(64)}\n-----END PRIVATE KEY-----`,
  'postgres://app:s3cr3t@db.internal/main',
  'redis://:s3:cr3t@cache',
  `password = "hunter2!"`,
  `let dbPasswd: string = 'hunter2!'`,
  `{ "passphrase": "c0rrect-h0rse" }`,
  `API_KEY=f'${run(20)}'`,
  `credentials => b"${run(20)}"`,
  `const pwd\u3000=\u3000\`${run(12)}\``,
  `blob = '${run(40)}'`,
  `// export CLIENT_SECRET=${run(20)}`,
  `# auth_token\t:\n  ${run(20)}`,
  `* my-private-key = ${run(16)}`,
];

it('runs the module that its source compiles to', async () => {
  const { secrets } = wasmModules;
  expect(Buffer.compare(readFileSync(secrets.compiled), await compileWasm(secrets))).toBe(0);
});

it('[R14] every kind of secret is suspected, wherever in a text it stands', () => {
  for (const { label, pattern } of tokenPatterns)
    expect(tokens.filter((token) => new RegExp(pattern.source).test(token)).length, label).toBeGreaterThan(0);
  for (const secret of [...tokens, ...others]) {
    expect(redactSecrets(secret), secret).not.toBe(secret);
    for (const text of [secret, `é${secret}`, `日本 ${secret}`, `${'x'.repeat(200_000)}\n${secret}`])
      expect(redact(text), secret).toBe(redactSecrets(text));
  }
});

it('[R14] nobody can tell whether the patterns were tried', () => {
  const piece = fc.oneof(
    fc.constantFrom(...tokens, ...others),
    fc.constantFrom('"', "'", '`', '=', ':', ' = ', '://', '@', '\n', '// ', '#', '_', '-', 'Key', 'token'),
    fc.string({ maxLength: 12 }),
  );
  const cut = fc.tuple(piece, fc.nat(8)).map(([text, from]) => text.slice(from));
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, cut), { maxLength: 8 }), (pieces) => {
      const text = pieces.join('');
      expect(redact(text)).toBe(redactSecrets(text));
    }),
    { numRuns: 3_000 },
  );
});

it('does not suspect ordinary code', () => {
  const code = `import { keyOf } from './token-keys.ts';
/** Keeps a task-list: see https://example.com/a@b for the rest. */
export class Basket { label = 'account-17'; limit: number = 12_000; get BASIC(): Basic { return this.k_; } }
const url = 'https://example.com/a?page=2', names = { frame: 'frame-of-part-11' };`;
  expect(mayHoldSecrets(code)).toBe(false);
  expect(redact(code)).toBe(code);
});
