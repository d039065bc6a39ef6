import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { type Clock, withDeadline } from '@secateur/base/runtime/time.ts';
import { failure } from './answer.ts';
import type { Credentials } from './credentials.ts';
import {
  loadAuth,
  type OAuthServer,
  oauthProvider,
  type SignInFetch,
  signInFetch,
} from './oauth/provider.ts';
import type { SignInKey, SignInStore } from './sign-in-store.ts';

export interface OAuthParts {
  readonly store: SignInStore;
  readonly clock: Clock;
  /** Whose call is in progress, where callers have names. */
  user(): string | undefined;
}

/** A sign-in server that takes longer counts as unavailable: calls wait for it. */
const REFRESH_TIMEOUT_MS = 15_000;

/** Refreshed this long before the end, so that no call starts with a token that ends on its way. */
const EARLY_MS = 60_000;

/**
 * Calls an upstream for the user who signed in with `secateur gateway login`. Tokens are refreshed before
 * they end and when they are refused; if that fails, the error names the command to run, and nothing waits.
 */
export function oauthCredentials(name: string, server: OAuthServer, parts: OAuthParts): Credentials {
  const keyOf = (user: string | undefined): SignInKey => ({ server: name, user });
  const ownKey = () => keyOf(parts.user());
  return {
    headers: async () => {
      const key = ownKey();
      const { tokens, expiresAt = Number.POSITIVE_INFINITY } = await parts.store.read(key);
      if (tokens === undefined) throw signInRequired(key, 'Nobody has signed in to this server');
      const leftMs = expiresAt - parts.clock.now();
      if (leftMs >= EARLY_MS) return bearer(tokens);
      await refresh(key, { server, parts, ended: bearer(tokens) }).catch((error: unknown) => {
        // A token that is still valid is used, even if the refresh fails.
        if (leftMs <= 0 || isRefused(error, tokens)) throw error;
      });
      return bearer((await parts.store.read(key)).tokens ?? tokens);
    },
    renew: async (refused) => {
      await refresh(ownKey(), { server, parts, ended: refused });
      return true;
    },
    refusal: () => signInRequired(ownKey(), 'The server no longer accepts this sign-in'),
  };
}

/** The server said no; a server that is away, or gave nothing to renew with, said nothing. */
function isRefused(
  error: unknown,
  { refresh_token }: { readonly refresh_token?: string | undefined },
): boolean {
  return error instanceof DomainError && error.code === 'sign_in_required' && refresh_token !== undefined;
}

type Headers = Readonly<Record<string, string>>;

function bearer({ access_token }: { readonly access_token: string }): Headers {
  return { authorization: `Bearer ${access_token}` };
}

interface Refresh {
  readonly server: OAuthServer;
  readonly parts: OAuthParts;
  /** The headers that are of no use any more. */
  readonly ended: Headers;
}

/**
 * A refresh token is often good for one use, and a second one ends the whole sign-in: calls and processes
 * that need a refresh at the same time take turns, and the later ones use the new token.
 */
async function refresh(key: SignInKey, { server, parts, ended }: Refresh): Promise<void> {
  await parts.store.exclusively(key, async () => {
    const { tokens } = await parts.store.read(key);
    if (tokens !== undefined && bearer(tokens).authorization !== ended.authorization) return;
    if (tokens?.refresh_token === undefined)
      throw signInRequired(key, 'The sign-in to this server has ended');
    await refreshTokens(key, server, parts);
  });
}

async function refreshTokens(key: SignInKey, server: OAuthServer, parts: OAuthParts): Promise<void> {
  const auth = await loadAuth();
  await withDeadline({ timeoutMs: REFRESH_TIMEOUT_MS }, async (signal) => {
    const sent = watched(signInFetch(signal));
    // The SDK sends the user to sign in after any failure; only a server that refused means it.
    const redirect = () => {
      throw sent.isUnavailable()
        ? notRenewed()
        : signInRequired(key, 'The server no longer accepts this sign-in');
    };
    const consent = { kind: 'redirect', redirectUrl: 'http://127.0.0.1/callback', redirect } as const;
    const pinnedIssuer = () => parts.store.issuerOf(key);
    const provider = oauthProvider({ ...parts, server, key, consent, pinnedIssuer });
    await auth(provider, { serverUrl: server.url, fetchFn: sent.fetch }).catch((cause: unknown) => {
      throw refreshFailure(cause, key);
    });
  });
}

function refreshFailure(cause: unknown, key: SignInKey): DomainError {
  if (!(cause instanceof DomainError) || cause.code === 'not_signed_in') return notRenewed(cause);
  if (cause.code !== 'issuer_refused') return cause;
  const { server } = key;
  const { message, hint = '' } = cause;
  return failure('sign_in_required', message, { hint, data: { server }, cause });
}

/** Wraps `fetch` and remembers whether the server of its last request failed to answer. */
function watched(fetch: SignInFetch) {
  let isUnavailable = false;
  return {
    isUnavailable: () => isUnavailable,
    fetch: async (url: string | URL, init?: RequestInit) => {
      isUnavailable = true;
      const answer = await fetch(url, init);
      isUnavailable = answer.status >= 500;
      return answer;
    },
  };
}

function notRenewed(cause?: unknown): DomainError {
  return failure('upstream_unavailable', 'The sign-in could not be renewed: its server does not answer', {
    cause,
  });
}

function signInRequired({ server, user }: SignInKey, message: string): DomainError {
  const command = `secateur gateway login ${server}${user === undefined ? '' : ` --user ${user}`}`;
  return failure('sign_in_required', message, { hint: `Run: ${command}`, data: { server, command } });
}
