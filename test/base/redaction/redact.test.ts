import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactSecrets, redactUnparsed } from '../../../packages/base/src/redaction/redact.ts';

const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const chars = (alphabet: string, length: number) =>
  fc
    .array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length })
    .map((list) => list.join(''));
const hex = (length: number) => chars('0123456789abcdef', length - 2).map((text) => `${text}4f`);
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
  mws: hex(12).map((text) => `amzn.mws.4ea38b7b-f563-7709-4bae-${text}`),
  gitlab: random(20).map((text) => `glcbt-${text}`),
  slackRefresh: random(60).map((text) => `xoxe.xoxp-1-${text}`),
  groq: random(52).map((text) => `gsk_${text}`),
  xai: random(80).map((text) => `xai-${text}`),
  replicate: random(37).map((text) => `r8_${text}`),
  twilio: hex(32).map((text) => `SK${text}`),
  mailgun: hex(32).map((text) => `key-${text}`),
  mailchimp: hex(32).map((text) => `${text}-us12`),
  discord: fc.tuple(random(23), random(6), random(38)).map(([a, b, c]) => `M${a}.${b}.${c}`),
  square: random(22).map((text) => `sq0atp-${text}`),
  facebook: random(120).map((text) => `EAAC${text}`),
  databricks: hex(32).map((text) => `dapi${text}`),
  vault: random(90).map((text) => `hvs.${text}`),
  doppler: random(43).map((text) => `dp.pt.${text}`),
  planetscale: random(43).map((text) => `pscale_tkn_${text}`),
  supabase: hex(40).map((text) => `sbp_${text}`),
  airtable: fc.tuple(random(14), hex(64)).map(([a, b]) => `pat${a}.${b}`),
  postman: fc.tuple(hex(24), hex(34)).map(([a, b]) => `PMAK-${a}-${b}`),
  pulumi: hex(40).map((text) => `pul-${text}`),
  terraform: fc.tuple(random(14), random(67)).map(([a, b]) => `${a}.atlasv1.${b}`),
  age: chars('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 57).map((text) => `AGE-SECRET-KEY-1Q${text}`),
  docker: random(27).map((text) => `dckr_pat_${text}`),
  sentry: random(90).map((text) => `sntrys_${text}+/${text}=`),
  linear: random(40).map((text) => `lin_api_${text}`),
  notion: random(46).map((text) => `ntn_${text}`),
  figma: random(40).map((text) => `figd_${text}`),
  grafana: fc.tuple(random(32), hex(8)).map(([a, b]) => `glsa_${a}_${b}`),
  atlassian: random(180).map((text) => `ATATT3xFfGF0${text}`),
  newRelic: chars('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', 26).map((text) => `NRAK-${text}7`),
  rubygems: hex(48).map((text) => `rubygems_${text}`),
  mapbox: fc.tuple(random(60), random(22)).map(([a, b]) => `sk.eyJ${a}.${b}`),
  azureApp: random(34).map((text) => `a1B8Q~${text}`),
  flyio: random(100).map((text) => `FlyV1 fm2_${text}`),
  googleRefresh: random(60).map((text) => `1//0${text}`),
  discordHook: random(68).map((text) => `https://discord.com/api/webhooks/123456789012345678/${text}`),
  awsSigned: hex(64).map((text) => `https://b.s3.amazonaws.com/k?X-Amz-Signature=${text}`),
  urlToken: random(40).map((text) => `https://${text}@example.com/o/r.git`),
  queryKey: random(32).map((text) => `https://api.example.com/v1?api_key=${text}&x=1`),
  connection: random(12).map((text) => `Server=h;Database=d;User Id=sa;Password=${text};`),
  authorization: hex(40).map((text) => `Authorization: token ${text}`),
  apiKeyHeader: random(32).map((text) => `X-API-Key: ${text}`),
  curlUser: random(12).map((text) => `curl -s -u admin:${text} https://example.com`),
  argument: random(12).map((text) => `--password=${text}`),
  crypt: random(40).map((text) => `$2b$12$${text}`),
  jwt: fc.tuple(random(20), random(30), random(43)).map(([a, b, c]) => `eyJ${a}.eyJ${b}.${c}`),
  bearer: random(40).map((text) => `Bearer ${text}`),
};

