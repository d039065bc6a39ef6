import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { readAtMost } from '@secateur/base/runtime/bounded-reading.ts';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { loadOptional } from '@secateur/base/runtime/loading.ts';
import { type Clock, withDeadline } from '@secateur/base/runtime/time.ts';
import { failure } from './answer.ts';
import type { Credentials } from './client-call.ts';
import type { ServerEntry } from './server-table.ts';
import type { SignIn, SignInKey, SignInStore } from './sign-in-store.ts';

export interface OAuthDeps {
  readonly store: SignInStore;
  readonly clock: Clock;
  /** Returns the name of the current caller; `undefined` if callers have no names. */
  user(): string | undefined;
}

/** Time limit in ms of a refresh, for which calls wait. A sign-in server that takes longer counts as unavailable. */
const REFRESH_TIMEOUT_MS = 15_000;

/** Time in ms before expiry at which a token is refreshed, so that it does not expire during a call. */
const EARLY_MS = 60_000;

/**
 * Returns credentials of the user who signed in with `secateur gateway login`. Tokens are refreshed before
 * they expire and when they are refused. If this fails, the error names the command to run. Calls never wait
 * for the user.
 */
export function oauthCredentials(name: string, server: OAuthServer, parts: OAuthDeps): Credentials {
  const ownKey = (): SignInKey => ({ server: name, user: parts.user() });
  return {
    headers: async () => {
      const key = ownKey();
      const { tokens, expiresAt = Number.POSITIVE_INFINITY } = await parts.store.read(key);
      if (tokens === undefined) throw signInRequired(key, 'Nobody has signed in to this server');
      const leftMs = expiresAt - parts.clock.now();
      if (leftMs >= EARLY_MS) return bearer(tokens);
      await refresh(key, bearer(tokens), { server, ...parts }).catch((error: unknown) => {
        // A failed refresh does not matter if the token is still valid and no new sign-in is required.
        const isSignInRequired = error instanceof DomainError && error.code === 'sign_in_required';
        if (leftMs <= 0 || (isSignInRequired && tokens.refresh_token !== undefined)) throw error;
      });
      return bearer((await parts.store.read(key)).tokens ?? tokens);
    },
    renew: async (refused) => {
      await refresh(ownKey(), refused, { server, ...parts });
      return true;
    },
    refusal: () => signInRequired(ownKey(), 'The server no longer accepts this sign-in'),
  };
}

type Headers = Readonly<Record<string, string>>;

function bearer({ access_token }: { readonly access_token: string }): Headers {
  return { authorization: `Bearer ${access_token}` };
}

type RefreshDeps = OAuthDeps & Pick<ProviderDeps, 'server'>;

/**
 * Refreshes tokens, unless another call or process has already replaced the `ended` ones. Many refresh tokens
 * can be used once, and using one again ends the sign-in. Callers therefore take turns under a lock.
 */
async function refresh(key: SignInKey, ended: Headers, parts: RefreshDeps): Promise<void> {
  await parts.store.exclusively(key, async () => {
    const { tokens } = await parts.store.read(key);
    if (tokens !== undefined && bearer(tokens).authorization !== ended.authorization) return;
    if (tokens?.refresh_token === undefined)
      throw signInRequired(key, 'The sign-in to this server has ended');
    await refreshTokens(key, parts);
  });
}

async function refreshTokens(key: SignInKey, parts: RefreshDeps): Promise<void> {
  const auth = await loadAuth();
  await withDeadline({ timeoutMs: REFRESH_TIMEOUT_MS }, async (signal) => {
    const sent = watched(signInFetch(signal));
    // The SDK calls this after every failure. A new sign-in is required only if the server refused the token.
    const redirect = () => {
      throw sent.isUnavailable()
        ? notRenewed()
        : signInRequired(key, 'The server no longer accepts this sign-in');
    };
    const consent = { kind: 'redirect', redirectUrl: 'http://127.0.0.1/callback', redirect } as const;
    const provider = oauthProvider({ ...parts, key, consent, pins: parts.store });
    await auth(provider, { serverUrl: parts.server.url, fetchFn: sent.fetch }).catch((cause: unknown) => {
      throw refreshFailure(cause, key);
    });
  });
}

