import { mkdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { chromiumPath } from '../../../helpers/servers/browser/open-browser.ts';
import {
  askOn,
  field,
  openVisits,
  type VisitedPage,
  violationsOn,
} from '../../../helpers/servers/browser/open-visits.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const question = 'How many working days until parcels arrive?';
const pictures = process.env.PICTURES;

describe.skipIf(chromiumPath === undefined)('in Chromium (skipped where it is not installed)', async () => {
  if (chromiumPath === undefined) return;
  const { server, browser, visit } = await openVisits();

  /** A shop with an agent who closes conversations. */
  async function openStaffedShop(...shape: Parameters<typeof server.openShop>) {
    const shop = await server.openShop(...shape);
    const email = `ann@${shop.id.replaceAll('_', '-').toLowerCase()}.example`;
    const ann = await signInPerson(server, { email, role: 'owner', ownerId: shop.owner });
    const base = `/admin/v1/workspaces/${shop.id}/conversations`;
    const latest = async () => {
      const { conversations } = (await ann.call('GET', base)).json();
      return `${base}/${conversations[0].id}`;
    };
    return {
      ...shop,
      async resolve() {
        const url = await latest();
        expect(
          (await ann.call('POST', `${url}/reply`, { content: 'Tomorrow.', resolve: true })).statusCode,
        ).toBe(201);
      },
      rating: async () => (await ann.call('GET', await latest())).json().ratings[0] ?? null,
    };
  }

  const group = (page: VisitedPage) => page.getByRole('group', { name: 'How was it?' });
  const thanks = (page: VisitedPage) => page.locator('.thanks', { hasText: 'Thank you for your rating.' });

  async function takePicture(page: VisitedPage, name: string) {
    if (pictures === undefined) return;
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: `${pictures}/${name}.png` });
  }

  test('a visitor rates a closed conversation by keyboard, once, also after a reload', async () => {
    const shop = await openStaffedShop();
    const { page, complaints, own } = await visit({ shop });
    await page.locator('.launcher').click();
    await page.getByRole('button', { name: 'Talk to a person' }).click();
    await page.locator('.status.waiting').waitFor();
    expect(await page.locator('.closing').isVisible()).toBe(false);
    await shop.resolve();
    await page.locator('.closed', { hasText: 'Ann has closed this conversation.' }).waitFor();
    await page.reload();
    await page.locator('.launcher').click();
    await group(page).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    const choices = group(page).getByRole('radio');
    expect(await choices.count()).toBe(5);
    await choices.first().focus();
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('ArrowRight');
    expect(await group(page).getByRole('radio', { name: 'Good', exact: true }).isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.type('Quick and kind');
    expect(await violationsOn(page)).toEqual([]);
    await takePicture(page, 'widget-light');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await thanks(page).waitFor();
    expect(await shop.rating()).toMatchObject({ score: 4, comment: 'Quick and kind' });
    expect(await field(page).evaluate((input) => input.matches(':focus'))).toBe(true);
    await page.reload();
    await page.locator('.launcher').click();
    await thanks(page).waitFor();
    expect(await group(page).count()).toBe(0);
    expect(await violationsOn(page)).toEqual([]);
    await askOn(page, question);
    expect(await page.locator('.closing').isVisible()).toBe(false);
    await page.reload();
    await page.locator('.launcher').click();
    await page.locator('.message.user', { hasText: question }).waitFor();
    expect(await page.locator('.closing').isVisible()).toBe(false);
    expect(complaints).toEqual([]);
    await own.close();
  });

  test('where ratings are off, a closed conversation says so and asks for nothing', async () => {
    const shop = await openStaffedShop({}, { ask_for_rating: false });
    const { page, own } = await visit({ shop });
    await page.locator('.launcher').click();
    await page.getByRole('button', { name: 'Talk to a person' }).click();
    await page.locator('.status.waiting').waitFor();
    await shop.resolve();
    await page.locator('.closed', { hasText: 'Ann has closed this conversation.' }).waitFor();
    expect(await group(page).count()).toBe(0);
    await own.close();
  });

  test.each(['light', 'dark'] as const)(
    'a hosted page asks on a phone, and keeps the choice when it cannot be stored (%s)',
    async (colorScheme) => {
      const slug = `rated-${colorScheme}`;
      const shop = await openStaffedShop({ slug }, {}, 'hosted');
      const own = await browser.newContext({
        colorScheme,
        viewport: { width: 360, height: 740 },
        isMobile: true,
        hasTouch: true,
      });
      const page = await own.newPage();
      await page.goto(`${server.address}/c/${slug}`);
      await page.getByRole('button', { name: 'Talk to a person' }).tap();
      await page.locator('.status.waiting').waitFor();
      await shop.resolve();
      await group(page).waitFor();
      await takePicture(page, `page-${colorScheme}-asked`);
      expect(await (await own.request.get(page.url())).text()).toContain('ann has closed this conversation.');
      await group(page).getByRole('radio', { name: 'Very good' }).tap();
      await page.getByRole('textbox', { name: 'Anything to add? (optional)' }).waitFor();
      expect(await violationsOn(page)).toEqual([]);
      await takePicture(page, `page-${colorScheme}`);
      await page.route('**/rating', (route) => route.abort());
      await page.getByRole('button', { name: 'Send rating' }).tap();
      await page.getByRole('alert').getByText('That did not work.').waitFor();
      expect(await group(page).getByRole('radio', { name: 'Very good' }).isChecked()).toBe(true);
      await page.unroute('**/rating');
      await page.getByRole('button', { name: 'Send rating' }).tap();
      await thanks(page).waitFor();
      expect(await page.getByRole('alert').isVisible()).toBe(false);
      await takePicture(page, `page-${colorScheme}-thanks`);
      expect(await shop.rating()).toMatchObject({ score: 5, comment: null });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      await own.close();
    },
  );

  test.each(['de', 'fr', 'pl', 'tr', 'ar', 'ja'])(
    'the five choices fit a phone in every language (%s)',
    async (lang) => {
      const shop = await openStaffedShop();
      const { page, own } = await visit({ shop, lang, context: { viewport: { width: 360, height: 740 } } });
      await page.locator('.launcher').click();
      await page.locator('.human').click();
      await page.locator('.status.waiting').waitFor();
      await shop.resolve();
      await page.locator('.scores label').first().waitFor();
      const overflowing = await page.evaluate(`(() => {
      const root = document.querySelector('parley-widget').shadowRoot;
      return [...root.querySelectorAll('.score')].filter((one) => one.scrollWidth > one.clientWidth).length;
    })()`);
      expect(overflowing).toBe(0);
      await takePicture(page, `widget-${lang}`);
      await own.close();
    },
  );
});
