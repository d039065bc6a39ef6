import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';

/** Converts a raw value (text of a flag or variable, or a TOML value) to a typed value. */
export interface ValueKind<Value> {
  /** Expected value, worded to follow "expected". */
  readonly expected: string;
  /** Placeholder after the flag in `--help`. Absent for a switch, which has no value. */
  readonly placeholder?: string;
  read(raw: unknown, origin: LaunchContext): ParsedValue<Value>;
}

export type ParsedValue<Value> =
  | { readonly kind: 'read'; readonly value: Value; readonly warning?: string }
  /** The value is treated as unset, with a warning. */
  | { readonly kind: 'ignored'; readonly warning: string }
  | { readonly kind: 'bad'; readonly detail?: string };

const bad: ParsedValue<never> = { kind: 'bad' };

function read<Value>(value: Value): ParsedValue<Value> {
  return { kind: 'read', value };
}

const { MAX_SAFE_INTEGER } = Number;

export function integer({ min, max = MAX_SAFE_INTEGER }: { min: number; max?: number }): ValueKind<number> {
  return {
    expected: max === MAX_SAFE_INTEGER ? `an integer from ${min} up` : `an integer from ${min} to ${max}`,
    placeholder: 'N',
    read: (raw) => {
      const text = scalarText(raw);
      if (text === undefined || !/^[+-]?\d+$/.test(text)) return bad;
      const value = Number(text);
      return value >= min && value <= max ? read(value) : bad;
    },
  };
}

/** A number of at least 0, with or without decimals. */
export const decimal: ValueKind<number> = {
  expected: 'a number from 0 up',
  placeholder: 'N',
  read: (raw) => {
    const text = scalarText(raw);
    return text !== undefined && /^\d+(?:\.\d+)?$/.test(text) ? read(Number(text)) : bad;
  },
};

export const port = integer({ min: 0, max: 65_535 });
export const milliseconds = integer({ min: 1, max: 86_400_000 });
export const count = integer({ min: 0 });

const TRUE = ['1', 'true', 'yes', 'on'];
const FALSE = ['0', 'false', 'no', 'off'];

export const onOff: ValueKind<boolean> = {
  expected: 'true or false (also 1/0, yes/no, on/off)',
  read: (raw) => {
    const text = scalarText(raw)?.toLowerCase();
    if (text === undefined) return bad;
    if (TRUE.includes(text)) return read(true);
    return FALSE.includes(text) ? read(false) : bad;
  },
};

/** A boolean. An unknown word means "off" and does not stop the program. */
export const lenientBoolean: ValueKind<boolean> = {
  expected: onOff.expected,
  read: (raw, origin) => {
    const reading = onOff.read(raw, origin);
    if (reading.kind !== 'bad') return reading;
    return { kind: 'read', value: false, warning: `expected ${onOff.expected}; taken as false` };
  },
};

/** One of several words or their aliases. An unknown word prevents the start. */
export function oneOf<const Choice extends string>(
  choices: readonly Choice[],
  aliases: Readonly<Record<string, Choice>> = {},
): ValueKind<Choice> {
  return {
    expected: `one of ${[...choices, ...Object.keys(aliases)].join(', ')}`,
    placeholder: choices.join('|'),
    read: (raw) => {
      const text = scalarText(raw);
      const found = choices.find((each) => each === text) ?? aliases[text ?? ''];
      return found === undefined ? bad : read(found);
    },
  };
}

/** Returns a kind that treats unknown values as unset. The next source then decides. */
export function lenient<Value>(kind: ValueKind<Value>): ValueKind<Value> {
  return {
    ...kind,
    read: (raw, origin) => {
      const reading = kind.read(raw, origin);
      if (reading.kind !== 'bad') return reading;
      return { kind: 'ignored', warning: `expected ${kind.expected}; ignored` };
    },
  };
}

export const text: ValueKind<string> = {
  expected: 'a non-empty string',
  placeholder: 'TEXT',
  read: (raw) => {
    const value = scalarText(raw);
    return value === undefined || value === '' ? bad : read(value);
  },
};

/** Returns a kind for strings of a certain form. */
function textLike(expected: string, placeholder: string, fits: (text: string) => boolean): ValueKind<string> {
  return { expected, placeholder, read: (raw) => (typeof raw === 'string' && fits(raw) ? read(raw) : bad) };
}

