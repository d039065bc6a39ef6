import { readAtMost } from '@secateur/base/runtime/read-at-most.ts';
import { withDeadline } from '@secateur/base/runtime/with-deadline.ts';
import { notSignedIn } from './provider.ts';

/** No OAuth metadata, registration or token response comes near it. */
export const MAX_OAUTH_RESPONSE_BYTES = 1_048_576;

/** A sign-in server that takes longer for one response counts as unavailable. */
const RESPONSE_TIMEOUT_MS = 15_000;

export type SignInFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Creates the `fetch` for requests to an upstream and the sign-in server it names. Neither is trusted: a response is read
 * up to a limit and within a time, `signal` ends the request, and redirects are an error unless the caller (the SDK, which
 * follows them within one origin) handles them.
 */
export function signInFetch(signal?: AbortSignal): SignInFetch {
  return (url, init = {}) =>
    withDeadline({ timeoutMs: RESPONSE_TIMEOUT_MS, signal }, async (until) => {
      const response = await fetch(url, { redirect: 'error', ...init, signal: until });
      const bytes = await readAtMost(response.body, MAX_OAUTH_RESPONSE_BYTES);
      if (bytes === undefined)
        throw notSignedIn(
          `a response of its sign-in server is longer than ${MAX_OAUTH_RESPONSE_BYTES} bytes`,
        );
      const { status, headers } = response;
      return new Response(bytes.length === 0 ? null : bytes, { status, headers });
    });
}
