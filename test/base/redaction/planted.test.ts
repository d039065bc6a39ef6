import { expect, it } from 'vitest';
import {
  isSecretVariable,
  redactSecrets,
  redactUnparsed,
} from '../../../packages/base/src/redaction/redact.ts';

/** Random texts in the formats of issuers. None of them is or was valid. */
const P = 'tR7vQ2xZ9kLm';
const AWS = 'wJa1rXUtnFEM7K7MDENGbPxRf1CYzEXAM8PLEKE3';
const HEX64 = '9f2c4a7be1d83056a4c9d2e7f1b0385c6a7d9e2f4b1c8035d6e7fa90b1c2d3e4';
const B62 = 'q7Zk2Lr9XvB4nM8sT1wY6cD3fG5hJ0aE';

/** Texts that a spec, a prompt or a log may contain, and the part that must be redacted. */
const PLANTED: readonly [text: string, secret: string][] = [
  [`// the AWS secret is ${AWS}, rotate it`, AWS],
  [`# our signing key: ${HEX64}`, HEX64],
  [`// ${AWS}`, AWS],
  [`// use ${HEX64} as the key`, HEX64],
  [`/* access key ${AWS} */`, AWS],
  [`const body = '{"password":"${P}"}';`, P],
  [`const body = "{"api_key":"${P}"}".replace('x', 'y');`, P],
  [`string password = @"${P}";`, P],
  [`const apiKey = isLive ? "${P}" : "none";`, P],
  [`const apiKey = isLive ? "none" : "${P}";`, P],
  [`const iv = Buffer.from("${HEX64}", "hex");`, HEX64],
  [`const iv = Buffer.from("${B62}", "base64");`, B62],
  [`raw = base64.b64decode("${AWS}")`, AWS],
  [`sshpass -p ${P} ssh root@host`, P],
  [`mysql -u root -p${P} shop`, P],
  [`mysqldump -p${P} shop`, P],
  [`mysql -uroot -p'${P}' shop`, P],
  [`mysql -p"${P}"`, P],
  [`@Value("\${db.password:${P}}") String password;`, P],
  [`parser.add_argument("--password", help="the password", default="${P}")`, P],
  [`parser.add_argument("-p", "--password", default="${P}")`, P],
  [`client.login("admin", "${P}")`, P],
  [`smtp.login(user, "${P}")`, P],
  [`await api.signIn('me@example.com', '${P}')`, P],
  [`const password = "${P}";`, P],
  [`password: '${P}',`, P],
  [`"client_secret": "${P}"`, P],
  [`DB_PASS = "${P}"`, P],
  [`let dbPass: string = "${P}"`, P],
  [`setPassword("${P}")`, P],
  [`os.getenv("API_KEY", "${P}")`, P],
  [`process.env.API_KEY || "${P}"`, P],
  [`#define API_KEY "${P}"`, P],
  [`<password>${P}</password>`, P],
  [`<add key="ApiKey" value="${P}"/>`, P],
  [`{ name: 'API_KEY', value: '${P}' }`, P],
  [`postgres://app:${P}@db/shop`, P],
  [`https://user:${P}@example.com/x.git`, P],
  [`redis://:${P}@cache:6379`, P],
  [`Server=db;Password=${P};`, P],
  [`https://api.example.com/?api_key=${P}`, P],
  [`Authorization: Bearer ${B62}`, B62],
  [`Authorization: Basic ${B62}`, B62],
  [`x-api-key: ${B62}`, B62],
  [`curl -u admin:${P} https://example.com`, P],
  [`deploy --token ${P}`, P],
  [`const id = "AKIAIOSFODNN7EXAMPLQ"`, 'AKIAIOSFODNN7EXAMPLQ'],
  [`ghp_${B62}aB3d`, `ghp_${B62}`],
  [`github_pat_${B62}`, `github_pat_${B62}`],
  [`glpat-${B62}`, `glpat-${B62}`],
  [`xoxb-123456789012-${B62}`, B62],
  [`sk_live_${B62}`, `sk_live_${B62}`],
  [`sk-ant-api03-${B62}`, `sk-ant-api03-${B62}`],
  [`sk-proj-${B62}`, `sk-proj-${B62}`],
  [`AIza${B62}abc`, `AIza${B62}`],
  [`npm_${B62}aB3d`, `npm_${B62}`],
  [`hf_${B62}`, `hf_${B62}`],
  [`SG.${B62}.${B62}`, `SG.${B62}`],
  [`dapi${HEX64.slice(0, 32)}`, `dapi${HEX64.slice(0, 32)}`],
  [`https://hooks.slack.com/services/T0000/B0000/${B62}`, B62],
  [`AccountKey=${B62}${B62}==;`, B62],
  [`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${B62}abc`, B62],
  [`-----BEGIN RSA PRIVATE KEY-----\n${B62}\n-----END RSA PRIVATE KEY-----`, B62],
  [`$2b$12$${B62}${B62.slice(0, 21)}`, B62],
  [`const key = "${B62}${B62.slice(0, 9)}"; // aes key`, B62],
  [`hmac_key = b"${P}"`, P],
  [`session_key := "${P}"`, P],
  [`Secret("x").with_api_key = '${P}'`, P],
  [`password = String::from("${P}")`, P],
  [`telegram 123456789:AA${B62}x`, `AA${B62}`],
  [`dckr_pat_${B62}`, `dckr_pat_${B62}`],
];

