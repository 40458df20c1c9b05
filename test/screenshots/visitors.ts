import { writeFile } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { z } from 'zod';
import { openBrowser } from '../helpers/servers/browser/open-browser.ts';
import { openShopSite } from '../helpers/servers/browser/shop-site.ts';
import { toWebp } from './to-webp.ts';

const folder = new URL('../../server/docs/images/', import.meta.url);
const phone = { viewport: { width: 390, height: 700 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const desk = { viewport: { width: 1_000, height: 640 } };

/** Takes the pictures of the widget and the page: `args` are the address, the public token and the page's slug. */
export async function takeVisitorPictures(args: readonly string[]): Promise<void> {
  const [hub, token, slug] = z.tuple([z.url(), z.string(), z.string()]).parse(args.slice(0, 3));
  const site = await openShopSite(hub);
  const browser = await openBrowser();
  const widget = await open(browser, desk, `${site.origin}/?${new URLSearchParams({ token, lang: 'en' })}`);
  await widget.locator('.launcher').click();
  await ask(widget, 'Can I pause my Sprig Box?');
  await capture(browser, widget, 'widget');

  const page = await open(browser, desk, `${hub}/c/${slug}`);
  await ask(page, 'What does the Family plan include?');
  await capture(browser, page, 'hosted-page');

  const dark = await open(browser, { ...phone, colorScheme: 'dark' }, `${hub}/c/${slug}`);
  await ask(dark, 'What does the Family plan include?');
  await capture(browser, dark, 'hosted-page-phone');

  await browser.close();
  await site.close();
}

async function open(browser: Browser, context: BrowserContextOptions, address: string): Promise<Page> {
  const page = await (await browser.newContext(context)).newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(address);
  return page;
}

async function ask(page: Page, text: string): Promise<void> {
  await page.locator('textarea').fill(text);
  await page.locator('textarea').press('Enter');
  await page.locator('.tools').last().waitFor();
  await page.locator('.chat:not(.busy)').waitFor();
}

async function capture(browser: Browser, page: Page, name: string): Promise<void> {
  await page.waitForTimeout(600);
  const png = await page.screenshot();
  await page.context().close();
  await writeFile(new URL(`${name}.webp`, folder), await toWebp(browser, png));
}
