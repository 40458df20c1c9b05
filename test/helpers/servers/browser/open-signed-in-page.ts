import type { BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from './open-browser.ts';

interface PageOptions {
  /** The address of the server, such as `http://127.0.0.1:8080`. */
  readonly address: string;
  /** The cookie of a person who is signed in, as `name=value; …`. */
  readonly cookie: string;
}

/** Opens pages of the dashboard for a person who is signed in; the server answers all calls. */
export async function openSignedInPages({ address, cookie }: PageOptions) {
  const browser = await openBrowser();
  const cookies = cookie.split('; ').map((pair) => {
    const at = pair.indexOf('=');
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url: address };
  });
  return {
    close: () => browser.close(),
    /** Opens `path` below `/dashboard`. Without a stream the network becomes idle. */
    async visit(
      path: string,
      { hasStream = true, ...options }: BrowserContextOptions & { readonly hasStream?: boolean } = {},
    ) {
      const context = await browser.newContext(options);
      if (!hasStream) await context.route(/\/events(?:\?|$)/, (route) => route.fulfill({ status: 204 }));
      await context.addCookies(cookies);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(`${address}/dashboard${path}`);
      await page.locator('#app').waitFor({ state: 'attached' });
      await waitForPaint(page);
      complaints.length = 0;
      return { page, context, complaints };
    },
  };
}

/** Waits until the page has painted: Chromium drops keys that are pressed before. */
export async function waitForPaint(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))',
  );
}

/** Presses Tab until the control with this role and name has the focus. */
export async function tabTo(page: Page, role: Parameters<Page['getByRole']>[0], name: string): Promise<void> {
  const control = page.getByRole(role, { name, exact: true });
  await control.first().waitFor();
  for (let presses = 0; presses < 120; presses += 1) {
    if ((await control.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new RangeError(`Tab does not reach ${role} “${name}”.`);
}
