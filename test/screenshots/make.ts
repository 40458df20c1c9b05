import { writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { openBrowser } from '../helpers/servers/open-browser.ts';
import { openShopSite } from '../helpers/servers/shop-site.ts';

/**
 * Takes the pictures of the README and the documentation from a running installation with the demo's documents, which has
 * a widget and a page: `npm run screenshots -- http://localhost:8080 pub_… slug`.
 */
const [hub, token, slug] = z.tuple([z.url(), z.string(), z.string()]).parse(process.argv.slice(2, 5));
const folder = new URL('../../server/docs/images/', import.meta.url);
const site = await openShopSite(hub);
const browser = await openBrowser();
const phone = { viewport: { width: 390, height: 700 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const desk = { viewport: { width: 1_000, height: 640 } };

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

async function capture(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(600);
  const png = await page.screenshot();
  await page.context().close();
  await writeFile(new URL(`${name}.webp`, folder), await toWebp(png));
}

/** The browser's own encoder: a quarter of the PNG's size. */
async function toWebp(png: Buffer): Promise<Buffer> {
  const page = await browser.newPage();
  const encoded = await page.evaluate(
    `(async () => {
      const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,${png.toString('base64')}')).blob());
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      canvas.getContext('2d').drawImage(bitmap, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.9 });
      return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
    })()`,
  );
  await page.close();
  return Buffer.from(z.string().parse(encoded), 'base64');
}

const widget = await open(desk, `${site.origin}/?${new URLSearchParams({ token, lang: 'en' })}`);
await widget.locator('.launcher').click();
await ask(widget, 'Can I pause my Sprig Box?');
await capture(widget, 'widget');

const page = await open(desk, `${hub}/c/${slug}`);
await ask(page, 'What does an extra pod cost?');
await capture(page, 'hosted-page');

const dark = await open({ ...phone, colorScheme: 'dark' }, `${hub}/c/${slug}`);
await ask(dark, 'What does an extra pod cost?');
await capture(dark, 'hosted-page-phone');

await browser.close();
await site.close();
