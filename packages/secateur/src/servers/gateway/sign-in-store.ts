import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { replaceFile, withFileLock } from '@secateur/base/runtime/writing-files.ts';

/** Key of a sign-in. `user` is the name of the caller's token; absent if callers have no tokens. */
export interface SignInKey {
  readonly server: string;
  readonly user?: string | undefined;
}

export interface SignIn {
  readonly client?: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0] | undefined;
  readonly tokens?: Parameters<OAuthClientProvider['saveTokens']>[0] | undefined;
  /** Milliseconds since the epoch; absent if the sign-in server did not send an expiry. */
  readonly expiresAt?: number | undefined;
}

/** Stores each sign-in in a file that only its owner can read. Its content is never printed. */
export class SignInStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reads a sign-in. If the file cannot be read, the user has to sign in again. */
  async read(key: SignInKey): Promise<SignIn> {
    return readSignIn(this.#path(key));
  }

  /** Returns the issuer in the sign-in of any user; `undefined` without one. All users share the client secret. */
  async issuerOf({ server, user }: SignInKey): Promise<string | undefined> {
    const own = issuerIn(await this.read({ server, user }));
    if (own !== undefined) return own;
    const name = fileName({ server });
    const names = await readdir(this.#folder).catch(() => []);
    const ofServer = names.filter((each) => each === `${name}.json` || each.startsWith(`${name}%40`));
    const issuers = await Promise.all(
      ofServer.sort().map(async (each) => issuerIn(await readSignIn(join(this.#folder, each)))),
    );
    return issuers.find((each) => each !== undefined);
  }

  async write(key: SignInKey, signIn: SignIn): Promise<void> {
    await replaceFile(this.#path(key), JSON.stringify(signIn));
  }

  async remove(key: SignInKey): Promise<boolean> {
    return rm(this.#path(key))
      .then(() => true)
      .catch(() => false);
  }

  /** Runs `work` under a lock that all processes respect. Takes over the lock of a killed process. */
  async exclusively<Result>(key: SignInKey, work: () => Promise<Result>): Promise<Result> {
    return withFileLock(`${this.#path(key)}.lock`, work);
  }

  #path(key: SignInKey): string {
    return join(this.#folder, `${fileName(key)}.json`);
  }
}

/** Returns the file name for a key. All characters are encoded, and the first `@` separates the user. */
function fileName({ server, user }: SignInKey): string {
  const name = `${encodeURIComponent(server)}${user === undefined ? '' : `@${user}`}`;
  return encodeURIComponent(name).replaceAll('.', '%2E');
}

async function readSignIn(path: string): Promise<SignIn> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as SignIn;
  } catch {
    return {};
  }
}

function issuerIn({ tokens, client }: SignIn): string | undefined {
  return tokens?.issuer ?? client?.issuer;
}

/**
 * Returns a store for a sign-in in progress. The stored sign-in stays if this one fails. It begins empty,
 * because a client that was registered for another address would be refused.
 */
export function draftSignIn() {
  let draft: SignIn = {};
  return {
    read: async () => draft,
    write: async (_: SignInKey, signIn: SignIn) => {
      draft = signIn;
    },
  };
}
