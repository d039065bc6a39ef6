import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';

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
    const path = this.#path(key);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const draft = `${path}.${process.pid}.new`;
    await writeFile(draft, JSON.stringify(signIn), { mode: 0o600 });
    // A file that was left over keeps its mode when it is written again.
    await chmod(draft, 0o600);
    await rename(draft, path);
  }

  async remove(key: SignInKey): Promise<boolean> {
    return rm(this.#path(key)).then(
      () => true,
      () => false,
    );
  }

  /** Names become file names: whatever they hold, they stay in the folder. */
  #path({ server, user }: SignInKey): string {
    const name = user === undefined ? server : `${server}@${user}`;
    return join(this.#folder, `${encodeURIComponent(name).replaceAll('.', '%2E')}.json`);
  }
}
