import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findFaults } from '../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../../helpers/servers/browser/open-browser.ts';
import { openDashboard } from '../../../../helpers/servers/browser/open-dashboard.ts';
import { signInPerson } from '../../../../helpers/servers/sign-in-person.ts';

describe.skipIf(chromiumPath === undefined)(
  'settings that are not saved, in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();
    const shop = await board.makeWorkspace({ name: 'Shop', plan: 'growth' });
    const owner = await signInPerson(board, {
      email: 'maya@shop.example',
      role: 'owner',
      ownerId: shop.owner,
    });
    const settings = `/w/${shop.id}/settings`;
    const stored = async () => (await board.operate('GET', `/workspaces/${shop.id}`)).json().settings;
    const go = (page: Page, name: string) =>
      page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click();

    test('typed words are marked, are there after another page, and are asked about before they are lost', async () => {
      const { page, own } = await board.visit(`${settings}/general`, { cookie: owner.cookie });
      const description = page.getByLabel('Description', { exact: true });
      await description.fill('We sell tea.');
      await page.locator('#content').getByText('Not saved').waitFor();
      await go(page, 'Answers');
      await page.getByLabel('Shown as the answer from').fill('55');
      await go(page, 'Hours and SLA');
      await page.getByRole('link', { name: 'Answers Not saved' }).waitFor();
      await page.getByRole('link', { name: 'General Not saved' }).click();
      await expect.poll(() => description.inputValue()).toBe('We sell tea.');
      expect(await findFaults(page, { name: 'unsaved' })).toEqual([]);
      await page.setViewportSize({ width: 1_440, height: 900 });
      const asked = page.waitForEvent('dialog');
      const leaving = page.close({ runBeforeUnload: true });
      const question = await asked;
      expect(question.type()).toBe('beforeunload');
      await question.dismiss();
      await leaving;
      await page.getByRole('button', { name: 'Save' }).nth(1).click();
      await page.getByText('Saved', { exact: true }).first().waitFor();
      await page.locator('#content').getByText('Not saved').waitFor({ state: 'detached' });
      expect(await stored()).toEqual({ description: 'We sell tea.' });
      await go(page, 'Answers');
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('link', { name: 'Answers Not saved' }).waitFor({ state: 'detached' });
      expect(await page.getByLabel('Shown as the answer from').inputValue()).not.toContain('55');
      await own.close();
    });

    test('a change of another person is shown, and the own words stay', async () => {
      const { page, own } = await board.visit(`${settings}/general`, { cookie: owner.cookie });
      const description = page.getByLabel('Description', { exact: true });
      await description.fill('We sell coffee.');
      await board.operate('PATCH', `/workspaces/${shop.id}`, { settings: { retention_days: 12 } });
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Tea shop');
      await page.getByRole('button', { name: 'Save' }).nth(0).click();
      await expect
        .poll(() => page.getByRole('textbox', { name: 'Keep conversations for (days)' }).inputValue())
        .toBe('12');
      expect(await description.inputValue()).toBe('We sell coffee.');
      await page.getByRole('button', { name: 'Save' }).nth(1).click();
      await expect.poll(stored).toEqual({ description: 'We sell coffee.', retention_days: 12 });
      await own.close();
    });

    test('a switch that is not set shows the default', async () => {
      const { page, own } = await board.visit(`${settings}/answers`, { cookie: owner.cookie });
      const isOn = (name: string) => page.getByRole('switch', { name }).isChecked();
      expect(await isOn('Say that a machine answers')).toBe(true);
      expect(await isOn('Mask secrets in questions')).toBe(false);
      await own.close();
    });
  },
);