function refreshFailure(cause: unknown, key: SignInKey): DomainError {
  if (!(cause instanceof DomainError) || cause.code === 'not_signed_in') return notRenewed(cause);
  if (cause.code !== 'issuer_refused') return cause;
  const { message, hint = '' } = cause;
  return failure('sign_in_required', message, { hint, data: { server: key.server }, cause });
}

/** Wraps `fetch`. Records whether the last request got no response. */
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
  const message = 'The sign-in could not be renewed: its server does not answer';
  return failure('upstream_unavailable', message, { cause });
}

function signInRequired({ server, user }: SignInKey, message: string): DomainError {
  const command = `secateur gateway login ${server}${user === undefined ? '' : ` --user ${user}`}`;
  return failure('sign_in_required', message, { hint: `Run: ${command}`, data: { server, command } });
}

export interface OAuthServer extends Pick<ServerEntry, 'clientId' | 'clientSecret' | 'issuer' | 'scope'> {
  readonly url: string;
}

interface ProviderDeps {
  readonly server: OAuthServer;
  readonly key: SignInKey;
  readonly store: Pick<SignInStore, 'read' | 'write'>;
  readonly clock: Clock;
  readonly consent: Redirect | DeviceCode;
  /** The store of earlier sign-ins, which contain the issuer used before. */
  readonly pins: Pick<SignInStore, 'issuerOf'>;
}

/** A sign-in in a browser on this machine. The browser is redirected to a loopback address of this process. */
interface Redirect {
  readonly kind: 'redirect';
  readonly redirectUrl: string;
  readonly state?: string | undefined;
  /** Sends the user to the page for approval. Throws if there is no user to ask. */
  redirect(url: URL): void;
}

/** A sign-in on any device. The server is polled until the user has approved. */
interface DeviceCode {
  readonly kind: 'device';
  /** Throws if the server does not support device codes. */
  discovered(metadata: OAuthDiscovery['metadata']): void;
  tokenRequest(found: OAuthDiscovery): Promise<URLSearchParams>;
}

/** Result of discovering a server and registering a client. */
export interface OAuthDiscovery {
  readonly scope: string | undefined;
  readonly resource: string | undefined;
  readonly metadata: OAuthDiscoveryState['authorizationServerMetadata'];
  readonly client: SignIn['client'];
}

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Returns the state that the SDK's authorisation code needs. It is kept in the store of sign-ins. */
export function oauthProvider(parts: ProviderDeps): OAuthClientProvider {
  const { server, key, store, clock, consent } = parts;
  let verifier = '';
  let discovered: OAuthDiscoveryState | undefined;
  let resource: string | undefined;
  const update = async (change: Partial<SignIn>) =>
    store.write(key, { ...(await store.read(key)), ...change });
  const client = async () => knownClient(server) ?? (await store.read(key)).client;
  const metadata = () => discovered?.authorizationServerMetadata;
  const found = async () => ({ resource, metadata: metadata(), client: await client() });
  return {
    redirectUrl: consent.kind === 'redirect' ? consent.redirectUrl : undefined,
    clientMetadata: clientMetadata(server, consent),
    ...consentSteps(consent, found),
    clientInformation: client,
    saveClientInformation: (registered) => update({ client: registered }),
    tokens: async () => (await store.read(key)).tokens,
    saveTokens: (tokens) => {
      const { expires_in: inS } = tokens;
      return update({ tokens, expiresAt: inS === undefined ? undefined : clock.now() + inS * 1000 });
    },
    saveCodeVerifier: (codeVerifier) => {
      verifier = codeVerifier;
    },
    codeVerifier: () => verifier,
    // The authorisation response must come from the server to which the browser was sent.
    discoveryState: () => discovered,
    // Called before a secret is sent to the sign-in server that was discovered.
    saveDiscoveryState: async (state) => {
      await requireKnownIssuer(state, parts);
      discovered = state;
      if (consent.kind === 'device') consent.discovered(state.authorizationServerMetadata);
    },
    saveResourceUrl: (url) => {
      resource = String(url);
    },
    invalidateCredentials: async (scope) => {
      const kept = scope === 'all' || scope === 'client' ? {} : { client: (await store.read(key)).client };
      if (scope !== 'verifier' && scope !== 'discovery') await store.write(key, kept);
    },
  };
}

