import { describe, expect, test } from 'vitest';
import { findFaults } from '../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../helpers/servers/browser/open-browser.ts';
import { findBarriers, maya, openDashboard } from '../../../helpers/servers/browser/open-dashboard.ts';

describe.skipIf(chromiumPath === undefined)(
  'the dashboard in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const board = await openDashboard();

    test.each([
      ['/sign-in', false, 'Sign in'],
      ['/begin#token', false, 'Make the first account'],
      ['/invite#token', false, 'Join Pottle & Sprig'],
      ['/forgot', false, 'A new way in'],
      ['/recover#token', false, 'Choose a new password'],
      ['/me', true, 'Profile and sign-in'],
      ['/w/ws_1/channels', true, 'Channels'],
      ['/nowhere', true, 'Nothing here'],
      ['/w/ws_foreign/channels', true, 'Nothing here'],
    ])(
      '%s has a title, no barrier, no breach of its policy and no sideways scrolling',
      async (path, signedIn, title) => {
        const { page, own, complaints } = await board.visit(path, {
          signedIn,
          answers: {
            'POST /dashboard/invitations/look': {
              json: {
                email: 'ben@pottleandsprig.example',
                role: 'agent',
                inviter: 'Maya Reid',
                workspaces: ['Pottle & Sprig'],
                has_account: false,
              },
            },
            'GET /admin/v1/me/sessions': { json: { sessions: [] } },
            'GET /dashboard/auth/passkey/list-user-passkeys': { json: [] },
          },
        });
        await page.getByRole('heading', { level: 1, name: title }).waitFor();
        expect(await page.title()).toBe(`${title} · Parley`);
        expect(await page.locator('h1').count()).toBe(1);
        expect(await findFaults(page, { widths: [900, 1_600, 360], name: path })).toEqual([]);
        expect(complaints.filter((text) => !text.includes('status of 401'))).toEqual([]);
        await own.close();
      },
    );

    test('without a session every address leads to sign-in, and from there back', async () => {
      let signedIn = false;
      const { page, own } = await board.visit('/w/ws_2/channels?state=ill', {
        answers: {
          'GET /admin/v1/me': () =>
            signedIn
              ? { json: board.me }
              : { status: 401, json: { detail: 'Sign in.', code: 'missing_auth', request_id: 'req_1' } },
          'POST /dashboard/auth/sign-in/email': () => {
            signedIn = true;
            return { json: {} };
          },
        },
      });
      await page.getByLabel('E-mail').fill(maya.email);
      await page.getByLabel('Password', { exact: true }).fill('a long enough password');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor();
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(
        '/dashboard/w/ws_2/channels?state=ill',
      );
      await own.close();
    });

    test('sign-in leads to no other site', async () => {
      const { page, own } = await board.visit('/sign-in?return=https://evil.example/dashboard', {
        answers: { 'POST /dashboard/auth/sign-in/email': { json: {} } },
      });
      await page.getByLabel('E-mail').fill(maya.email);
      await page.getByLabel('Password', { exact: true }).fill('a long enough password');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${board.address}/dashboard/w/ws_1/home`);
      await own.close();
    });

    test('a wrong password and a second factor are told in words, in the language of the person', async () => {
      let tries = 0;
      const { page, own } = await board.visit('/sign-in', {
        signedIn: false,
        context: { locale: 'de-DE' },
        answers: {
          'POST /dashboard/auth/sign-in/email': () => {
            tries += 1;
            return tries === 1
              ? { status: 401, json: { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid' } }
              : { json: { twoFactorRedirect: true } };
          },
          'POST /dashboard/auth/two-factor/verify-totp': {
            status: 401,
            json: { code: 'INVALID_CODE', message: 'Invalid code' },
          },
        },
      });
      const signIn = async () => {
        await page.getByLabel('Passwort', { exact: true }).fill('ein ziemlich langes');
        await page.keyboard.press('Enter');
      };
      await page.getByLabel('E-Mail').fill(maya.email);
      await signIn();
      await page.getByRole('alert').getByText('E-Mail oder Passwort ist falsch.').waitFor();
      expect(await page.evaluate('document.documentElement.lang')).toBe('de');
      await signIn();
      await page.getByRole('heading', { name: 'Noch ein Schritt' }).waitFor();
      await page.keyboard.type('123456');
      await page.getByRole('alert').getByText('Der Code ist falsch oder zu alt.').waitFor();
      await own.close();
    });

    test('the first account is made by keyboard alone', async () => {
      let sent: unknown;
      const { page, own } = await board.visit('/begin#one-use', {
        answers: {
          'POST /dashboard/begin': (request) => {
            sent = [request.headers()['content-type'], request.postDataJSON()];
            return { status: 201, json: {} };
          },
        },
      });
      await page.getByLabel('Your name').focus();
      await page.keyboard.type('Maya Reid');
      await page.keyboard.press('Tab');
      await page.keyboard.type(maya.email);
      await page.keyboard.press('Tab');
      await page.keyboard.type('a long enough password');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${board.address}/dashboard/w/ws_1/home`);
      expect(sent).toEqual([
        'application/json',
        { token: 'one-use', name: 'Maya Reid', email: maya.email, password: 'a long enough password' },
      ]);
      await own.close();
    });

    test('keys go to areas, open the menu and the list of keys, and do nothing in a text field', async () => {
      const { page, own } = await board.visit('/w/ws_1/channels');
      const title = (name: string) => page.getByRole('heading', { name, level: 1 });
      await title('Channels').waitFor();
      await page.keyboard.type('gs');
      await title('Settings').waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Command menu' }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole('dialog').getByRole('textbox').fill('trade');
      await page.keyboard.press('Enter');
      await page.waitForURL(/ws_2/);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).getByText('Command menu').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.goto(`${board.address}/dashboard/me`);
      await page.getByLabel('Name', { exact: true }).fill('');
      await page.keyboard.type('gs?');
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('gs?');
      await own.close();
    });

    test('keys work by their place on a layout without Latin letters', async () => {
      const { page, own } = await board.visit('/w/ws_1/channels');
      await page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor();
      const press = (key: string, code: string) =>
        page.evaluate(
          `dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', code: '${code}', cancelable: true }))`,
        );
      await press('п', 'KeyG');
      await press('ы', 'KeyS');
      await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
      await own.close();
    });

    test('keys that are switched off do nothing, and the command menu still opens', async () => {
      const { page, own } = await board.visit('/w/ws_1/channels', {
        answers: {
          'GET /admin/v1/me': { json: { ...board.me, person: { ...maya, keys_enabled: false } } },
        },
      });
      await page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor();
      await page.keyboard.type('gs?');
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(1);
      expect(new URL(page.url()).pathname).toBe('/dashboard/w/ws_1/channels');
      await own.close();
    });

    test('a change of the profile that is refused is taken back and told', async () => {
      const { page, own } = await board.visit('/me', {
        answers: {
          'PATCH /admin/v1/me': {
            status: 503,
            json: { detail: 'Busy.', code: 'storage_busy', request_id: 'req_2' },
          },
        },
      });
      const theme = page.getByLabel('Theme');
      await theme.selectOption('dark');
      await page.getByRole('alert').getByText('This did not work. Try again.').waitFor();
      await expect.poll(() => theme.inputValue()).toBe('auto');
      await own.close();
    });

    test('a session is ended, and two-factor sign-in begins with the password', async () => {
      const sessions = ['one', 'two'].map((id) => ({
        id,
        is_current: id === 'one',
        ip_address: '192.0.2.1',
        created_at: '2026-01-01T00:00:00Z',
        last_used_at: '2026-01-01T00:00:00Z',
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
      }));
      const { page, own } = await board.visit('/me', {
        answers: {
          'GET /admin/v1/me/sessions': () => ({ json: { sessions } }),
          'GET /dashboard/auth/passkey/list-user-passkeys': { json: [] },
          'DELETE /admin/v1/me/sessions/two': () => {
            sessions.splice(1, 1);
            return { json: null };
          },
          'POST /dashboard/auth/two-factor/enable': {
            json: { totpURI: 'otpauth://totp/Parley?secret=JBSWY3DP', backupCodes: ['abc-1', 'abc-2'] },
          },
        },
      });
      await page.getByText('You are signed in 2 times.').waitFor();
      await page.getByRole('button', { name: 'End: Firefox on Linux' }).click();
      await page.getByText('You are signed in once.').waitFor();
      expect(sessions.map(({ id }) => id)).toEqual(['one']);
      await page.getByRole('button', { name: 'Switch on' }).click();
      await page.getByLabel('Your password').fill('a long enough password');
      await page.keyboard.press('Enter');
      await page.getByText('JBSWY3DP').waitFor();
      await page.getByText('abc-2').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await own.close();
    });
  },
);
