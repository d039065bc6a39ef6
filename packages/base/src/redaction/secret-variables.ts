import { redactSecrets } from './redact.ts';
import { isSecretName } from './secret-names.ts';

/**
 * Names of secrets that only environment variables have: a personal access token, a key of a service, an address with a
 * password. A name that mentions a password is enough here, since the shell does not need the variable.
 */
const VARIABLE =
  /PASSWORD|PASSWD|PASSPHRASE|AUTHORIZATION|AUTH_CONFIG$|WEBHOOK|OTLP_HEADERS$|_KEY$|(?:^|_)(?:PAT|PW|AUTH|COOKIE|DSN|CONNECTION_STRING|(?:DATABASE|DB|REDIS|MONGO(?:DB)?|POSTGRES(?:QL)?|PG|MYSQL|MARIADB|AMQP|RABBITMQ|CLICKHOUSE|SMTP|LDAP|BROKER|JDBC|ELASTIC(?:SEARCH)?)_?UR[IL])(?:_?\d{1,3})?$/i;

/** Never secrets: every program needs these variables. */
const PLAIN: ReadonlySet<string> = new Set('PATH HOME PWD OLDPWD SHELL USER TMPDIR LANG'.split(' '));

/** Whether a variable is secret by its name or value: a token of a known issuer, a password in an address. */
export function isSecretVariable(name: string, value: string): boolean {
  if (PLAIN.has(name)) return false;
  if (VARIABLE.test(name) || isSecretName(name)) return true;
  return redactSecrets(value) !== value;
}
