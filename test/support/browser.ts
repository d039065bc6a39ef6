import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

/** As root in a container, and without the connections Chromium opens by itself. */
const ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

export function startBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

export interface WatchedContext {
  readonly context: BrowserContext;
  /** Addresses asked for that are not the page's own, and what the console complained of. */
  readonly complaints: string[];
}

/** A window that keeps note of everything a strict page must not do. */
export async function watchedContext(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedContext> {
  const complaints: string[] = [];
  const context = await browser.newContext(options);
  context.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) complaints.push(`asked for ${request.url()}`);
  });
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  return { context, complaints };
}
