import type { Page } from 'playwright-core';
import { z } from 'zod';
import { openBrowser } from '../helpers/servers/open-browser.ts';
import { openShopSite } from '../helpers/servers/shop-site.ts';

/**
 * Makes the pictures of the README from a running installation with the demo's documents, which has a widget and a page:
 * `npm run screenshots -- http://localhost:8080 pub_… slug`.
 */
const [hub, token, slug] = z.tuple([z.url(), z.string(), z.string()]).parse(process.argv.slice(2, 5));
const site = await openShopSite(hub);
const browser = await openBrowser();
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const desk = { viewport: { width: 1_280, height: 800 } };

async function open(context: Parameters<typeof browser.newContext>[0], address: string): Promise<Page> {
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

async function keep(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(600);
  await page.screenshot({ path: new URL(`${name}.png`, import.meta.url).pathname });
  await page.context().close();
}

const onSite = (lang = 'en') => `${site.origin}/?${new URLSearchParams({ token, lang })}`;

const light = await open(desk, onSite());
await light.locator('.launcher').click();
await ask(light, 'What does an extra pod cost?');
await keep(light, 'widget-light');

const dark = await open({ ...desk, colorScheme: 'dark' }, onSite());
await dark.locator('.launcher').click();
await ask(dark, 'How much is delivery to Germany?');
await dark.locator('.human').click();
await dark.locator('.contact').waitFor();
await keep(dark, 'widget-dark');

const arabic = await open(desk, onSite('ar'));
await arabic.locator('.launcher').click();
await arabic.locator('textarea').waitFor();
await keep(arabic, 'widget-arabic');

const small = await open(phone, onSite());
await small.locator('.launcher').tap();
await ask(small, 'How long is the warranty?');
await keep(small, 'widget-phone');

const page = await open(desk, `${hub}/c/${slug}`);
await ask(page, 'How much is delivery to Germany?');
await keep(page, 'hosted-light');

const night = await open({ ...phone, colorScheme: 'dark' }, `${hub}/c/${slug}`);
await ask(night, 'What does an extra pod cost?');
await keep(night, 'hosted-phone-dark');

const plain = await open({ ...desk, javaScriptEnabled: false }, `${hub}/c/${slug}`);
await keep(plain, 'hosted-without-scripts');

await browser.close();
await site.close();