/**
 * Throws `issuer_refused` if the upstream names another sign-in server than the configured one or, without
 * one, than that of the first sign-in. An upstream must not choose where secrets and refresh tokens are sent.
 */
async function requireKnownIssuer(
  { authorizationServerMetadata, authorizationServerUrl }: OAuthDiscoveryState,
  { server, key, pins }: ProviderDeps,
): Promise<void> {
  const named = authorizationServerMetadata?.issuer ?? authorizationServerUrl;
  const expected = server.issuer ?? (await pins.issuerOf(key));
  if (expected === undefined || withoutSlash(expected) === withoutSlash(named)) return;
  const source = server.issuer === undefined ? 'the first sign-in used' : 'the configuration names';
  const message = `${key.server} names the sign-in server ${named}, ${source} ${expected}`;
  throw new DomainError('issuer_refused', message, {
    hint: `If ${named} is right, set issuer = "${named}" in [mcp_gateway.servers.${key.server}].`,
  });
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}

function consentSteps(consent: Redirect | DeviceCode, found: () => Promise<Omit<OAuthDiscovery, 'scope'>>) {
  if (consent.kind === 'redirect') {
    const { state, redirect } = consent;
    return { redirectToAuthorization: redirect, ...(state !== undefined && { state: () => state }) };
  }
  return {
    prepareTokenRequest: async (scope?: string) => consent.tokenRequest({ ...(await found()), scope }),
    redirectToAuthorization: () => {},
  };
}

function knownClient({ clientId, clientSecret }: OAuthServer): SignIn['client'] {
  if (clientId === undefined) return undefined;
  return { client_id: clientId, ...(clientSecret && { client_secret: clientSecret }) };
}

function clientMetadata({ clientSecret, scope }: OAuthServer, consent: Redirect | DeviceCode) {
  const isDevice = consent.kind === 'device';
  return {
    client_name: 'Sécateur gateway',
    application_type: 'native',
    redirect_uris: isDevice ? [] : [consent.redirectUrl],
    grant_types: [isDevice ? DEVICE_GRANT : 'authorization_code', 'refresh_token'],
    response_types: isDevice ? [] : ['code'],
    token_endpoint_auth_method: clientSecret === undefined ? 'none' : 'client_secret_basic',
    ...(scope && { scope }),
  };
}

/** Loads the SDK's authorisation code, which is in an optional package. */
export async function loadAuth() {
  const name = '@modelcontextprotocol/client';
  return (await loadOptional(name, () => import('@modelcontextprotocol/client'))).auth;
}

export function notSignedIn(why: string, cause?: unknown): DomainError {
  return new DomainError('not_signed_in', `not signed in: ${why}`, { hint: 'Run the command again.', cause });
}

/** Maximum bytes of a response. OAuth metadata, registrations and tokens are far smaller. */
export const MAX_OAUTH_RESPONSE_BYTES = 1_048_576;

/** Time limit in ms of one response. A sign-in server that takes longer counts as unavailable. */
const RESPONSE_TIMEOUT_MS = 15_000;

export type SignInFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Creates the `fetch` for requests to an upstream and its sign-in server, which are not trusted. Responses
 * are limited in size and time, and `signal` ends a request. A redirect is an error unless the caller handles
 * it; the SDK follows redirects within one origin.
 */
export function signInFetch(signal?: AbortSignal): SignInFetch {
  return (url, init = {}) =>
    withDeadline({ timeoutMs: RESPONSE_TIMEOUT_MS, signal }, async (until) => {
      const response = await fetch(url, { redirect: 'error', ...init, signal: until });
      const bytes = await readAtMost(response.body, MAX_OAUTH_RESPONSE_BYTES);
      const tooLong = `a response of its sign-in server is longer than ${MAX_OAUTH_RESPONSE_BYTES} bytes`;
      if (bytes === undefined) throw notSignedIn(tooLong);
      const { status, headers } = response;
      return new Response(bytes.length === 0 ? null : bytes, { status, headers });
    });
}
