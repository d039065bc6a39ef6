import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const NAME = 'secateur_page';

/** Login of a browser: with the server's own token, or with a named one, of which only the hash is known. */
export interface PageHolder {
  /** `undefined` for the server's own token. */
  readonly name?: string | undefined;
  readonly secret: string;
}

/**
 * Returns the cookie of a browser that logged in: made from the token but not the token, so that its reader
 * can see the page and nothing else. Browsers send it from our own page only, with `isSecure` over TLS only,
 * and hide it from scripts.
 */
export function pageCookie(holder: PageHolder, { isSecure = false } = {}): string {
  const secure = isSecure ? '; Secure' : '';
  return `${NAME}=${proofOf(holder)}; Path=/; HttpOnly; SameSite=Strict${secure}`;
}

export function hasPageCookie({ headers }: Pick<IncomingMessage, 'headers'>, holder: PageHolder): boolean {
  const given = cookieIn(headers.cookie);
  return given !== undefined && isSame(given, proofOf(holder));
}

/** Returns the named token a cookie claims to be made from; `hasPageCookie` checks the proof. */
export function namedInCookie({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const [name, proof] = cookieIn(headers.cookie)?.split(':') ?? [];
  return proof === undefined ? undefined : name;
}

/** Takes the same time whatever was given. */
export function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac('sha256', NAME).update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function cookieIn(header = ''): string | undefined {
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${NAME}=`))?.slice(NAME.length + 1);
}

function proofOf({ name, secret }: PageHolder): string {
  const proof = createHmac('sha256', secret).update(NAME).digest('base64url');
  return name === undefined ? proof : `${name}:${proof}`;
}
