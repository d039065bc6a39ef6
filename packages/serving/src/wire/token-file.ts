import { createHash, randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { readRegularFile } from '@secateur/base/runtime/bounded-reading.ts';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { makeFolder, replaceFile, withFileLock } from '@secateur/base/runtime/writing-files.ts';
import { type Fields, isFields, parsedJson } from '@secateur/base/text/json.ts';

/** Permissions and hash of a named token. The token itself is not stored. */
export interface TokenGrant {
  readonly name: string;
  /** SHA-256 of the token in hex. It needs no salt, because a token has 256 random bits. */
  readonly sha256: string;
  readonly created?: string | undefined;
  readonly callsPerMinute?: number | undefined;
  readonly concurrentCalls?: number | undefined;
  /** Maximum bytes of request bodies per minute. */
  readonly bytesPerMinute?: number | undefined;
  /** Servers of the gateway that the token may use. Default: all. */
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

const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Reads the token file. `undefined` if it is missing; throws `tokens_unreadable` if it is invalid. */
export async function readTokenFile(path: string): Promise<TokenGrant[] | undefined> {
  const file = readRegularFile(path, { maxBytes: MAX_FILE_BYTES, followLinks: true });
  if (file.kind === 'read') return parseTokens(path, file.bytes.toString('utf8'));
  if (file.code === 'missing') return undefined;
  throw unreadable(path, file.reason);
}

/** Changes the token file under a lock. Two concurrent changes are then both kept. */
export async function changeTokenFile(
  path: string,
  change: (grants: readonly TokenGrant[]) => readonly TokenGrant[],
): Promise<void> {
  try {
    makeFolder(dirname(path));
    await withFileLock(`${path}.lock`, async () => {
      await writeTokenFile(path, change((await readTokenFile(path)) ?? []));
    });
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw new DomainError('cannot_write', `the tokens file ${path} cannot be written`, {
      hint: 'Check its folder, or name another file with SECATEUR_TOKENS_FILE.',
      cause,
    });
  }
}

export async function writeTokenFile(path: string, grants: readonly TokenGrant[]): Promise<void> {
  await replaceFile(path, `${JSON.stringify({ tokens: grants }, null, 2)}\n`);
}

function parseTokens(path: string, text: string): TokenGrant[] {
  const json = parsedJson(text);
  if (json === undefined) throw unreadable(path, 'is not JSON');
  const tokens = isFields(json) ? json.tokens : undefined;
  if (!Array.isArray(tokens)) throw unreadable(path, 'has no list `tokens`');
  for (const [index, entry] of tokens.entries()) {
    const fault = isFields(entry) ? faultOf(entry) : 'is not an object';
    if (fault !== undefined) throw unreadable(path, `entry ${index + 1}: ${fault}`);
  }
  const grants = tokens as TokenGrant[];
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

function faultOf(fields: Fields): string | undefined {
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
    hint: 'Correct it, or restore a copy. If you move it away, `secateur token add NAME` begins a new one; the tokens in it are then refused.',
  });
}
