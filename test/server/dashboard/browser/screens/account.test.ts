import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operatorActor } from '../../../../../core/contract/actor.ts';
import { createRecoveryLink } from '../../../../../core/members/recovery.ts';
import { chromiumPath } from '../../../../helpers/servers/browser/open-browser.ts';
import { findBarriers, openDashboard } from '../../../../helpers/servers/browser/open-dashboard.ts';
import { timeCode } from '../../../../helpers/servers/browser/time-code.ts';
import { signInPerson, testPassword } from '../../../../helpers/servers/sign-in-person.ts';

const newerPassword = 'rosemary-kettle-57';

describe.skipIf(chromiumPath === undefined)(
  'people in Chromium, with the real server (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();
    const { runtime, operate } = board;
    const workspace = await board.makeWorkspace({ name: 'Acme' });
    const { owner: ownerId } = workspace;
    // Until the browser app is built, which may take a minute.
    beforeAll(async () => (await board.open('/sign-in')).own.close(), 180_000);
    // All people of this file sign in from one address.
    beforeEach(async () => {
      await sql`delete from sign_in_rate`.execute(runtime.database.kysely);
    });
    const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
    const signIn = async (page: Page, email: string, password = testPassword) => {
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.keyboard.press('Enter');
    };
    const inside = (page: Page) => page.waitForURL(new RegExp(`/dashboard/w/${workspace.id}/`));
    const person = async (email: string, role: 'owner' | 'agent' | 'viewer' = 'owner') => {
      await signInPerson(board, { email, role, ownerId });
    };
    const openMe = async (email: string) => {
      const opened = await board.open('/sign-in?return=/dashboard/me');
      await signIn(opened.page, email);
      await heading(opened.page, 'Profile and sign-in').waitFor();
      return opened;
    };

    test('the first link makes an owner, who signs out and in again with the password', async () => {
      const { token } = await runtime.members.createFirstLink(ownerId);
      const { page, own, complaints } = await board.open(`/begin#${token}`);
      await page.getByLabel('Your name').fill('Maya Reid');
      await page.getByLabel('E-mail').fill('maya@acme.example');
      await page.getByLabel('Password', { exact: true }).fill(testPassword);
      await page.getByRole('button', { name: 'Make the account' }).click();
      await inside(page);
      await page.getByRole('button', { name: 'Maya Reid' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await heading(page, 'Sign in').waitFor();
      await signIn(page, 'maya@acme.example');
      await inside(page);
      expect(await page.evaluate('window.violations')).toEqual([]);
      expect(complaints.filter((text) => !text.includes('status of 401'))).toEqual([]);
      await page.goto(`${board.address}/dashboard/begin#${token}`);
      await page.getByLabel('Your name').fill('Eve');
      await page.getByLabel('E-mail').fill('eve@acme.example');
      await page.getByLabel('Password', { exact: true }).fill(testPassword);
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('The link was used or is too old.').waitFor();
      await own.close();
    });

    test('a wrong password is told, and after five of them how long to wait', async () => {
      await person('ben@acme.example');
      const { page, own } = await board.open('/sign-in');
      for (let tries = 0; tries < 5; tries += 1) {
        const answered = page.waitForResponse(/sign-in\/email/);
        await signIn(page, 'ben@acme.example', 'wrong-teapot-99');
        expect((await answered).status()).toBe(401);
        await page.getByRole('alert').getByText('The e-mail or the password is wrong.').waitFor();
      }
      await signIn(page, 'ben@acme.example');
      await page
        .getByRole('alert')
        .getByText(/Wait (?:30|29|28) seconds/)
        .waitFor();
      await own.close();
    });

    test('a second factor is set up, asked for at sign-in, replaced by a backup code and switched off', async () => {
      await person('cleo@acme.example');
      const { page, own } = await openMe('cleo@acme.example');
      const section = page.getByRole('region', { name: 'Two-factor sign-in' });
      await section.getByRole('button', { name: 'Switch on' }).click();
      await section.getByLabel('Your password').fill('wrong-teapot-99');
      await page.keyboard.press('Enter');
      await section.getByRole('alert').getByText('The password is wrong.').waitFor();
      await section.getByLabel('Your password').fill(testPassword);
      await page.keyboard.press('Enter');
      await section.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      const [key = '', ...codes] = await section.locator('.p-mono').allInnerTexts();
      const [backupCode = ''] = codes.join('\n').split('\n');
      await section.getByLabel('The six digits that the app shows').fill('000000');
      await section.getByRole('button', { name: 'Finish' }).click();
      await section.getByRole('alert').getByText('The code is wrong or too old.').waitFor();
      await section.getByLabel('The six digits that the app shows').fill(timeCode(key));
      await section.getByRole('button', { name: 'Finish' }).click();
      await section.getByText('On', { exact: true }).waitFor();

      const second = await board.open('/sign-in');
      await signIn(second.page, 'cleo@acme.example');
      await heading(second.page, 'One more step').waitFor();
      await second.page.keyboard.type(timeCode(key));
      await inside(second.page);
      await second.own.close();

      const third = await board.open('/sign-in');
      await signIn(third.page, 'cleo@acme.example');
      await third.page.getByRole('button', { name: 'Use a backup code' }).click();
      await third.page.getByLabel('Backup code').fill(backupCode);
      await third.page.keyboard.press('Enter');
      await inside(third.page);
      await third.own.close();

      await section.getByRole('button', { name: 'Switch off' }).click();
      await section.getByLabel('Your password').fill(testPassword);
      await page.keyboard.press('Enter');
      await section.getByText('Off', { exact: true }).waitFor();
      const fourth = await board.open('/sign-in');
      await signIn(fourth.page, 'cleo@acme.example');
      await inside(fourth.page);
      await fourth.own.close();
      await own.close();
    });

    test('a passkey is added, signs in without a password, and is removed', async () => {
      await person('dora@acme.example');
      const { page, own, address } = await openMe('dora@acme.example');
      const authenticator = await own.newCDPSession(page);
      await authenticator.send('WebAuthn.enable');
      await authenticator.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      const section = page.getByRole('region', { name: 'Passkeys' });
      await section.getByRole('button', { name: 'Add a passkey' }).click();
      await section.getByRole('button', { name: /^Remove: / }).waitFor();
      await page.getByRole('button', { name: 'dora' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await inside(page);
      await page.goto(`${address}/dashboard/me`);
      await section.getByRole('button', { name: /^Remove: / }).click();
      await section.getByText('No passkey yet.').waitFor();
      await own.close();
    });

    test('other sessions are listed with their browser, ended one by one, and all by a new password', async () => {
      await person('emil@acme.example');
      const other = await board.open('/sign-in', {
        userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      });
      await signIn(other.page, 'emil@acme.example');
      await inside(other.page);
      const { page, own } = await openMe('emil@acme.example');
      await page.getByRole('button', { name: 'End: Firefox on Linux' }).click();
      await page.getByRole('button', { name: 'End: Firefox on Linux' }).waitFor({ state: 'detached' });
      await other.page.reload();
      await heading(other.page, 'Sign in').waitFor();

      await signIn(other.page, 'emil@acme.example');
      await other.page.waitForURL(/\/dashboard\/w\//);
      const section = page.getByRole('region', { name: 'Password' });
      await section.getByLabel('Current password').fill(testPassword);
      await section.getByLabel('New password').fill(newerPassword);
      await section.getByRole('button', { name: 'Change the password' }).click();
      await section.getByText('Your other sessions have ended.').waitFor();
      await other.page.reload();
      await heading(other.page, 'Sign in').waitFor();
      await page.reload();
      await page.getByText('You are signed in once.').waitFor();
      await other.own.close();
      await own.close();
    });

    test('an invitation makes a new person a member, and tells that its link is used', async () => {
      const invited = await operate('POST', `/workspaces/${workspace.id}/invitations`, {
        email: 'fay@acme.example',
        role: 'agent',
      });
      const { pathname, hash } = new URL(invited.json().link);
      const { page, own, address } = await board.open(pathname.replace('/dashboard', '') + hash);
      await heading(page, 'Join Acme').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.getByLabel('Your name').fill('Fay');
      await page.getByLabel('Password', { exact: true }).fill(testPassword);
      await page.keyboard.press('Enter');
      await inside(page);
      await page.goto(`${address}/dashboard/forgot`);
      await page.goto(`${address}${pathname}${hash}`);
      await page.getByRole('alert').getByText('The link was used or is too old.').waitFor();
      await own.close();
    });

    test('an invitation of a person with an account leads over sign-in, and no server sees its token', async () => {
      const elsewhere = await board.makeWorkspace({ name: 'Second shop' });
      await person('gus@acme.example', 'viewer');
      await person('hal@acme.example', 'viewer');
      const path = `/workspaces/${elsewhere.id}/invitations`;
      const invited = await operate('POST', path, { email: 'gus@acme.example', role: 'owner' });
      const { pathname, hash } = new URL(invited.json().link);
      const link = pathname.replace('/dashboard', '') + hash;
      const { page, own, address } = await board.open('/sign-in');
      const seen: string[] = [];
      page.on('request', (request) => seen.push(request.url()));
      await signIn(page, 'hal@acme.example');
      await inside(page);
      await page.goto(`${address}/dashboard${link}`);
      await page.getByText('You are signed in as hal.').waitFor();
      await page.getByRole('button', { name: 'Sign out and go on' }).click();
      await page.getByRole('link', { name: 'Sign in and come back' }).click();
      await signIn(page, 'gus@acme.example');
      await page.getByRole('button', { name: 'Join as gus' }).click();
      await page.waitForURL(/\/dashboard\/w\//);
      expect(seen.filter((url) => (url.split('#')[0] ?? '').includes(hash.slice(1)))).toEqual([]);
      const { members } = (await operate('GET', `/workspaces/${elsewhere.id}/members`)).json();
      expect(members).toMatchObject([{ email: 'gus@acme.example', role: 'owner' }]);
      await own.close();
    });

    test('a recovery link sets a new password and signs in', async () => {
      await person('ida@acme.example');
      const stores = { database: runtime.database.kysely, clock: runtime.clock };
      const entry = { email: 'ida@acme.example', actor: operatorActor };
      const { token } = await createRecoveryLink(stores, entry);
      const { page, own, address } = await board.open(`/recover#${token}`);
      await heading(page, 'Choose a new password').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.getByLabel('Password', { exact: true }).fill('aaaaaaaaaaaaaa');
      await page.keyboard.press('Enter');
      await page.getByText(/^The password is too short or easy to guess/).waitFor();
      await page.getByLabel('Password', { exact: true }).fill(newerPassword);
      await page.keyboard.press('Enter');
      await inside(page);
      await page.goto(`${address}/dashboard/sign-in`);
      await signIn(page, 'ida@acme.example', newerPassword);
      await inside(page);
      expect(await page.evaluate('window.violations')).toEqual([]);
      await own.close();
    });
  },
);
