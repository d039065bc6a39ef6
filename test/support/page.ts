import type { Browser, Page } from 'playwright-core';
import { startBrowser, watchedContext } from './browser.ts';
import { type StartedUp, startUp } from './up.ts';

/** The page of a running `secateur up`, in a real browser. */
export interface StartedPage {
  readonly up: StartedUp;
  readonly browser: Browser;
  readonly complaints: readonly string[];
  open(hash: string): Promise<Page>;
  /** Has a log pruned; the id of the cut. */
  cut(text: string, goal?: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startPage(
  chromium: string,
  env: Readonly<Record<string, string>> = {},
  options: { readonly config?: string } = {},
): Promise<StartedPage> {
  const up = await startUp(env, options);
  const browser = await startBrowser(chromium);
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { context, complaints } = await watchedContext(browser, up.pruner, { permissions });
  return {
    ...{ up, browser, complaints },
    open: async (hash) => {
      const page = await context.newPage();
      await page.goto(`${up.pruner}/${hash}`);
      await page.locator('#live[data-on]').waitFor();
      return page;
    },
    cut: (text, goal = 'why was the payment refused?') => cutLog(up, text, goal),
    stop: async () => {
      await browser.close();
      await up.stop();
    },
  };
}

export async function cutLog(up: StartedUp, text: string, goal: string): Promise<string> {
  const options = {
    ...{ max_prune_ratio: 0.8, min_keep_lines: 0, timeout_ms: 20_000 },
    ...{ annotate_lines: false, include_markers: true },
  };
  const args = { text, goal_hint: goal, source_type: 'logs', options };
  return JSON.parse(await up.call('prune_text', args)).prune_id;
}

const ORDINARY = Array.from(
  { length: 260 },
  (_, index) => `2026-11-15 12:00:00 worker ${index} wrote an ordinary line of no interest to anybody`,
);
const FAILURE = '2026-11-15 12:00:01 ERROR payment refused: card expired';

/** A log of 261 lines of which line 131 matters. */
export const LOG = [...ORDINARY.slice(0, 130), FAILURE, ...ORDINARY.slice(130)].join('\n');

/** Text that tries everything against a page that shows it. */
export const HOSTILE = [
  '<script>window.pwned = 1</script><img src=x onerror="window.pwned = 1">',
  `\u001b[31mred\u001b[0m \u202egnitirw \u2066 \u0007 end`,
  `ERROR: the payment was refused ${'x'.repeat(2_000_000)}`,
  ...ORDINARY,
].join('\n');