it('[X10] [R14] redactSecrets redacts every secret of a list and keeps the number of lines', () => {
  const kept = PLANTED.filter(([text, secret]) => redactSecrets(text).includes(secret)).map(([text]) => text);
  expect(kept).toEqual([]);
  expect(PLANTED.length).toBeGreaterThanOrEqual(71);
  for (const [text] of PLANTED) expect(redactSecrets(text).split('\n').length).toBe(text.split('\n').length);
});

it('[X10] redactUnparsed redacts every secret of a list in files that no parser supports', () => {
  const kept = PLANTED.filter(([text, secret]) => redactUnparsed(text).includes(secret)).map(
    ([text]) => text,
  );
  expect(kept).toEqual([]);
});

it.each([
  'const label = isOpen ? "open-menu" : "close-menu";',
  '// the token is read from the header, see RFC6750 section 2.1',
  '// sha256 of the archive: 9f2c4a7be1d83056a4c9d2e7f1b0385c6a7d9e2f4b1c8035d6e7fa90b1c2d3e4',
  '// the public key has the fingerprint 9f2c4a7be1d83056a4c9d2e7f1b0385c6a7d9e2f4b1c8035d6e7fa90b1c2d3e4',
  '// see packages/components/src/table/header/cells',
  '// fixed in 9f2c4a7be1d83056a4c9d2e7f1b0385c6a7d9e2f',
  'await page.login(user, password);',
  'mysql -u root -p shop < dump.sql',
  '@Value("${server.port:8080}") int port;',
  'parser.add_argument("--verbose", default="false")',
  'page.login("admin", password)',
  '{"token_type":"bearer","path":"a/b/c"}',
])('[X10] redactSecrets redacts nothing in text without a secret: %s', (text) => {
  expect(redactSecrets(text)).toBe(text);
});

it('[X10] the environment of a shell contains no variable whose name or value looks like a secret', () => {
  const secret = {
    DB_PASS: 'x',
    SIGNING_KEY: 'x',
    SESSION_KEY: 'x',
    GH_PAT: 'x',
    DATABASE_URL: 'x',
    SECATEUR_REDIS_URL: 'redis://127.0.0.1',
    SENTRY_DSN: 'x',
    NPM_AUTH: 'x',
    GH_PAT_2: 'x',
    ADMIN_PW: 'x',
    JDBC_URL: 'x',
    SLACK_WEBHOOK_URL: 'x',
    HTTP_AUTHORIZATION: 'x',
    DOCKER_AUTH_CONFIG: 'x',
    OTEL_EXPORTER_OTLP_HEADERS: 'x',
    CERT: '-----BEGIN PRIVATE KEY-----\nq7Zk2Lr9XvB4nM8s\n-----END PRIVATE KEY-----',
    AWS_ACCESS_KEY_ID: 'x',
    SECATEUR_BEARER_TOKEN: 'x',
    SERVICE: 'https://user:tR7vQ2xZ9kLm@example.com',
    NOTE: `ghp_${B62}aB3d`,
  };
  const plain = {
    PATH: '/usr/bin',
    PWD: '/tmp',
    HOME: '/home/me',
    TOKENIZERS_PARALLELISM: 'false',
    SSH_AUTH_SOCK: '/run/agent',
    EDITOR: 'vi',
    HTTP_PROXY: 'http://proxy:3128',
    PYTHONPATH: 'src',
  };
  expect(Object.entries(secret).filter(([name, value]) => !isSecretVariable(name, value))).toEqual([]);
  expect(Object.entries(plain).filter(([name, value]) => isSecretVariable(name, value))).toEqual([]);
});
