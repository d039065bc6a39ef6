import { usageError } from '../usage-error.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** `7d`, `12h` or a date → the ISO time from which entries count. */
export function sinceTime(text: string | undefined, now: number): string | undefined {
  if (text === undefined) return undefined;
  const [, count = '', unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const spanMs = UNIT_MS[unit];
  const moment = spanMs === undefined ? Date.parse(isDate(text) ? text : '') : now - Number(count) * spanMs;
  if (Number.isNaN(moment))
    throw usageError('--since: expected a span such as 7d, 12h or 30m, or a date such as 2026-11-01');
  return new Date(moment).toISOString();
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(text);
}
