import { isSecretVariable } from '../../redaction/secret-variables.ts';

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
    if (value !== undefined && !isSecretVariable(name, value)) environment[name] = value;
  }
  return { ...environment, ...named };
}
