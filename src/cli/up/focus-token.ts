import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DomainError } from '../../runtime/domain-error.ts';
import { makeFolder } from '../../runtime/make-folder.ts';
import type { UpConfig } from './start-all.ts';

/**
 * Where the system does not tell whose a loopback caller is, whoever calls the focus tools shows that it can read our
 * files. The token stays the same, so that a client that was given it finds the next start open too.
 */
export async function focusToken(
  { wire, recovery }: Pick<UpConfig, 'wire' | 'recovery'>,
  platform: NodeJS.Platform,
): Promise<{ path: string; token: string } | undefined> {
  if (platform === 'linux' || wire.loopbackUsers === 'any' || wire.bearerToken !== undefined)
    return undefined;
  const path = join(recovery.dataDir, 'focus-token');
  const token = (await written(path)) ?? (await made(path));
  return { path, token };
}

async function written(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.trim() === '' ? undefined : text.trim();
}

async function made(path: string): Promise<string> {
  const token = randomBytes(32).toString('hex');
  try {
    makeFolder(dirname(path));
    await writeFile(path, `${token}\n`, { mode: 0o600 });
    return token;
  } catch (cause) {
    throw new DomainError('cannot_write', `${path} cannot be written: any account could run commands here`, {
      hint: 'Set SECATEUR_DATA_DIR to a folder of yours, or SECATEUR_BEARER_TOKEN.',
      cause,
    });
  }
}
