import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';
import { withoutModifiers } from './secret-rules/without-modifiers.ts';

/**
 * Turns gitleaks' rules (config/gitleaks.toml of github.com/gitleaks/gitleaks) into data of ours:
 * `tsx scripts/secret-rules.ts gitleaks.toml`.
 */
interface Rule {
  readonly id: string;
  readonly regex?: string;
}

/** Names for which our own rules do more, names that are public, and one that takes every commit for a token. */
const LEFT_OUT =
  /client-id|public|pub-key|publishable|^generic-api-key|^curl-|^private-key|^jwt|^kubernetes|^nuget|^sidekiq|webhook|^pkcs12|^sourcegraph|^freemius|^facebook-access|^hashicorp-tf-password|^azure-ad|^openshift|^gitlab-session|^perplexity|^huggingface|^slack-|^maxmind|^alibaba-access|^hashicorp-tf-api|^openai|^sentry-org|^authress|^atlassian|^square-|^vault-service/;
/** Rules whose tokens a shape of ours (`token-shapes.ts`) matches at the same place, and before them. */
const COVERED =
  /^(?:age-|airtable-personnal|anthropic|cloudflare-origin|databricks|digitalocean-(?:access|pat)|easypost|gcp-api|github|heroku-api-key-v2|linear-api|notion|planetscale-(?:api|oauth)|pulumi|pypi|rubygems|sendinblue|sentry-user|shopify)/;
/** `name … = "value"`: form of the gitleaks rules that recognise a secret by the name it is assigned to. */
const ASSIGNED =
  /^(?:\(\?i\))?\[\\w\.-\]\{0,50\}\?(?:\(\?i:\[\\w\.-\]\{0,50\}\?)?\(\?:(?<names>.*?)\)\(\?:\[ \\t\\w\.-\]\{0,20\}\)\[\\s'"\]\{0,3\}\)?\(\?:=\|>.*?\)\[\\x60'"\\s=\]\{0,5\}\((?<value>(?:(?!\(\?:\[\\x60).)*)\)\(\?:\[\\x60'"\\s;\]\|\\\\\[nr\]\|\$\)$/;
const END = String.raw`(?:[\x60'"\s;]|\\[nr]|$)`;

const [source = ''] = process.argv.slice(2);
const { rules } = parse(readFileSync(source, 'utf8')) as unknown as { rules: readonly Rule[] };
const namesByValue = new Map<string, Set<string>>();
const tokens: string[] = [];
for (const { id, regex } of rules) {
  if (regex === undefined || LEFT_OUT.test(id) || COVERED.test(id)) continue;
  const { names, value } = ASSIGNED.exec(regex)?.groups ?? {};
  if (names === undefined || value === undefined) tokens.push(row(id, shapeOf(regex)));
  else {
    const key = withoutModifiers(value, true);
    namesByValue.set(key, (namesByValue.get(key) ?? new Set()).add(withoutModifiers(names, false)));
  }
}
writeFileSync(
  fileURLToPath(new URL('../packages/base/src/redaction/redact/gitleaks-rules.ts', import.meta.url)),
  `// Written by scripts/secret-rules.ts from the rules of gitleaks, which are
// Copyright (c) 2019 Zachary Rice and used under the MIT License: docs/licences/gitleaks.txt

/** Formats of issuers' keys, and the parts of names, in any case, to which such keys are assigned. */
export const assignedRules: readonly (readonly [value: string, names: string])[] = [
${[...namesByValue].map(([value, names]) => row(value, [...names].join(' '))).join('\n')}
];

/** Tokens recognised by their shape. */
export const tokenRules: readonly (readonly [id: string, shape: string])[] = [
${tokens.join('\n')}
];
`,
);

function row(...columns: string[]): string {
  return `  [${columns.map((column) => `'${column.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`).join(', ')}],`;
}

/** The token alone: what may stand before and behind it is the caller's. */
function shapeOf(regex: string): string {
  const bare = regex.replace(END, '').replaceAll('\\b', '');
  return (
    withoutModifiers(bare, false)
      .replaceAll(/(?<!\\)\((?!\?)/g, '(?:')
      // A run of a token's characters ends at these two; what follows them is taken along.
      .replaceAll(/\[a-zA-Z0-9\+\\?\/\]\{\d+,\d*\}/gi, '[a-zA-Z0-9]{12,}')
  );
}
