import { readFile } from 'node:fs/promises';
import type { HttpAnswer } from '@secateur/serving/wire/http-route.ts';

/** Scripts, styles, data and images from here only, nothing inline, no framing. */
const CONTENT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export const PAGE_HEADERS = {
  'content-security-policy': CONTENT_POLICY,
  'x-content-type-options': 'nosniff',
  // Without any referrer the login form would say that it comes from nowhere, and be refused.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/** The files of the page by name; no other is served, whatever a path says. */
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  html: 'text/html; charset=utf-8',
};

/** A file of the built page, or 404. */
export async function pageFile(assets: URL, name: string): Promise<HttpAnswer> {
  const type = /^[a-z][a-z-]*\.([a-z]+)$/.exec(name)?.[1] ?? '';
  const contentType = TYPES[type];
  const body =
    contentType === undefined ? undefined : await readFile(new URL(name, assets)).catch(() => undefined);
  if (contentType === undefined || body === undefined)
    return { status: 404, headers: PAGE_HEADERS, json: { error: 'not_found' } };
  return { headers: { ...PAGE_HEADERS, 'content-type': contentType }, body };
}
