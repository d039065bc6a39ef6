import { redactSecrets } from './redact.ts';
import { isSecretName } from './secret-names.ts';

/**
 * Names of secrets that occur only in environment variables: a personal access token, a key of a service, an address
 * with a password. A name with a password word is sufficient, because the shell does not need the variable.
 */
const VARIABLE =
  /PASSWORD|PASSWD|PASSPHRASE|AUTHORIZATION|AUTH_CONFIG$|WEBHOOK|OTLP_HEADERS$|_KEY$|(?:^|_)(?:PAT|PW|AUTH|COOKIE|DSN|CONNECTION_STRING|(?:DATABASE|DB|REDIS|MONGO(?:DB)?|POSTGRES(?:QL)?|PG|MYSQL|MARIADB|AMQP|RABBITMQ|CLICKHOUSE|SMTP|LDAP|BROKER|JDBC|ELASTIC(?:SEARCH)?)_?UR[IL])(?:_?\d{1,3})?$/i;

/** Variables that every program needs and that are never secrets. */
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

/** Whether a variable is secret, judged from its name or value: a token of a known issuer, a password in an address. */
export function isSecretVariable(name: string, value: string): boolean {
  if (PLAIN.has(name)) return false;
  if (VARIABLE.test(name) || isSecretName(name)) return true;
  return redactSecrets(value) !== value;
}
