import { redactLongRuns } from './redact/long-runs.ts';
import { redactUrlPasswords } from './redact/url-passwords.ts';
import { isSecretName } from './secret-names.ts';

/**
 * What only variables of an environment are called: a personal access token, a key of a service, an address with a password
 * in it. Here a name that speaks of a password is enough: what a shell does not need is left out.
 */
const VARIABLE =
  /PASSWORD|PASSWD|PASSPHRASE|_KEY$|(?:^|_)(?:PAT|AUTH|DSN|CONNECTION_STRING|(?:DATABASE|DB|REDIS|MONGO(?:DB)?|POSTGRES(?:QL)?|PG|MYSQL|MARIADB|AMQP|RABBITMQ|CLICKHOUSE|SMTP|LDAP|BROKER)_?UR[IL])$/i;

/** Every program needs these, and their values are places. */
const PLAIN: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'PWD',
  'OLDPWD',
  'SHELL',
  'USER',
  'TMPDIR',
  'LANG',
]);

/** Whether a variable is a secret by its name, or by what it holds: a token of a known issuer, a password in an address. */
export function isSecretVariable(name: string, value: string): boolean {
  if (PLAIN.has(name)) return false;
  if (VARIABLE.test(name) || isSecretName(name)) return true;
  return redactLongRuns(value) !== value || redactUrlPasswords(value) !== value;
}
