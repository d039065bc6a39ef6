import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import type { Clock } from '@secateur/base/runtime/time.ts';
import { constantTimeEquals } from '@secateur/serving/wire/tokens.ts';
import {
  DEVICE_GRANT,
  loadAuth,
  notSignedIn,
  type OAuthDiscovery,
  type OAuthServer,
  oauthProvider,
  type SignInFetch,
  signInFetch,
} from './oauth.ts';
import { draftSignIn, type SignInKey, type SignInStore } from './sign-in-store.ts';

export interface SignInDeps {
  readonly store: SignInStore;
  readonly clock: Clock;
  /** Shows the user the address of the page for approval. */
  show(url: URL): void;
  readonly signal: AbortSignal;
}

/** Signs a user in. The SDK does discovery, registration and PKCE, and the browser is redirected to loopback. */
export async function signIn(key: SignInKey, server: OAuthServer, parts: SignInDeps): Promise<void> {
  const auth = await loadAuth();
  const { show, signal } = parts;
  const state = randomBytes(16).toString('base64url');
  const callback = await openCallback(state, signal);
  try {
    const { redirectUrl } = callback;
    const consent = { kind: 'redirect', redirectUrl, state, redirect: show } as const;
    const { provider, options, keep } = begun(key, server, { ...parts, consent });
    await auth(provider, options);
    const { code: authorizationCode, iss } = await callback.answered;
    await auth(provider, { ...options, authorizationCode, ...(iss !== undefined && { iss }) });
    await keep();
  } catch (error) {
    throw signInFailure(error, signal);
  } finally {
    callback.close();
  }
}

type BegunDeps = Omit<SignInDeps, 'show'> & Pick<Parameters<typeof oauthProvider>[0], 'consent'>;

/** Returns the SDK's dependencies for a sign-in, and a function that stores the completed sign-in. */
function begun(key: SignInKey, server: OAuthServer, { store, clock, signal, consent }: BegunDeps) {
  const draft = draftSignIn();
  const fetchFn = signInFetch(signal);
  return {
    provider: oauthProvider({ server, key, store: draft, clock, consent, pins: store }),
    options: { serverUrl: server.url, fetchFn, ...(server.scope && { scope: server.scope }) },
    keep: async () => store.write(key, await draft.read()),
  };
}

const NOT_APPROVED = 'the request was not approved in time';

const MAX_REASON_CHARS = 300;

/** Returns the error to throw after a failed sign-in: the reason of `signal`, or a `DomainError`. */
function signInFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return isTimeout(signal.reason) ? notSignedIn(NOT_APPROVED) : signal.reason;
  if (error instanceof DomainError) return error;
  if (isTimeout(error)) return notSignedIn('its sign-in server does not respond', error);
  // `fetch` throws a TypeError if it cannot connect.
  if (error instanceof TypeError) return notSignedIn('its sign-in server cannot be reached', error);
  const { message } = error instanceof Error ? error : { message: String(error) };
  return notSignedIn(message.slice(0, MAX_REASON_CHARS), error);
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}

type Answered = { readonly code: string; readonly iss: string | undefined };

