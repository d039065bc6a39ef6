import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const NAME = 'secateur_page';

/**
 * The cookie of a browser that logged in: made from the token but not the token, so that whoever reads it can see the
 * page and nothing else. Browsers send it from our own page only, and hide it from scripts.
 */
export function pageCookie(token: string): string {
  return `${NAME}=${proofOf(token)}; Path=/; HttpOnly; SameSite=Strict`;
}

export function hasPageCookie({ headers }: Pick<IncomingMessage, 'headers'>, token: string): boolean {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const given = pairs.find((pair) => pair.startsWith(`${NAME}=`))?.slice(NAME.length + 1);
  return given !== undefined && isSame(given, proofOf(token));
}

/** Takes the same time whatever was given. */
export function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac('sha256', NAME).update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function proofOf(token: string): string {
  return createHmac('sha256', token).update(NAME).digest('base64url');
}
