import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DomainError } from '../runtime/domain-error.ts';
import { replaceFile } from '../runtime/replace-file.ts';

/** What one named token may do. The token itself is nowhere: only its hash is kept. */
export interface TokenGrant {
  readonly name: string;
  /** SHA-256 of the token, in hex. Tokens are 256 random bits: there is nothing to guess, so nothing to salt. */
  readonly sha256: string;
  readonly created?: string | undefined;
  readonly callsPerMinute?: number | undefined;
  readonly concurrentCalls?: number | undefined;
  /** Bytes of request bodies. */
  readonly bytesPerMinute?: number | undefined;
  /** Gateway servers it may use; absent: all. */
  readonly servers?: readonly string[] | undefined;
  readonly allowTools?: readonly string[] | undefined;
  readonly denyTools?: readonly string[] | undefined;
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export function newToken(): string {
  return `sct_${randomBytes(32).toString('base64url')}`;
}

/** `undefined` where there is no such file: tokens are then not asked for. Throws `tokens_unreadable` for a wrong one. */
export async function readTokenFile(path: string): Promise<TokenGrant[] | undefined> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    // No such file, or no folder it could be in.
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return undefined;
    throw unreadable(path, `cannot be read (${cause.code})`);
  });
  return text === undefined ? undefined : parseTokens(path, text);
}

export async function writeTokenFile(path: string, grants: readonly TokenGrant[]): Promise<void> {
  await replaceFile(path, `${JSON.stringify({ tokens: grants }, null, 2)}\n`);
}

function parseTokens(path: string, text: string): TokenGrant[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw unreadable(path, 'is not JSON');
  }
  const tokens = (json as { tokens?: unknown } | null)?.tokens;
  if (!Array.isArray(tokens)) throw unreadable(path, 'has no list `tokens`');
  const grants = tokens.map((entry, index) =>
    readGrant(entry, (what) => unreadable(path, `entry ${index + 1}: ${what}`)),
  );
  const twice = grants.find(({ name }, index) => grants.findIndex((each) => each.name === name) !== index);
  if (twice !== undefined) throw unreadable(path, `two entries are named ${twice.name}`);
  return grants;
}

const NAME = /^[\w.-]{1,64}$/;
const SHA256 = /^[\da-f]{64}$/;

export function isTokenName(name: string): boolean {
  return NAME.test(name);
}

const LIMITS = ['callsPerMinute', 'concurrentCalls', 'bytesPerMinute'] as const;
const LISTS = ['servers', 'allowTools', 'denyTools'] as const;
const KNOWN: ReadonlySet<string> = new Set(['name', 'sha256', 'created', ...LIMITS, ...LISTS]);

function readGrant(entry: unknown, wrong: (what: string) => DomainError): TokenGrant {
  if (typeof entry !== 'object' || entry === null) throw wrong('is no object');
  const fault = faultOf(entry as Record<string, unknown>);
  if (fault !== undefined) throw wrong(fault);
  return entry as TokenGrant;
}

function faultOf(fields: Record<string, unknown>): string | undefined {
  const unknown = Object.keys(fields).find((key) => !KNOWN.has(key));
  if (unknown !== undefined) return `unknown key ${unknown}`;
  if (typeof fields.name !== 'string' || !isTokenName(fields.name))
    return 'name must be 1 to 64 letters, digits, _ . -';
  if (typeof fields.sha256 !== 'string' || !SHA256.test(fields.sha256)) return 'sha256 must be 64 hex digits';
  const limit = LIMITS.find((key) => !isLimit(fields[key]));
  if (limit !== undefined) return `${limit} must be a whole number above 0`;
  const list = LISTS.find((key) => !isNameList(fields[key]));
  return list === undefined ? undefined : `${list} must be a list of names`;
}

function isLimit(value: unknown): boolean {
  return value === undefined || (Number.isSafeInteger(value) && (value as number) > 0);
}

function isNameList(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((each) => typeof each === 'string'));
}

function unreadable(path: string, what: string): DomainError {
  return new DomainError('tokens_unreadable', `the tokens file ${path} ${what}`, {
    hint: '`secateur token add NAME` writes a good one.',
  });
}
