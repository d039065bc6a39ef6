import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import type { Setting } from './setting.ts';

export interface Problem {
  /** The variable, flag or TOML path, as the user wrote it. */
  readonly name: string;
  readonly raw: unknown;
  readonly row: Setting<unknown>;
  readonly detail?: string | undefined;
  /** A secret found in a file. */
  readonly refused?: boolean;
}

/** One error for all bad values; `code` is the first one's own code when it has one. */
export function configError(problems: readonly Problem[]): DomainError {
  const lines = problems.map(describeProblem);
  const code = problems[0]?.row.errorCode ?? 'config_invalid';
  return new DomainError(code, lines.join('\n'), {
    data: {
      stage: 'configuration',
      problems: problems.map(({ name, row }) => ({ name, expected: row.value.expected })),
    },
  });
}

/** A combination of settings that cannot work. */
export function configProblem(message: string): DomainError {
  return new DomainError('config_invalid', message, { data: { stage: 'configuration' } });
}

export function isConfigError(error: unknown): boolean {
  return error instanceof DomainError && error.data.stage === 'configuration';
}

function describeProblem({ name, raw, row, detail, refused }: Problem): string {
  if (refused)
    return `${name}: secrets are not read from files; set the environment variable ${row.env} instead`;
  const code = row.errorCode === undefined ? '' : ` (${row.errorCode})`;
  if (detail !== undefined) return `${name}: ${detail}${code}`;
  return `${name}: expected ${row.value.expected}${shownValue(raw, row)}${code}`;
}

function shownValue(raw: unknown, row: Setting<unknown>): string {
  const text = typeof raw === 'string' ? raw : JSON.stringify(raw);
  // A URL may carry a password before the @.
  if (row.secret || text === undefined || text.includes('@')) return '';
  return `, got ${JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)}`;
}
