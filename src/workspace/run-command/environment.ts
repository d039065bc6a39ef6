/** Names that look like secrets, in any case: keys, tokens, secrets, passwords, credentials. */
const SECRET_NAME =
  /(?:^|_)(?:API_?KEYS?|ACCESS_KEY(?:_ID)?|PRIVATE_KEY|TOKENS?|SECRETS?|SECRET_KEY|CREDENTIALS?|AUTH)$|PASSWORD|PASSWD|PASSPHRASE/i;

/**
 * The environment a command gets: the server's own without what looks like a secret, and over it what the
 * call named, secrets included.
 */
export function commandEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  named: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && !SECRET_NAME.test(name)) environment[name] = value;
  }
  return { ...environment, ...named };
}
