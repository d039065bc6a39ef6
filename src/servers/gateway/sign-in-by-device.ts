import { DomainError } from '../../runtime/domain-error.ts';
import { askForDevice, type DeviceAuthorization, deviceEndpoint } from './oauth/device-authorization.ts';
import {
  DEVICE_GRANT,
  type Found,
  loadAuth,
  notSignedIn,
  type OAuthServer,
  oauthProvider,
} from './oauth/provider.ts';
import type { SignInParts } from './sign-in.ts';
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
  const asking = new Asking(parts);
  const provider = oauthProvider({
    ...{ server, key, clock },
    store: draft,
    consent: {
      kind: 'device',
      discovered: deviceEndpoint,
      tokenRequest: (found) => asking.tokenRequest(found),
    },
  });
  const options = { serverUrl: server.url, ...(server.scope && { scope: server.scope }) };
  let isAgreed = false;
  while (!isAgreed) {
    isAgreed = await auth(provider, options).then(
      () => true,
      (error: unknown) => asking.goOnAfter(error),
    );
  }
  await store.write(key, await draft.read());
}

type AskingParts = Pick<DeviceSignInParts, 'show' | 'signal' | 'wait'>;

/** Asks as often as the server allows until the user has agreed. */
class Asking {
  readonly #parts: AskingParts;
  #device: DeviceAuthorization | undefined;
  #intervalMs = 0;

  constructor(parts: AskingParts) {
    this.#parts = parts;
  }

  async tokenRequest(found: Found): Promise<URLSearchParams> {
    const { show, signal, wait } = this.#parts;
    if (this.#device === undefined) {
      this.#device = await askForDevice(found, signal);
      this.#intervalMs = this.#device.intervalMs;
      show(this.#device);
    }
    await wait(this.#intervalMs, signal).catch(() => {
      throw notSignedIn('nobody agreed in time');
    });
    return new URLSearchParams({ grant_type: DEVICE_GRANT, device_code: this.#device.deviceCode });
  }

  /** Throws what ends the sign-in; `false` means: not yet. */
  goOnAfter(error: unknown): false {
    const { code } = error as { code?: unknown };
    if (code === 'authorization_pending') return false;
    if (code === 'slow_down') this.#intervalMs += SLOWER_MS;
    else if (error instanceof TypeError && this.#device !== undefined) this.#intervalMs *= 2;
    else throw error instanceof DomainError ? error : notSignedIn(WHY[String(code)] ?? String(code));
    return false;
  }
}

/** What RFC 8628 asks for. */
const SLOWER_MS = 5000;

const WHY: Readonly<Record<string, string>> = {
  access_denied: 'the user said no',
  expired_token: 'nobody agreed in time',
};
