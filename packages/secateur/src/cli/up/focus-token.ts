import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { readRegularFile } from '@secateur/base/runtime/open-regular-file.ts';
import { replaceFile } from '@secateur/base/runtime/replace-file.ts';
import type { UpConfig } from './start-all.ts';

/**
 * Returns the token by which callers of the focus tools prove that they can read our files, if the system
 * does not report a loopback caller's user. It is kept, so that clients can use it after a restart.
 */
export async function focusToken(
  { wire, recovery }: Pick<UpConfig, 'wire' | 'recovery'>,
  platform: NodeJS.Platform,
): Promise<{ path: string; token: string } | undefined> {
  if (platform === 'linux' || wire.loopbackUsers === 'any' || wire.bearerToken !== undefined)
    return undefined;
  const path = join(recovery.dataDir, 'focus-token');
  const token = written(path) ?? (await made(path));
  return { path, token };
}

function written(path: string): string | undefined {
  const file = readRegularFile(path, { maxBytes: MAX_TOKEN_BYTES, followLinks: true });
  const text = file.kind === 'read' ? file.bytes.toString('utf8').trim() : '';
  return text === '' ? undefined : text;
}

const MAX_TOKEN_BYTES = 4096;

async function made(path: string): Promise<string> {
  const token = randomBytes(32).toString('hex');
  try {
    await replaceFile(path, `${token}\n`);
    return token;
  } catch (cause) {
    throw new DomainError('cannot_write', `${path} cannot be written: any account could run commands here`, {
      hint: 'Set SECATEUR_DATA_DIR to a folder of yours, or SECATEUR_BEARER_TOKEN.',
      cause,
    });
  }
}
