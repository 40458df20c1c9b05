import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../../../../helpers/servers/browser/open-browser.ts';
import { findBarriers, openDashboard } from '../../../../helpers/servers/browser/open-dashboard.ts';
import {
  cookiesOf,
  sameOrigin,
  signInPerson,
  testPassword,
} from '../../../../helpers/servers/sign-in-person.ts';

describe.skipIf(chromiumPath === undefined)(
  'a proof before what cannot be undone, in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();
    const { runtime, operate } = board;
    const database = runtime.database.kysely;
    const workspace = await board.makeWorkspace({ name: 'Acme' });
    const { owner: ownerId } = workspace;
    // Until the browser app is built, which may take a minute.
    beforeAll(async () => (await board.open('/sign-in')).own.close(), 180_000);

    const person = async (name: string) => {
      const email = `${name}@acme.example`;
      const { cookie } = await signInPerson(board, { email, role: 'owner', ownerId });
      return { email, cookie };
    };
    /** Lets a quarter of an hour pass. */
    const age = () =>
      database
        .updateTable('person_session')
        .set({ proven_at: new Date(0) })
        .execute();
    const keysOf = async (name: string) => {
      const { keys } = (await operate('GET', `/workspaces/${workspace.id}/keys`)).json();
      return keys.filter((key: { name: string }) => key.name === name).length;
    };
    const openForm = async (cookie: string, context = {}) => {
      const opened = await board.visit(`/w/${workspace.id}/settings/keys?new=1`, { cookie, context });
      await opened.page.getByRole('dialog', { name: 'Create key' }).getByLabel('Name').waitFor();
      return opened;
    };
    const make = async (page: Page, name: string) => {
      await page.getByRole('dialog', { name: 'Create key' }).getByLabel('Name').fill(name);
      await page.keyboard.press('Enter');
    };
    const dialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' });

    test('is asked for in place by keyboard, and the same request goes on', async () => {
      const { cookie } = await person('ann');
      await age();
      const { page, own } = await openForm(cookie);
      await make(page, 'Till');
      const field = dialog(page).getByLabel('Your password');
      await field.and(page.locator(':focus')).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.keyboard.type('wrong-teapot-99');
      await page.keyboard.press('Enter');
      await dialog(page).getByRole('alert').getByText('The password is wrong.').waitFor();
      expect(await keysOf('Till')).toBe(0);
      await field.fill(testPassword);
      await page.keyboard.press('Enter');
      await page.getByText('“Till” is ready').waitFor();
      expect(await dialog(page).count()).toBe(0);
      expect(await keysOf('Till')).toBe(1);
      expect(await page.evaluate('window.violations')).toEqual([]);
      await own.close();
    });

    test('can be refused by Escape: the form stays as it was, and says so', async () => {
      const { cookie } = await person('ben');
      await age();
      const { page, own } = await openForm(cookie, { colorScheme: 'dark' });
      await make(page, 'Kiosk');
      await dialog(page).getByLabel('Your password').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      const form = page.getByRole('dialog', { name: 'Create key' });
      await form.getByRole('alert').getByText('Nothing was changed').waitFor();
      expect(await form.getByLabel('Name').inputValue()).toBe('Kiosk');
      expect(await keysOf('Kiosk')).toBe(0);
      await form.getByRole('button', { name: 'Create key' }).click();
      await dialog(page).getByLabel('Your password').fill(testPassword);
      await dialog(page).getByRole('button', { name: 'Confirm' }).click();
      await page.getByText('“Kiosk” is ready').waitFor();
      await own.close();
    });

    test('is refused to a session of a provider, with the reason', async () => {
      const { email } = await person('cleo');
      const { id = '' } = (await runtime.members.findByEmail(email)) ?? {};
      const headers = new Headers({ host: sameOrigin.host, 'x-client-address': '127.0.0.1' });
      const started = await runtime.signIn.startProviderSession(headers, { personId: id, ownerId });
      const { page, own } = await openForm(cookiesOf([...started]));
      await make(page, 'Desk');
      await dialog(page)
        .getByText(/^You signed in through your company/)
        .waitFor();
      await dialog(page).getByRole('button', { name: 'Close' }).press('Enter');
      const form = page.getByRole('dialog', { name: 'Create key' });
      await form
        .getByRole('alert')
        .getByText(/^You signed in through/)
        .waitFor();
      expect(await keysOf('Desk')).toBe(0);
      await own.close();
    });
  },
);
