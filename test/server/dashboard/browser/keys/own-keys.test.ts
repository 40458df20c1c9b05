import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chromiumPath } from '../../../../helpers/servers/browser/open-browser.ts';
import { findBarriers, openDashboard } from '../../../../helpers/servers/browser/open-dashboard.ts';
import { signInPerson } from '../../../../helpers/servers/sign-in-person.ts';

describe.skipIf(chromiumPath === undefined)(
  'what a person chooses, in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();
    let count = 0;

    async function arrive() {
      count += 1;
      const shop = await board.makeWorkspace({ name: `Shop ${count}` });
      const email = `keys${count}@shop.example`;
      const person = await signInPerson(board, { email, role: 'owner', ownerId: shop.owner });
      const chosen = async () => (await person.call('GET', '/admin/v1/me')).json().person;
      return { shop, person, chosen };
    }

    const keysOf = (page: Page, name: string) => page.getByRole('group', { name: `Keys of ${name}` });

    test('a key is changed, refused where it is taken, switched off and reset', async () => {
      const { shop, person, chosen } = await arrive();
      const { page, own, complaints } = await board.visit('/me', { cookie: person.cookie });
      const row = keysOf(page, 'Go to: Channels');
      const press = async (...keys: readonly string[]) => {
        await row.getByRole('button', { name: 'Change' }).click();
        for (const key of keys) await page.keyboard.press(key);
      };
      await press('g', 'k');
      await page.getByText('These keys are taken: Go to: Knowledge.').waitFor();
      await press('g', 'y');
      await row.locator('kbd').nth(1).getByText('Y').waitFor();
      await expect.poll(async () => (await chosen()).own_keys).toEqual({ 'go-channels': 'g y' });
      await page.getByRole('main').getByRole('heading', { level: 1 }).click();
      await page.keyboard.press('g');
      await page.keyboard.press('y');
      await page.waitForURL(new RegExp(`/w/${shop.id}/channels`));
      await page.goto(`${board.address}/dashboard/me`);
      await row.getByRole('button', { name: 'Switch off' }).click();
      await row.getByText('Off', { exact: true }).waitFor();
      await row.getByRole('button', { name: 'Reset' }).click();
      await row.locator('kbd').nth(1).getByText('C').waitFor();
      await expect.poll(async () => (await chosen()).own_keys).toEqual({});
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('notifications are asked for by a click, refused in words, and stored', async () => {
      const { person, chosen } = await arrive();
      const { page, own } = await board.visit('/me', { cookie: person.cookie });
      const answerWith = (permission: string) =>
        page.evaluate(`Notification.requestPermission = async () => '${permission}'`);
      await answerWith('denied');
      await page.getByRole('switch', { name: 'Notify through the browser' }).click();
      await page.getByText(/^The browser refuses notifications/).waitFor();
      expect((await chosen()).notifications.browser).toBe(false);
      await answerWith('granted');
      await page.getByRole('switch', { name: 'Notify through the browser' }).click();
      await page.getByRole('checkbox', { name: 'SLA at risk' }).click();
      await expect
        .poll(async () => (await chosen()).notifications)
        .toEqual({ browser: true, sound: false, views: ['waiting', 'mine', 'sla_at_risk'] });
      await own.close();
    });

    test('mails about what was not seen are switched off, and stay so on other devices', async () => {
      const { person, chosen } = await arrive();
      expect((await chosen()).email_digest).toBe(true);
      const { page, own, complaints } = await board.visit('/me', { cookie: person.cookie });
      const mails = page.getByRole('switch', { name: 'E-mail me about mentions and assigned conversations' });
      expect(await mails.isChecked()).toBe(true);
      await page.getByText(/This server mails nothing itself/).waitFor();
      await mails.click();
      await expect.poll(async () => (await chosen()).email_digest).toBe(false);
      await page.getByRole('switch', { name: 'Play a sound' }).click();
      await expect.poll(async () => (await chosen()).notifications.sound).toBe(true);
      await page.reload();
      await expect.poll(() => mails.isChecked()).toBe(false);
      expect(complaints).toEqual([]);
      await own.close();
    });

    test.each(['light', 'dark'] as const)('the profile has no barriers in %s', async (colorScheme) => {
      const { person } = await arrive();
      const { page, own } = await board.visit('/me', { cookie: person.cookie, context: { colorScheme } });
      await keysOf(page, 'Undo').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      const wider = 'document.documentElement.scrollWidth > innerWidth';
      expect(await page.evaluate(wider)).toBe(false);
      await own.close();
    });
  },
);
