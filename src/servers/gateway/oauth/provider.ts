import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import type { Clock } from '../../../runtime/clock.ts';
import type { SignIn, SignInKey, SignInStore } from '../sign-in-store.ts';

export interface OAuthServer {
  readonly url: string;
  /** A client the server already knows; without it one is registered. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly scope?: string | undefined;
}

export interface ProviderParts {
  readonly server: OAuthServer;
  readonly key: SignInKey;
  readonly store: SignInStore;
  readonly clock: Clock;
  readonly redirectUrl: string;
  readonly state?: string | undefined;
  /** Where the user has to agree; throws where there is no user to ask. */
  redirect(url: URL): void;
}

/** What the SDK's authorisation needs to know and to remember, kept in the store of sign-ins. */
export function oauthProvider(parts: ProviderParts): OAuthClientProvider {
  const { server, key, store, clock, redirectUrl, state } = parts;
  let verifier = '';
  const update = async (change: Partial<SignIn>) =>
    store.write(key, { ...(await store.read(key)), ...change });
  const known =
    server.clientId === undefined
      ? undefined
      : { client_id: server.clientId, ...(server.clientSecret && { client_secret: server.clientSecret }) };
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'Sécateur gateway',
      application_type: 'native',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: server.clientSecret === undefined ? 'none' : 'client_secret_basic',
      ...(server.scope && { scope: server.scope }),
    },
    ...(state !== undefined && { state: () => state }),
    clientInformation: async () => known ?? (await store.read(key)).client,
    saveClientInformation: (client) => update({ client }),
    tokens: async () => (await store.read(key)).tokens,
    saveTokens: (tokens) => update({ tokens, expiresAt: expiryOf(tokens.expires_in, clock) }),
    redirectToAuthorization: parts.redirect,
    saveCodeVerifier: (codeVerifier) => {
      verifier = codeVerifier;
    },
    codeVerifier: () => verifier,
    invalidateCredentials: async (scope) => {
      const kept = scope === 'all' || scope === 'client' ? {} : { client: (await store.read(key)).client };
      if (scope !== 'verifier' && scope !== 'discovery') await store.write(key, kept);
    },
  };
}

function expiryOf(expiresInS: number | undefined, clock: Clock): number | undefined {
  return expiresInS === undefined ? undefined : clock.now() + expiresInS * 1000;
}