async function openCallback(state: string, signal: AbortSignal) {
  const server = createServer();
  const answered = new Promise<Answered>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    server.on('request', (request, response) => {
      const [, query] = (request.url ?? '').split('?', 2);
      const given = new URLSearchParams(query);
      const isOurs = constantTimeEquals(given.get('state') ?? '', state);
      response.writeHead(isOurs ? 200 : 400, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(isOurs ? THANKS : NOT_OURS);
      if (isOurs) resolve(codeIn(given));
    });
  });
  // Callers that wait get the error. If none waits, it must not become an unhandled rejection.
  answered.catch(() => {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { redirectUrl: `http://127.0.0.1:${port}/callback`, answered, close: () => server.close() };
}

const THANKS = 'Sécateur has the answer. This page can be closed.\n';
const NOT_OURS = 'This is no answer Sécateur waits for.\n';

/** Resolves to the authorisation code. Rejects if the user or the server refused. */
async function codeIn(query: URLSearchParams): Promise<Answered> {
  const code = query.get('code');
  if (code === null) throw notSignedIn(query.get('error') ?? 'the server gave no code');
  return { code, iss: query.get('iss') ?? undefined };
}

export interface DeviceSignInDeps extends Omit<SignInDeps, 'show'> {
  /** Shows the user the address of the page for approval, and the code to enter there. */
  show(device: Pick<DeviceAuthorization, 'url' | 'userCode'>): void;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * Signs in a user whose browser is on another device (RFC 8628). The SDK does discovery, registration and the
 * token request, but does not support device codes. These are requested here.
 */
export async function signInByDevice(
  key: SignInKey,
  server: OAuthServer,
  parts: DeviceSignInDeps,
): Promise<void> {
  const auth = await loadAuth();
  const { show, signal, wait } = parts;
  let device: DeviceAuthorization | undefined;
  let intervalMs = 0;
  // Called for each poll. The server determines the interval.
  const tokenRequest = async (found: OAuthDiscovery) => {
    if (device === undefined) {
      device = await askForDevice(found, signInFetch(signal));
      intervalMs = device.intervalMs;
      show(device);
    }
    await wait(intervalMs, signal);
    return new URLSearchParams({ grant_type: DEVICE_GRANT, device_code: device.deviceCode });
  };
  const consent = { kind: 'device', discovered: deviceEndpoint, tokenRequest } as const;
  const { provider, options, keep } = begun(key, server, { ...parts, consent });
  for (let isAgreed = false; !isAgreed; ) {
    isAgreed = await auth(provider, options).then(
      () => true,
      (error: unknown) => {
        intervalMs = intervalAfter(error, { signal, intervalMs, isAsked: device !== undefined });
        return false;
      },
    );
  }
  await keep();
}

/** Returns the interval until the next poll. Throws errors that end the sign-in. */
function intervalAfter(
  error: unknown,
  { signal, intervalMs, isAsked }: { signal: AbortSignal; intervalMs: number; isAsked: boolean },
): number {
  if (signal.aborted) throw signInFailure(error, signal);
  const { code } = error as { code?: unknown };
  if (code === 'authorization_pending') return intervalMs;
  if (code === 'slow_down') return intervalMs + SLOWER_MS;
  if (isAsked && (error instanceof TypeError || isTimeout(error))) return 2 * intervalMs;
  if (code === 'access_denied') throw notSignedIn('access was denied');
  throw code === 'expired_token' ? notSignedIn(NOT_APPROVED) : signInFailure(error, signal);
}

/** Milliseconds added to the interval after `slow_down`, as RFC 8628 requires. */
const SLOWER_MS = 5000;

const DEFAULT_INTERVAL_S = 5;

type DeviceAuthorization = Awaited<ReturnType<typeof askForDevice>>;

/** Returns the codes for user and device (RFC 8628, section 3.2). If possible, the address contains the code. */
async function askForDevice(found: OAuthDiscovery, fetch: SignInFetch) {
  const answer = await fetch(deviceEndpoint(found.metadata), { method: 'POST', ...requestOf(found) });
  const json = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  if (!answer.ok) throw notSignedIn(typeof json.error === 'string' ? json.error : `HTTP ${answer.status}`);
  const { device_code, user_code, verification_uri, verification_uri_complete, interval } = json;
  const url = webAddress(verification_uri_complete) ?? webAddress(verification_uri);
  if (typeof device_code !== 'string' || typeof user_code !== 'string' || url === undefined)
    throw notSignedIn('the server gave no code');
  const intervalS = typeof interval === 'number' && interval >= 0 ? interval : DEFAULT_INTERVAL_S;
  return { deviceCode: device_code, userCode: user_code, url, intervalMs: intervalS * 1000 };
}

function requestOf({ client, scope, resource }: OAuthDiscovery) {
  const { client_id = '', client_secret } = client ?? {};
  const body = new URLSearchParams({
    client_id,
    ...(scope !== undefined && { scope }),
    ...(resource !== undefined && { resource }),
  });
  if (client_secret === undefined) return { body };
  const pair = `${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`;
  return { body, headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } };
}

/** Returns the endpoint for device codes. Throws `no_device_flow` if the server has none. */
function deviceEndpoint(metadata: OAuthDiscovery['metadata']): URL {
  const { device_authorization_endpoint: endpoint } = (metadata ?? {}) as Record<string, unknown>;
  const url = webAddress(endpoint);
  if (url === undefined)
    throw new DomainError('no_device_flow', 'this server offers no sign-in with a code', {
      hint: 'Run the command without --device, on a machine with a browser.',
    });
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !isLocal) throw notSignedIn('its server does not speak TLS');
  return url;
}

function webAddress(text: unknown): URL | undefined {
  if (typeof text !== 'string' || !/^https?:/i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text);
}
