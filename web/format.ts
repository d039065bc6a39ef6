const whole = new Intl.NumberFormat('en-US');
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export function count(value: number): string {
  return whole.format(value);
}

export function compact(value: number): string {
  return short.format(value);
}

export function percent(part: number, all: number): string {
  return all === 0 ? '–' : `${((100 * part) / all).toFixed(part === 0 ? 0 : 1)} %`;
}

export function time(iso: string): string {
  return moment.format(new Date(iso));
}

export function money(value: number, currency: string): string {
  return `${value.toFixed(2)} ${currency}`;
}

export function plural(many: number, word: string): string {
  return `${count(many)} ${word}${many === 1 ? '' : 's'}`;
}
