import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { defineCommand, type OptionValues, usageError } from '@secateur/serving/commands/command.ts';
import {
  changeTokenFile,
  hashToken,
  isTokenName,
  newToken,
  readTokenFile,
  type TokenGrant,
} from '@secateur/serving/wire/token-file.ts';
import { tokensPath } from '../server-deps.ts';

const LIMITS = {
  'calls-per-minute': { type: 'string', placeholder: 'N', doc: 'maximum calls per minute' },
  'concurrent-calls': { type: 'string', placeholder: 'N', doc: 'maximum concurrent calls' },
  'bytes-per-minute': { type: 'string', placeholder: 'N', doc: 'maximum bytes sent per minute' },
  servers: {
    type: 'string',
    placeholder: 'A,B',
    doc: 'gateway servers that the token may use; default: all',
  },
  'allow-tools': { type: 'string', placeholder: 'A,B*', doc: 'tools that the token may use; default: all' },
  'deny-tools': { type: 'string', placeholder: 'A,B*', doc: 'tools that the token may neither see nor use' },
} as const;

export const tokenAdd = defineCommand({
  usage: 'NAME [--calls-per-minute N] [--concurrent-calls N] [--servers A,B] [--deny-tools A,B*]',
  details:
    'Prints a new token once; only its hash is stored. From then on every request to the servers needs a token. ' +
    'Running servers apply the change within two seconds.',
  sections: ['recovery'],
  options: LIMITS,
  positionals: { min: 1, max: 1 },
  examples: [{ line: 'secateur token add alice --calls-per-minute 600', does: "prints alice's token" }],
  run: async ({ config, options, positionals: [name = ''], terminal }) => {
    if (!isTokenName(name)) throw usageError(`${name}: a name is 1 to 64 letters, digits, _ . -`);
    const limits = limitsFrom(options);
    const token = newToken();
    await changeTokenFile(tokensPath(config.recovery), (grants) => {
      if (grants.some((grant) => grant.name === name))
        throw new DomainError('token_exists', `there is a token named ${name} already`, {
          hint: `\`secateur token revoke ${name}\` first, or choose another name.`,
        });
      return [...grants, { name, sha256: hashToken(token), created: new Date().toISOString(), ...limits }];
    });
    terminal.line(token);
    terminal.note(
      `The token of ${name}. It is shown only now; clients send it as "Authorization: Bearer …".`,
    );
  },
});

export const tokenList = defineCommand({
  usage: '[--json]',
  sections: ['recovery'],
  options: { json: { type: 'boolean', doc: 'names and limits as JSON' } },
  examples: [
    { line: 'secateur token list', does: 'names and limits; tokens are shown only when they are created' },
  ],
  run: async ({ config, options, terminal }) => {
    const grants = (await readTokenFile(tokensPath(config.recovery))) ?? [];
    const shown = grants.map(({ sha256: _, ...rest }) => rest);
    if (options.json) terminal.line(JSON.stringify(shown));
    else if (shown.length === 0) terminal.line('No tokens. `secateur token add NAME` makes one.');
    else for (const grant of shown) terminal.line(describe(grant));
  },
});

export const tokenRevoke = defineCommand({
  usage: 'NAME',
  details: 'Open streams of the token end and its calls are refused within two seconds.',
  sections: ['recovery'],
  positionals: { min: 1, max: 1 },
  examples: [{ line: 'secateur token revoke alice', does: 'refuses all further requests of alice' }],
  run: async ({ config, positionals: [name = ''], terminal }) => {
    await changeTokenFile(tokensPath(config.recovery), (grants) => {
      const kept = grants.filter((grant) => grant.name !== name);
      if (kept.length < grants.length) return kept;
      const hint = `Known: ${grants.map((grant) => grant.name).join(', ') || 'none'}.`;
      throw new DomainError('token_unknown', `there is no token named ${name}`, { hint });
    });
    terminal.line(`Revoked ${name}.`);
  },
});

function limitsFrom(options: OptionValues<typeof LIMITS>): Partial<TokenGrant> {
  const limits = {
    callsPerMinute: count(options, 'calls-per-minute'),
    concurrentCalls: count(options, 'concurrent-calls'),
    bytesPerMinute: count(options, 'bytes-per-minute'),
    servers: names(options.servers),
    allowTools: names(options['allow-tools']),
    denyTools: names(options['deny-tools']),
  };
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

function count(options: OptionValues<typeof LIMITS>, name: keyof typeof LIMITS): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw usageError(`--${name}: expected a whole number above 0`);
  return Number(text);
}

function names(text: string | undefined): string[] | undefined {
  return text?.split(',').map((name) => name.trim());
}

function describe({ name, created, ...limits }: Omit<TokenGrant, 'sha256'>): string {
  const words = Object.entries(limits).map(([key, value]) => `${key} ${[value].flat().join(',')}`);
  return [name, created === undefined ? '' : `since ${created.slice(0, 10)}`, ...words]
    .filter(Boolean)
    .join('  ');
}
