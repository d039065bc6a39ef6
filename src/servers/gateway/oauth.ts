import type { Clock } from '../../runtime/clock.ts';
import { DomainError } from '../../runtime/domain-error.ts';
import { loadOptional } from '../../runtime/optional-package.ts';
import type { Credentials } from './credentials.ts';
import { failure } from './failure.ts';
import { type OAuthServer, oauthProvider } from './oauth/provider.ts';
import type { SignInKey, SignInStore } from './sign-in-store.ts';

export interface OAuthParts {
  readonly store: SignInStore;
  readonly clock: Clock;
  /** Whose call is in progress, where callers have names. */
  user(): string | undefined;
}

/** Refreshed this long before the end, so that no call starts with a token that ends on its way. */
const EARLY_MS = 60_000;

/**
 * Calls an upstream in the name of whoever signed in with `secateur gateway login`. Tokens are refreshed before they
 * end and when they are refused; where that fails the caller is told what to run, and nothing waits.
 */
export function oauthCredentials(name: string, server: OAuthServer, parts: OAuthParts): Credentials {
  const refreshing = new Map<string | undefined, Promise<void>>();
  const keyOf = (user: string | undefined): SignInKey => ({ server: name, user });

  /** Calls that need it at the same time share one refresh: a refresh token is often good for one use. */
  const refresh = (user: string | undefined): Promise<void> => {
    const running = refreshing.get(user) ?? refreshTokens(keyOf(user), server, parts);
    refreshing.set(user, running);
    return running.finally(() => refreshing.delete(user));
  };

  return {
    headers: async () => {
      const user = parts.user();
      const { expiresAt = Number.POSITIVE_INFINITY } = await parts.store.read(keyOf(user));
      if (parts.clock.now() > expiresAt - EARLY_MS) await refresh(user);
      const { tokens } = await parts.store.read(keyOf(user));
      if (tokens === undefined) throw signInRequired(keyOf(user), 'Nobody has signed in to this server');
      return { authorization: `Bearer ${tokens.access_token}` };
    },
    renew: async () => {
      await refresh(parts.user());
      return true;
    },
  };
}

async function refreshTokens(key: SignInKey, server: OAuthServer, parts: OAuthParts): Promise<void> {
  const { tokens } = await parts.store.read(key);
  if (tokens?.refresh_token === undefined) throw signInRequired(key, 'The sign-in to this server has ended');
  const { auth } = await loadOptional(
    '@modelcontextprotocol/client',
    () => import('@modelcontextprotocol/client'),
  );
  const redirect = () => {
    throw signInRequired(key, 'The server takes the sign-in no longer');
  };
  const provider = oauthProvider({
    ...parts,
    server,
    key,
    redirectUrl: 'http://127.0.0.1/callback',
    redirect,
  });
  try {
    await auth(provider, { serverUrl: server.url });
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw failure('upstream_unavailable', 'The sign-in could not be renewed: its server does not answer', {
      cause,
    });
  }
}

function signInRequired({ server, user }: SignInKey, message: string): DomainError {
  const command = `secateur gateway login ${server}${user === undefined ? '' : ` --user ${user}`}`;
  return failure('sign_in_required', message, { hint: `Run: ${command}`, data: { server, command } });
}