const wrappings: ((secret: string) => string)[] = [
  (secret) => `export const value = '${secret}';`,
  (secret) => `/** Call it with ${secret} or it fails. */`,
  (secret) => `# see ${secret}`,
  (secret) => `function f(x = "${secret}") {}`,
];

it('[R14] redactSecrets removes credentials of a known format anywhere in a text', () => {
  for (const shape of Object.values(shapes)) {
    fc.assert(
      fc.property(shape, fc.constantFrom(...wrappings), (secret, wrap) => {
        const clean = redactSecrets(wrap(secret));
        expect(clean).toContain('[REDACTED:');
        const random = secret.split(/[^A-Za-z0-9]+/).filter((part) => part.length >= 12 && /\d/.test(part));
        for (const part of random.filter((each) => !/^\d+$/.test(each))) expect(clean).not.toContain(part);
      }),
      { numRuns: 60 },
    );
  }
});

it('[R14] redactSecrets removes every value assigned to a secret name, and removes a generated key assigned to any other name', () => {
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

const assignments: ((secret: string) => string)[] = [
  (secret) => `const API_KEY: &'static str = "${secret}";`,
  (secret) => `const char API_KEY[] = "${secret}";`,
  (secret) => `#define DB_PASSWORD "${secret}"`,
  (secret) => `let apiKey: String? = "${secret}"`,
  (secret) => `public string Password { get; set; } = "${secret}";`,
  (secret) => `private readonly apiKey?: string = '${secret}';`,
  (secret) => `const k = process.env.API_KEY ?? '${secret}';`,
  (secret) => `k = os.environ.get("API_KEY", "${secret}")`,
  (secret) => `k = os.getenv('DB_PASSWORD') or '${secret}'`,
  (secret) => `System.getProperty("db.password", "${secret}")`,
  (secret) => `connection.setPassword("${secret}");`,
  (secret) => `let token = String::from("${secret}");`,
  (secret) => `if (password === '${secret}') return;`,
  (secret) => `password = "p'${secret}"`,
  (secret) => `password = "a\\\\${secret}"`,
  (secret) => `const dbPass = b'${secret}';`,
  (secret) => `{ name: 'API_KEY', value: '${secret}' }`,
  (secret) => `<password>${secret}</password>`,
  (secret) => `/* token = ${secret} */`,
  (secret) => ` * password: ${secret}`,
];

it('[R14] redactSecrets recognises assignments in every language, and recognises defaults of environment variables', () => {
  fc.assert(
    fc.property(random(8), fc.constantFrom(...assignments), (text, wrap) => {
      const secret = `k3Vq9x${text}`;
      const clean = wrap('@@').replace(/(p'|a\\{2})?@@/, '[REDACTED:secret]');
      expect(redactSecrets(wrap(secret))).toBe(clean);
    }),
    { numRuns: 400 },
  );
  expect(redactSecrets(`const password = 'hunter2';`)).not.toContain('hunter2');
  expect(redactSecrets(`HEROKU_API_KEY = '123e4567-e89b-12d3-a456-426614174000'`)).toContain(
    '[REDACTED:secret]',
  );
  const generated = 'aG9sYTE5c2Vjc0V4WWp3b1BsM25hN2RkSzkyMWxRb1Zi';
  expect(redactSecrets(`// blob: ${generated}`)).toBe('// blob: [REDACTED:secret]');
});

it('[R14] redactUnparsed redacts the whole value of a secret setting in files that no parser supports', () => {
  const settings = [
    'DB_PASSWORD=MyDog',
    'password: hunter2',
    '  "secret": "abc"',
    "export TOKEN='abc def'",
    'ENV API_KEY abcdef',
    '//registry.example.com/:_authToken=abcdef',
    'machine example.com login me password abcdef',
    'spring.datasource.password=abcdef',
    'docker run -e A=1 -e DB_PASSWORD=abcdef image',
    'mysql --password abcdef',
    '- name: DB_PASSWORD\n  value: abc123def',
  ];
  for (const line of settings) {
    expect(redactUnparsed(line)).toContain('[REDACTED:secret]');
    expect(redactUnparsed(line)).not.toMatch(/MyDog|hunter2|abc/);
  }
  const harmless = [
    'password: $' + '{DB_PW}',
    'token_count: 5',
    'PASSWORD=',
    'secret: true',
    'key: value',
    'password:',
  ];
  for (const line of harmless) expect(redactUnparsed(line)).toBe(line);
});

it('[R14] redactSecrets removes private keys in one block, in a comment and in a chain of literals', () => {
  const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
  const block = `/*\n * -----BEGIN RSA PRIVATE KEY-----\n * ${body}\n * ${body}\n * -----END RSA PRIVATE KEY-----\n */`;
  const chain = `const pem = "-----BEGIN PRIVATE KEY-----\\n" +\n  "${body}\\n" +\n  "-----END PRIVATE KEY-----\\n";`;
  const unfinished = `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}`;
  const putty = `PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 2\n${body}\n${body}\nPrivate-MAC: 12\n`;
  for (const text of [block, chain, unfinished, putty]) {
    const clean = redactSecrets(text);
    expect(clean).not.toContain(body.slice(0, 20));
    expect(clean.split('\n')).toHaveLength(text.split('\n').length);
  }
  expect(redactSecrets(chain)).toBe(
    `const pem = "-----BEGIN PRIVATE KEY-----\\n" +\n  "[REDACTED:private-key]\\n" +\n  "-----END PRIVATE KEY-----\\n";`,
  );
});

it('[R14] redactSecrets removes the password of a URL and keeps the other parts of the URL', () => {
  expect(redactSecrets('postgres://app:s3cr3t@db.internal:5432/main')).toBe(
    'postgres://app:[REDACTED:url-password]@db.internal:5432/main',
  );
  const template = 'postgres://app:$' + '{password}@db/main';
  expect(redactSecrets(template)).toBe(template);
});

it('[R14] redactSecrets does not change checksums, ids, alphabets, names and ordinary code', () => {
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
    `import { tokenizeIdentifiersAndKeywords } from '../spec/tokenizeIdentifiersAndKeywords.ts';`,
    `const url = 'https://example.com/a/b?page=2';`,
    `token: 'YOUR_TOKEN', password: '<password>'`,
    `const TOKEN_ENDPOINT = '/v1/oauth/token';`,
    `const token = 'https://auth.example.com/v2/token';`,
    `type TokenType = 'cache_creation.ephemeral_1h_input_tokens';`,
    `const token = lexer.next("->");`,
    `Token: '#cccccc',`,
    `MovedAttribute("HTTPPasswordMgr", "urllib2", "urllib.request")`,
    `_token = r'(?:[%s]+|%s)' % (_punct, _core_token)`,
    `this.#token = tokens2.next_token1;`,
    `char *token = &buffer2[offset1];`,
    `const passwordHash = 'sha256', tokenVersion = 'v2.0.1';`,
    `const pubkey256 = 'pL1+qb9HTMRZJmuC/bB/ZI9d302BYrrqiVuRyW+DGrU=';`,
    `const className = 'bypass-2-columns-on-wide-screens';`,
    `xox = 'openssl_x509_checkpurpose_and_more_1';`,
    `const _errorName = 'InvalidBase64UrlEncodedSha256PathPrefixError';`,
  ];
  for (const line of harmless) expect(redactSecrets(line)).toBe(line);
});

it('[R14] redactSecrets does not change its own result, and keeps the number of every line', () => {
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

it('[R14] redactSecrets redacts a megabyte of any text within its time limit', () => {
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
    '?token=a1',
    '; token=',
    '://a1:',
    'hvs.1',
    'a="1b2c3d4e5"',
    'é"a1b2c3d4"',
    '--password ',
  ];
  for (const unit of hard) {
    const text = `://PRIVATE KEY ${unit.repeat(Math.ceil(500_000 / unit.length))}`;
    expect(redactUnparsed(text).split('\n')).toHaveLength(1);
  }
});
