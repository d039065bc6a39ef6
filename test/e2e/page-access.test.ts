import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser, watchedContext } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { LOG, type StartedPage, startPage } from '../support/page.ts';
import { describeWith } from '../support/system-parts.ts';
import { startUp } from '../support/up.ts';

describeWith(['chromium'], 'accessibility of the dashboard', ({ chromium }) => {
  let started: StartedPage;
  beforeAll(async () => {
    started = await startPage(chromium);
  });
  afterAll(() => started?.stop());

  it('[AU12] the dashboard can be used with the keyboard alone', async () => {
    await started.cut(LOG);
    const page = await started.open('');
    await page.locator('#net').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.getByRole('link', { name: 'Cuts' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('#rows a').first().waitFor();
    await eventually(async () =>
      (await page.evaluate('document.activeElement.tagName')) === 'H1' ? true : undefined,
    );
    await tabUntil(page, '#rows a');
    await page.keyboard.press('Enter');
    await page.locator('.row').first().waitFor();
    await tabUntil(page, '.row');
    const why = await page.locator('#why').innerText();
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('#why').innerText()).not.toBe(why);
    await page.close();
  });

  it('[AU12] an accessibility scan reports no serious problem in the dashboard, in both themes, on phone and desktop', async () => {
    const id = await started.cut(LOG);
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const hash of ['', '#/cuts', `#/cut/${id}`]) {
        const page = await started.open(hash);
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const width of [360, 1280]) {
          await page.setViewportSize({ width, height: 740 });
          await page.locator('#net, #rows a, .row.kept').first().waitFor();
          const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          expect(overflow, `${hash} is wider than ${width} pixels`).toBeLessThanOrEqual(0);
          expect(await serious(page), `${hash} ${colorScheme} ${width}`).toEqual([]);
        }
        await page.close();
      }
    }
  }, 180_000);

  it('[AU11] the dashboard sends no request to other servers, and the browser reports no errors', async () => {
    expect(started.complaints).toEqual([]);
    const { headers } = await fetch(`${started.up.pruner}/`);
    expect(headers.get('content-security-policy')).toContain("script-src 'self'; style-src 'self'");
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect((await started.up.run('page')).trim()).toBe(`${started.up.pruner}/`);
  });
});

describeWith(['chromium'], 'the dashboard behind a token', ({ chromium }) => {
  it('[AU11] the dashboard serves nothing without the token; a login sets a cookie that scripts cannot read', async () => {
    const up = await startUp({ SECATEUR_BEARER_TOKEN: 'correct horse' });
    const browser = await startBrowser(chromium);
    try {
      for (const path of ['/api/overview', '/api/cuts', '/api/events', '/assets/main.js', '/assets/page.css'])
        expect((await fetch(`${up.pruner}${path}`)).status, path).toBe(401);
      const foreign = { origin: 'http://evil.example' };
      expect((await fetch(`${up.pruner}/`, { headers: foreign })).status).toBe(403);
      const { context } = await watchedContext(browser, up.pruner);
      const page = await context.newPage();
      await page.goto(up.pruner);
      await page.getByLabel('Token').fill('wrong');
      await page.getByRole('button').click();
      await page.getByText('That is not the token.').waitFor();
      expect(await serious(page)).toEqual([]);
      await page.getByLabel('Token').fill('correct horse');
      await page.getByRole('button').click();
      await page.locator('#net').waitFor();
      const [cookie] = await context.cookies();
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', expires: -1 });
      expect(cookie?.value).not.toContain('correct');
      // The cookie gives access to the page, but not to the tools.
      const headers = { cookie: `${cookie?.name}=${cookie?.value}`, 'content-type': 'application/json' };
      expect((await fetch(`${up.pruner}/rpc`, { method: 'POST', headers, body: '{}' })).status).toBe(401);
    } finally {
      await browser.close();
      await up.stop();
    }
  });
});

/** Returns the failed rules of axe, each with the failing elements. */
async function serious(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

async function tabUntil(page: Page, selector: string): Promise<void> {
  await eventually(async () => {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`);
    return found === true ? true : undefined;
  }, selector);
}
