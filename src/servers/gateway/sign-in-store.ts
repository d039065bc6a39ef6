import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { withFileLock } from '../../runtime/file-lock.ts';
import { replaceFile } from '../../runtime/replace-file.ts';

/** One sign-in: one user at one server. `user` is the name of a token of ours, where callers have some. */
export interface SignInKey {
  readonly server: string;
  readonly user?: string | undefined;
}

export interface SignIn {
  readonly client?: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0] | undefined;
  readonly tokens?: Parameters<OAuthClientProvider['saveTokens']>[0] | undefined;
  /** Milliseconds since the epoch; absent where the server did not say. */
  readonly expiresAt?: number | undefined;
}

/** Sign-ins in files of their own that only their owner reads; nothing of them is ever printed. */
export class SignInStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What cannot be read is no sign-in: the user is asked to sign in again. */
  async read(key: SignInKey): Promise<SignIn> {
    try {
      return JSON.parse(await readFile(this.#path(key), 'utf8')) as SignIn;
    } catch {
      return {};
    }
  }

  async write(key: SignInKey, signIn: SignIn): Promise<void> {
    await replaceFile(this.#path(key), JSON.stringify(signIn));
  }

  async remove(key: SignInKey): Promise<boolean> {
    return rm(this.#path(key)).then(
      () => true,
      () => false,
    );
  }

  /** One at a time for all processes that share the folder; what a killed one left behind is taken over. */
  async exclusively<Result>(key: SignInKey, work: () => Promise<Result>): Promise<Result> {
    return withFileLock(`${this.#path(key)}.lock`, work);
  }

  /** Names become file names: whatever they hold, they stay in the folder, and the first `@` begins the user's. */
  #path({ server, user }: SignInKey): string {
    const name = `${encodeURIComponent(server)}${user === undefined ? '' : `@${user}`}`;
    return join(this.#folder, `${encodeURIComponent(name).replaceAll('.', '%2E')}.json`);
  }
}

/**
 * A sign-in until it is complete: one that fails leaves the last one as it was. It begins with nothing, because a client
 * registered for another address of ours would be refused at this one.
 */
export function draftSignIn(): {
  read(): Promise<SignIn>;
  write(key: SignInKey, signIn: SignIn): Promise<void>;
} {
  let draft: SignIn = {};
  return {
    read: async () => draft,
    write: async (_, signIn) => {
      draft = signIn;
    },
  };
}