const isHost = (text: string) => /^[A-Za-z0-9.:_-]+$/.test(text);

export const host = textLike('a host name or an IP address', 'HOST', isHost);

/** Reads a list: `a.example, b.example` in a flag or variable, an array in TOML. */
function listOf(
  expected: string,
  placeholder: string,
  isEntry: (entry: string) => boolean,
): ValueKind<readonly string[]> {
  return {
    expected: `${expected}, separated by commas`,
    placeholder,
    read: (raw) => {
      const entries = typeof raw === 'string' ? raw.split(',').map((entry) => entry.trim()) : raw;
      return isTextList(entries) && entries.every(isEntry) ? read(entries) : bad;
    },
  };
}

export const hostList = listOf('host names or IP addresses', 'HOSTS', isHost);
export const globList = listOf('globs', 'GLOBS', (glob) => glob !== '');
export const commandList = listOf('commands', 'COMMANDS', (command) => command !== '');
export const addressList = listOf('IP addresses or networks such as 10.0.0.0/8', 'ADDRESSES', isAddress);

/** Whether a text is an IP address or a network. */
function isAddress(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}

export const loopbackHost = textLike('a loopback address: 127.0.0.1 or ::1', 'IP', (text) => {
  return text === '127.0.0.1' || text === '::1';
});

export function url(...protocols: readonly string[]): ValueKind<string> {
  const expected = `an absolute URL starting with ${protocols.map((each) => `${each}//`).join(' or ')}`;
  const fits = (text: string) => URL.canParse(text) && protocols.includes(new URL(text).protocol);
  return textLike(expected, 'URL', fits);
}

export const webUrl = url('http:', 'https:');

/** A URL, or one word that selects a built-in alternative. */
export function urlOrWord<Word extends string>(word: Word): ValueKind<string> {
  return {
    ...webUrl,
    expected: `${webUrl.expected}, or "${word}"`,
    placeholder: `URL|${word}`,
    read: (raw, origin) => (raw === word ? read<string>(word) : webUrl.read(raw, origin)),
  };
}

export const path: ValueKind<string> = {
  expected: 'a path',
  placeholder: 'PATH',
  read: (raw, origin) => {
    if (typeof raw !== 'string' || raw === '' || raw.includes('\0')) return bad;
    return read(resolve(origin.cwd, raw));
  },
};

export const existingDirectory: ValueKind<string> = {
  expected: 'an existing directory',
  placeholder: 'DIR',
  read: (raw, origin) => {
    const reading = path.read(raw, origin);
    if (reading.kind !== 'read') return bad;
    return statSync(reading.value, { throwIfNoEntry: false })?.isDirectory() ? reading : bad;
  },
};

/** Several words of a list: `a, b` in a flag or variable, an array in TOML. */
export function someOf<const Choice extends string>(
  choices: readonly Choice[],
): ValueKind<readonly Choice[]> {
  const isChoice = (entry: string) => choices.some((choice) => choice === entry);
  const list = listOf(`some of ${choices.join(', ')}`, 'NAMES', isChoice);
  return {
    ...list,
    read: (raw, origin) => {
      const reading = list.read(raw, origin);
      if (reading.kind !== 'read') return reading;
      return read(choices.filter((choice) => reading.value.includes(choice)));
    },
  };
}

export const textList: ValueKind<readonly string[]> = {
  expected: 'a non-empty list of strings',
  read: (raw) => (isTextList(raw) && raw.length > 0 ? read(raw) : bad),
};

export const textTable: ValueKind<Readonly<Record<string, string>>> = {
  expected: 'a table of strings',
  read: (raw) => (isTable(raw) && isTextList(Object.values(raw)) ? read(raw as Record<string, string>) : bad),
};

function isTextList(raw: unknown): raw is string[] {
  return Array.isArray(raw) && raw.every((each) => typeof each === 'string');
}

export function isTable(raw: unknown): raw is Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw) && !(raw instanceof Date);
}

function scalarText(raw: unknown): string | undefined {
  if (typeof raw === 'string') return raw.trim();
  return typeof raw === 'number' || typeof raw === 'boolean' || typeof raw === 'bigint'
    ? String(raw)
    : undefined;
}

/** Context in which the program was started. Defaults and paths are relative to it. */
export interface LaunchContext {
  readonly env: Environment;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly homeDir: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;
