import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { chromiumPath, openBrowser } from '../../../helpers/servers/browser/open-browser.ts';
import { openShopSite } from '../../../helpers/servers/browser/shop-site.ts';
import { openWidgetServer } from '../../../helpers/servers/open-widget-server.ts';

const server = await openWidgetServer();
const sentence = 'A machine answers from our help pages. You can ask for a person at any time.';
const question = 'How many working days until parcels arrive?';

describe('the line that a machine answers', () => {
  const lineOf = async (settings: Parameters<typeof server.openShop>[1], lang = 'en') => {
    const shop = await server.openShop({}, settings);
    const config = await (await shop.send(`/config?lang=${lang}`)).json();
    return z.object({ disclosure: z.string().nullable() }).parse(config).disclosure;
  };

  test('is part of the widget in its language, in the words of the workspace, and can be switched off', async () => {
    expect(await lineOf({})).toBe(sentence);
    expect(await lineOf({}, 'de')).toMatch(/^Hier antwortet eine Maschine/);
    const own = {
      disclosure_message: 'Our robot answers.',
      disclosure_messages: { de: 'Unser Roboter antwortet.' },
    };
    expect(await lineOf(own)).toBe('Our robot answers.');
    expect(await lineOf(own, 'de')).toBe('Unser Roboter antwortet.');
    expect(await lineOf({ disclosure_enabled: false })).toBeNull();
  });

  test('stands on the hosted page without scripts, and not while a person has the conversation', async () => {
    await server.openShop({ slug: 'line' }, {}, 'hosted');
    const address = `${server.address}/c/line`;
    const post = (fields: Record<string, string>, cookie = '') =>
      fetch(address, {
        method: 'POST',
        headers: { cookie },
        body: new URLSearchParams(fields),
        redirect: 'manual',
      });
    const line = `<p class="disclosure" dir="auto">${sentence}</p>`;
    expect(await (await fetch(address)).text()).toContain(line);
    const cookie = (await post({ query: question })).headers.get('set-cookie')?.split(';')[0] ?? '';
    const shown = async () => (await fetch(address, { headers: { cookie } })).text();
    expect(await shown()).toContain(line);
    await post({ human: 'yes' }, cookie);
    expect(await shown()).not.toContain(line);
  });
});

describe.skipIf(chromiumPath === undefined)('in a browser', async () => {
  const site = await openShopSite(server.address);
  const browser = await openBrowser();
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  test('the widget shows the line above its greeting and no message has it, until a person is asked for', async () => {
    const shop = await server.openShop();
    const page = await browser.newPage();
    page.setDefaultTimeout(15_000);
    await page.goto(`${site.origin}/?token=${shop.publicToken}`);
    await page.locator('.launcher').click();
    const line = page.locator('.scroller > .disclosure + .greeting');
    await line.waitFor();
    expect(await page.locator('.disclosure').innerText()).toBe(sentence);
    await page.locator('textarea').fill(question);
    await page.keyboard.press('Enter');
    await page.locator('.message.assistant:not(.greeting)').getByText('three working days').first().waitFor();
    expect(await page.locator('.messages').innerText()).not.toContain('A machine answers');
    await page.getByRole('button', { name: 'Talk to a person' }).first().click();
    await page.locator('.status.waiting').waitFor();
    expect(await page.locator('.disclosure').isVisible()).toBe(false);
    await page.close();
  });
});
