import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { type Found, notSignedIn, type SignInFetch } from './provider.ts';

/** A code for the user and one for us (RFC 8628, section 3.2). */
export interface DeviceAuthorization {
  readonly deviceCode: string;
  readonly userCode: string;
  /** Address where the user approves; contains the code if the server offers that. */
  readonly url: URL;
  readonly intervalMs: number;
}

const DEFAULT_INTERVAL_S = 5;

export async function askForDevice(found: Found, fetch: SignInFetch): Promise<DeviceAuthorization> {
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

function requestOf({ client, scope, resource }: Found) {
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

/** Throws `no_device_flow`. */
export function deviceEndpoint(metadata: Found['metadata']): URL {
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
