import { askForDevice, type DeviceAuthorization, deviceEndpoint } from './oauth/device-authorization.ts';
import {
  DEVICE_GRANT,
  type Found,
  loadAuth,
  notSignedIn,
  type OAuthServer,
  oauthProvider,
} from './oauth/provider.ts';
import { type SignInFetch, signInFetch } from './oauth/sign-in-fetch.ts';
import { isTimeout, NOT_APPROVED, type SignInParts, signInFailure } from './sign-in.ts';
import { draftSignIn, type SignInKey } from './sign-in-store.ts';

export interface DeviceSignInParts extends Omit<SignInParts, 'show'> {
  /** Shows where the user agrees, and the code to give there. */
  show(device: Pick<DeviceAuthorization, 'url' | 'userCode'>): void;
  /** Rejects when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * Signs a user in who has a browser on another device (RFC 8628): discovery, registration and the token request by the
 * SDK, which knows no device codes; asking for one is the one request of ours.
 */
export async function signInByDevice(
  key: SignInKey,
  server: OAuthServer,
  { store, clock, ...parts }: DeviceSignInParts,
): Promise<void> {
  const auth = await loadAuth();
  const draft = draftSignIn();
  const fetchFn = signInFetch(parts.signal);
  const asking = new Asking({ ...parts, fetch: fetchFn });
  const provider = oauthProvider({
    ...{ server, key, clock },
    store: draft,
    pinnedIssuer: () => store.issuerOf(key),
    consent: {
      kind: 'device',
      discovered: deviceEndpoint,
      tokenRequest: (found) => asking.tokenRequest(found),
    },
  });
  const options = { serverUrl: server.url, fetchFn, ...(server.scope && { scope: server.scope }) };
  let isAgreed = false;
  while (!isAgreed) {
    isAgreed = await auth(provider, options).then(
      () => true,
      (error: unknown) => asking.goOnAfter(error),
    );
  }
  await store.write(key, await draft.read());
}

interface AskingParts extends Pick<DeviceSignInParts, 'show' | 'signal' | 'wait'> {
  readonly fetch: SignInFetch;
}

/** Asks as often as the server allows until the user has agreed. */
class Asking {
  readonly #parts: AskingParts;
  #device: DeviceAuthorization | undefined;
  #intervalMs = 0;

  constructor(parts: AskingParts) {
    this.#parts = parts;
  }

  async tokenRequest(found: Found): Promise<URLSearchParams> {
    const { show, signal, wait, fetch } = this.#parts;
    if (this.#device === undefined) {
      this.#device = await askForDevice(found, fetch);
      this.#intervalMs = this.#device.intervalMs;
      show(this.#device);
    }
    await wait(this.#intervalMs, signal);
    return new URLSearchParams({ grant_type: DEVICE_GRANT, device_code: this.#device.deviceCode });
  }

  /** Throws what ends the sign-in; `false` means: not yet. */
  goOnAfter(error: unknown): false {
    const { signal } = this.#parts;
    if (signal.aborted) throw signInFailure(error, signal);
    const { code } = error as { code?: unknown };
    if (code === 'authorization_pending') return false;
    const isUnavailable = error instanceof TypeError || isTimeout(error);
    if (code === 'slow_down') this.#intervalMs += SLOWER_MS;
    else if (isUnavailable && this.#device !== undefined) this.#intervalMs *= 2;
    else throw endOf(String(code)) ?? signInFailure(error, signal);
    return false;
  }
}

/** As RFC 8628 requires. */
const SLOWER_MS = 5000;

function endOf(code: string): Error | undefined {
  if (code === 'access_denied') return notSignedIn('access was denied');
  return code === 'expired_token' ? notSignedIn(NOT_APPROVED) : undefined;
}
