import { afterAll } from 'vitest';
import { openWidgetServer } from '../open-widget-server.ts';
import { findViolations } from './find-violations.ts';
import { openBrowser } from './open-browser.ts';
import { openShopSite } from './shop-site.ts';

type Browser = Awaited<ReturnType<typeof openBrowser>>;
export type VisitedPage = Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['newPage']>>;

interface Visit {
  readonly shop: { readonly publicToken: string };
  readonly lang?: string;
  readonly calls?: string;
  readonly context?: Parameters<Browser['newContext']>[0];
  readonly at?: string;
  /** The one of the file when absent. */
  readonly browser?: Browser;
}

const rules = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
  rules: { region: { enabled: false } },
};

/** A server with a widget, a shop's site that carries it, and a browser, until the tests of the file are over. */
export async function openVisits(options: Parameters<typeof openWidgetServer>[0] = {}) {
  const server = await openWidgetServer(options);
  const site = await openShopSite(server.address);
  const browser = await openBrowser();
  afterAll(async () => {
    await browser.close();
    await site.close();
  });
  return {
    server,
    site,
    browser,
    /** Opens a visitor's page on the shop's site, and collects the complaints of their browser. */
    async visit({ shop, lang = 'en', calls = '', context = {}, at = site.origin, browser: other }: Visit) {
      const own = await (other ?? browser).newContext({
        viewport: { width: 1_200, height: 800 },
        ...context,
      });
      const page = await own.newPage();
      page.setDefaultTimeout(15_000);
      const complaints: string[] = [];
      page.on(
        'console',
        (line) => void (['error', 'warning'].includes(line.type()) && complaints.push(line.text())),
      );
      page.on('pageerror', (error) => void complaints.push(error.message));
      await page.goto(`${at}/?${new URLSearchParams({ token: shop.publicToken, lang, calls })}`);
      return { own, page, complaints };
    },
  };
}

export const field = (page: VisitedPage) => page.locator('textarea');
export const answers = (page: VisitedPage) => page.locator('.message.assistant:not(.greeting)');

/** Asks, and waits until the answer or its failure is shown. */
export async function askOn(page: VisitedPage, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
  await page.locator('.chat:not(.busy)').waitFor();
}

/** Returns the violations that axe finds, as the rule and the elements. */
export const violationsOn = (page: VisitedPage) => findViolations(page, rules);
