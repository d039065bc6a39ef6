import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactSecrets } from '../../src/spec/redact.ts';

const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const chars = (alphabet: string, length: number) =>
  fc
    .array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length })
    .map((list) => list.join(''));
/** Random text as a key generator makes it: never a plain word by chance. */
const random = (length: number) =>
  chars(BASE62, length - 3).map((text) => `${text.slice(0, 3)}7q${text.slice(3)}Z`);

const shapes: Record<string, fc.Arbitrary<string>> = {
  aws: chars('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16).map((text) => `AKIA${text}`),
  github: random(36).map((text) => `ghp_${text}`),
  anthropic: random(40).map((text) => `sk-ant-api03-${text}`),
  openai: random(48).map((text) => `sk-proj-${text}`),
  slack: random(24).map((text) => `xoxb-${text}`),
  google: random(35).map((text) => `AIza${text}`),
  npm: random(36).map((text) => `npm_${text}`),
  jwt: fc.tuple(random(20), random(30), random(43)).map(([a, b, c]) => `eyJ${a}.eyJ${b}.${c}`),
  bearer: random(40).map((text) => `Bearer ${text}`),
};

const wrappings: ((secret: string) => string)[] = [
  (secret) => `export const value = '${secret}';`,
  (secret) => `/** Call it with ${secret} or it fails. */`,
  (secret) => `# see ${secret}`,
  (secret) => `function f(x = "${secret}") {}`,
];

it('[R14] removes credentials of a known shape wherever they stand', () => {
  for (const shape of Object.values(shapes)) {
    fc.assert(
      fc.property(shape, fc.constantFrom(...wrappings), (secret, wrap) => {
        const clean = redactSecrets(wrap(secret));
        const kept = secret.split(' ').at(-1) ?? secret;
        expect(clean).not.toContain(kept);
        expect(clean).toContain('[REDACTED:');
      }),
      { numRuns: 60 },
    );
  }
});

it('[R14] removes values assigned to secret names, and generated keys assigned to anything', () => {
  const named = ['password', 'apiKey', 'CLIENT_SECRET', 'authToken', 'db_passwd', 'AWS_SECRET_ACCESS_KEY'];
  fc.assert(
    fc.property(fc.constantFrom(...named), random(20), (name, value) => {
      for (const line of [`${name} = "${value}"`, `${name}: '${value}',`, `"${name}": "${value}"`]) {
        expect(redactSecrets(line)).not.toContain(value);
      }
      expect(redactSecrets(`// export ${name}=${value}`)).not.toContain(value);
    }),
  );
  expect(redactSecrets(`const blob = 'aG9sYTE5c2Vjc0V4WWp3b1BsM25hN2RkSzkyMWxRb1Zi';`)).toContain(
    '[REDACTED:secret]',
  );
  expect(redactSecrets(`const key: string = "p4ssw0rd!x";\nlet password: string = "hunter2!";`)).toContain(
    'password: string = "[REDACTED:secret]"',
  );
});

it('[R14] removes private keys in one block, in a comment and in a chain of literals', () => {
  const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
  const block = `/*\n * -----BEGIN RSA PRIVATE KEY-----\n * ${body}\n * ${body}\n * -----END RSA PRIVATE KEY-----\n */`;
  const chain = `const pem = "-----BEGIN PRIVATE KEY-----\\n" +\n  "${body}\\n" +\n  "-----END PRIVATE KEY-----\\n";`;
  const unfinished = `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}`;
  for (const text of [block, chain, unfinished]) {
    const clean = redactSecrets(text);
    expect(clean).not.toContain(body.slice(0, 20));
    expect(clean.split('\n')).toHaveLength(text.split('\n').length);
  }
  expect(redactSecrets(chain)).toBe(
    `const pem = "-----BEGIN PRIVATE KEY-----\\n" +\n  "[REDACTED:private-key]\\n" +\n  "-----END PRIVATE KEY-----\\n";`,
  );
});

it('[R14] removes the password of a URL and leaves the rest of it', () => {
  expect(redactSecrets('postgres://app:s3cr3t@db.internal:5432/main')).toBe(
    'postgres://app:[REDACTED:url-password]@db.internal:5432/main',
  );
  const template = 'postgres://app:$' + '{password}@db/main';
  expect(redactSecrets(template)).toBe(template);
});

it('[R14] leaves checksums, ids, alphabets, names and ordinary code alone', () => {
  const harmless = [
    `"integrity": "sha512-q8Zc0GRZyEjYc2r8bT8hQ3m9zC8H5cI0n4hJ3Q3X0xwYtKQv2FvN1k0bD8b2c5yQ=="`,
    `const commit = '9fceb02d0ae598e95dc970b74767f19372d61af8';`,
    `const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';`,
    `const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';`,
    `const id = '123e4567-e89b-12d3-a456-426614174000';`,
    `const tokenType = 'access_token';`,
    `<input name="password" autocomplete="current-password">`,
    `secretName: 'my-secret-name',`,
    `const apiKey = process.env.SERVICE_API_KEY_2;`,
    `function renewToken(token: string, maxTokens = 4096): Promise<Token>`,
    `import { tokenizeIdentifiersAndKeywords } from './tokenizeIdentifiersAndKeywords.ts';`,
    `const url = 'https://example.com/a/b?page=2';`,
    `token: 'YOUR_TOKEN', password: '<password>'`,
    `const TOKEN_ENDPOINT = '/v1/oauth/token';`,
    `const token = 'https://auth.example.com/v2/token';`,
    `type TokenType = 'cache_creation.ephemeral_1h_input_tokens';`,
    `const _errorName = 'InvalidBase64UrlEncodedSha256PathPrefixError';`,
  ];
  for (const line of harmless) expect(redactSecrets(line)).toBe(line);
});

it('[R14] changes nothing the second time and keeps every line in its place', () => {
  const line = fc.oneof(
    fc.string(),
    ...Object.values(shapes).map((shape) => shape.map((secret) => `let a = "${secret}"`)),
    random(24).map((text) => `password = '${text}' // token: ${text}`),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const once = redactSecrets(lines.join('\n'));
      expect(redactSecrets(once)).toBe(once);
      expect(once.split('\n')).toHaveLength(lines.join('\n').split('\n').length);
    }),
  );
});

it('[R14] reads a megabyte of anything in time, whatever the patterns make of it', () => {
  const hard = [
    'sk-',
    'a-',
    'a.',
    '://a:',
    'Bearer a',
    'Basic a',
    '// a ',
    '#a=',
    '*=',
    '"a',
    "'",
    'eyJa.',
    'password="',
    'a: b = ',
  ];
  for (const unit of hard) {
    const text = `://PRIVATE KEY ${unit.repeat(Math.ceil(500_000 / unit.length))}`;
    expect(redactSecrets(text).split('\n')).toHaveLength(1);
  }
});
