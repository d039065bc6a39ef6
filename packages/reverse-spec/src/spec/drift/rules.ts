import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { specError } from '../messages.ts';

/** Ignorable parts of a signature. */
export const ignorableKinds = [
  'annotations',
  'attributes',
  'version-values',
  'values',
  'parameter-names',
] as const;

export type IgnorableKind = (typeof ignorableKinds)[number];

export interface DriftRules {
  /** Differences in nothing but these are noise. */
  ignore: readonly IgnorableKind[];
  /** Globs over paths of the repository. */
  ignorePaths: readonly string[];
  /** Whole names, members as `Owner.member`; `*` matches anything. */
  ignoreSymbols: readonly string[];
  /** `public`: what a user of the package can reach; `all`: whatever another file can. */
  visibility: 'public' | 'all';
}

/** Values of all constants count: only those that say which version it is change with every release. */
const defaultRules: DriftRules = {
  ignore: ['annotations', 'attributes', 'version-values', 'parameter-names'],
  ignorePaths: [],
  ignoreSymbols: [],
  visibility: 'public',
};

const RULES_FILE = '.reverse-spec-ignore';

/** The rules of a repository: the defaults, and what its file adds or takes back. */
export async function readRules(repository: string): Promise<DriftRules> {
  const text = await readFile(join(repository, RULES_FILE), 'utf8').catch(() => '');
  return parseRules(text);
}

/** One rule a line: `ignore KIND`, `count KIND`, `path GLOB`, `symbol NAME`, `visibility public|all`. */
export function parseRules(text: string): DriftRules {
  let rules = defaultRules;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const [word = '', ...rest] = line.trim().split(/\s+/);
    if (word === '' || word.startsWith('#')) continue;
    const next = READERS[word]?.(rules, rest[0] ?? '');
    if (next === undefined) throw badLine(at + 1, line);
    rules = next;
  }
  return rules;
}

type RuleReader = (rules: DriftRules, value: string) => DriftRules | undefined;

const READERS: Readonly<Record<string, RuleReader>> = {
  ignore: (rules, value) =>
    isKind(value) ? { ...rules, ignore: [...new Set([...rules.ignore, value])] } : undefined,
  count: (rules, value) =>
    isKind(value) ? { ...rules, ignore: rules.ignore.filter((kind) => kind !== value) } : undefined,
  path: (rules, value) =>
    value === '' ? undefined : { ...rules, ignorePaths: [...rules.ignorePaths, value] },
  symbol: (rules, value) =>
    value === '' ? undefined : { ...rules, ignoreSymbols: [...rules.ignoreSymbols, value] },
  visibility: (rules, value) =>
    value === 'public' || value === 'all' ? { ...rules, visibility: value } : undefined,
};

function isKind(value: string): value is IgnorableKind {
  return (ignorableKinds as readonly string[]).includes(value);
}

function badLine(line: number, text: string): DomainError {
  return specError('bad_rules', {
    file: RULES_FILE,
    line,
    text: text.trim().slice(0, 80),
    rules: `ignore|count ${ignorableKinds.join('|')} · path GLOB · symbol NAME · visibility public|all`,
  });
}
