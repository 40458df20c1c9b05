import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { connectors } from '../../../../../connectors/registry.ts';
import { startDovecot } from '../../../../helpers/platforms/email/start-dovecot.ts';
import { startSmtp } from '../../../../helpers/platforms/email/start-smtp.ts';
import { telegramFixture } from '../../../../helpers/platforms/telegram/fixture.ts';
import { findFaults } from '../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../../helpers/servers/browser/open-browser.ts';
import { findBarriers } from '../../../../helpers/servers/browser/open-dashboard.ts';
import { openSignedInPages, tabTo } from '../../../../helpers/servers/browser/open-signed-in-page.ts';
import { openTelegramServer } from '../../../../helpers/servers/channels/open-telegram-server.ts';
import { openTestServer } from '../../../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../../../helpers/servers/sign-in-person.ts';
import { emptyTestFolder } from '../../../../helpers/stores/databases/test-data-folder.ts';

describe.skipIf(chromiumPath === undefined)(
  'channels in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const hub = await openTelegramServer('webhook');
    const { telegram, workspace, operate, address } = hub;
    const api = `/workspaces/${workspace.id}/channels`;
    await operate('DELETE', `${api}/${hub.channel.id}`);
    const maya = await signInPerson(hub, {
      email: 'maya@shop.example',
      role: 'owner',
      ownerId: workspace.owner,
    });
    const pages = await openSignedInPages({ address, cookie: maya.cookie });
    afterAll(() => pages.close());
    const channels = `/w/${workspace.id}/channels`;
    const shop = 'help@shop.example';
    const dovecot = await startDovecot(join(emptyTestFolder(), 'dovecot'), [shop]);
    afterAll(() => dovecot?.stop());

    test('Telegram is set up by keyboard alone, a wrong token is told in its words, and every check turns green', async () => {
      const { page, context, complaints } = await pages.visit(channels);
      await page.getByRole('heading', { level: 1, name: 'Channels' }).waitFor();
      await page.getByRole('link', { name: 'Add Telegram' }).waitFor();
      await page.keyboard.press('c');
      await tabTo(page, 'link', 'Add Telegram');
      await page.keyboard.press('Enter');

      await tabTo(page, 'textbox', 'Name');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('Garden bot');
      await page.keyboard.press('Enter');

      await page.getByRole('heading', { name: 'Prepare Telegram' }).waitFor();
      await page.getByText('/newbot').waitFor();
      // Until there is a channel, the address says how far it is.
      expect(new URL(page.url()).search).toBe('?step=guide&name=Garden+bot');
      await page.reload();
      await page.getByRole('heading', { name: 'Prepare Telegram' }).waitFor();
      await tabTo(page, 'button', 'Next');
      await page.keyboard.press('Enter');

      await page.getByRole('heading', { name: 'Paste the credentials' }).waitFor();
      await tabTo(page, 'button', 'Show all settings');
      await page.keyboard.press('Enter');
      const token = page.getByLabel('Bot token');
      await page.keyboard.press('Shift+Tab');
      await page.getByLabel('API base URL').focus();
      await page.keyboard.type(telegram.url);
      await token.focus();
      await page.keyboard.type(`${telegram.bot.id}:a-wrong-key`);
      await page.keyboard.press('Enter');
      const refusal = page.locator('[data-field="bot_token"]').getByText('Unauthorized');
      await refusal.waitFor();
      await token.focus();
      await page.keyboard.press('Control+A');
      await page.keyboard.type(telegram.token);
      await page.keyboard.press('Enter');

      await page.getByText('The channel answers nobody before you switch it on.').waitFor();
      expect((await operate('GET', api)).json().channels).toMatchObject([{ enabled: false }]);
      await tabTo(page, 'switch', 'Answer in this channel');
      await page.keyboard.press('Space');
      await page.getByText('The channel is on. It answers from now on.').waitFor();
      await tabTo(page, 'button', 'Next');
      await page.keyboard.press('Enter');

      await page.getByRole('heading', { name: 'Say hello' }).waitFor();
      // A step that was not seen to be done has no tick.
      expect(await page.locator('.p-wizard-step[data-state="done"]').count()).toBe(4);
      await page.getByText('Write “hello” to @parley_test_bot').waitFor();
      expect(await page.locator('[data-check][data-state="done"]').count()).toBe(1);

      // The person closes the wizard and takes it up again where it was, from the gallery.
      await tabTo(page, 'link', 'Close');
      await page.keyboard.press('Enter');
      await page.getByText('1 of 5 checks are green.').waitFor();
      await tabTo(page, 'link', 'Go on with Garden bot');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Say hello' }).waitFor();

      telegram.chats.add(501);
      await telegram.tell(telegramFixture('private-question'));
      await page.locator('[data-check="answer"][data-state="done"]').waitFor();
      expect(await page.locator('[data-check][data-state="done"]').count()).toBe(5);
      expect(telegram.sent).toHaveLength(1);
      expect(await findBarriers(page)).toEqual([]);

      await tabTo(page, 'link', 'Finish');
      await page.keyboard.press('Enter');
      await page.getByRole('article').filter({ hasText: 'Garden bot' }).getByText('Live').waitFor();
      expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([]);
      await context.close();
    });

    test('the page of a channel shows its deliveries, replaces its credentials, and removes it by its name', async () => {
      const [made] = (await operate('GET', api)).json().channels;
      const { page, context } = await pages.visit(`${channels}/${made.id}`);
      await page.getByRole('table', { name: 'Last deliveries' }).getByText('Answered').waitFor();
      expect(await page.locator('[data-check][data-state="done"]').count()).toBe(5);

      // The stand-in's bot has privacy mode on, as new bots do.
      const privacy = page.locator('[data-note="group_privacy"]');
      await privacy.getByRole('button', { name: 'What to do' }).click();
      await privacy.getByText('/setprivacy').waitFor();

      await page.getByRole('tab', { name: 'Credentials' }).click();
      await page.getByLabel('Bot token').fill(`${telegram.bot.id}:another-wrong-key`);
      await page.getByRole('button', { name: 'Check and replace' }).click();
      await page.locator('[data-field="bot_token"]').getByText('Unauthorized').waitFor();
      // The old ones still work.
      await telegram.tell({ ...telegramFixture('private-question'), update_id: 99_000 });
      await hub.eventually(() => expect(telegram.sent).toHaveLength(2));
      await page.getByLabel('Bot token').fill(telegram.token);
      await page.getByRole('button', { name: 'Check and replace' }).click();
      await page.getByText('Replaced. The platform accepts them.').waitFor();

      await page.getByRole('tab', { name: 'Remove' }).click();
      const remove = page.getByRole('button', { name: 'Remove the channel' });
      expect(await remove.isDisabled()).toBe(true);
      await page.getByLabel('Write “Garden bot” to confirm').fill('Garden bot');
      await remove.click();
      await page.getByRole('heading', { level: 1, name: 'Channels' }).waitFor();
      expect((await operate('GET', api)).json().channels).toEqual([]);
      await context.close();
    });

    test.skipIf(dovecot === null)(
      'a mailbox needs an address and a password, tells each refusal beside its field, and answers only what comes after the switch',
      async () => {
        if (dovecot === null) return;
        const smtp = await startSmtp();
        const { page, context, complaints } = await pages.visit(`${channels}/new/email`);
        const faults = (name: string) => findFaults(page, { widths: [1_440, 390], name: `mailbox ${name}` });
        const listed = async () =>
          (await operate('GET', api))
            .json()
            .channels.filter(({ name }: { name: string }) => name === 'E-mail');
        const servers = { host: '127.0.0.1', encryption: 'tls', user: shop, found_by: 'srv' };
        await page.route('**/mailbox-servers', (route) =>
          route.fulfill({
            json: {
              provider: null,
              incoming: { ...servers, port: dovecot.imapPort },
              outgoing: { ...servers, port: smtp.port },
            },
          }),
        );
        await page.getByRole('button', { name: 'Next' }).click();
        await page.getByRole('heading', { name: 'Which mailbox should answer?' }).waitFor();
        await page.getByRole('radio', { name: /^Google/ }).press('Space');
        await page.getByLabel('App password').waitFor();
        await page.getByRole('radio', { name: /^Other/ }).press('Space');
        expect(await page.locator('form input:not([type="radio"])').count()).toBe(3);

        const submit = page.getByRole('button', { name: /^Check/ });
        await submit.click();
        await page.getByText('Write the address of the mailbox').waitFor();
        await page.getByLabel('Address').fill(shop);
        const password = page.locator('input[name="password"]');
        await password.fill('a-wrong-password');
        await page.getByText('found in DNS (SRV)').first().waitFor();
        await page.getByText('outside of the domain of the address').waitFor();
        await submit.click();
        const incoming = page.locator('[data-login="incoming"]');
        await incoming.getByText('The server offers no encryption here.').waitFor();

        await page.getByRole('button', { name: /^Show all, \d+ more fields$/ }).click();
        for (const name of ['imap', 'smtp']) {
          await page.locator(`[data-field="${name}.secure"]`).getByRole('switch').press('Space');
        }
        await page.getByRole('button', { name: 'Show less' }).click();
        await submit.click();
        await incoming.getByText('The password is refused.').waitFor();
        expect(await password.getAttribute('aria-invalid')).toBe('true');
        await page.locator('[data-login="outgoing"][data-state="done"]').waitFor();
        expect(await faults('refused')).toEqual([]);
        expect(await listed()).toEqual([]);

        await password.fill(dovecot.password);
        await submit.click();
        await page.getByText('Connected. The channel answers nobody before it is switched on.').waitFor();
        await incoming.getByText('Login accepted, 0 mails').waitFor();
        expect(await listed()).toMatchObject([{ enabled: false, settings: { from: shop } }]);
        await dovecot.deliver('From: anna@lind.example\r\nSubject: Old\r\n\r\nWhen are you open?', shop);
        await page.getByRole('button', { name: 'Next' }).click();
        await page.getByText('Mails that come in after you switch it on are answered.').waitFor();
        expect(await faults('switch')).toEqual([]);
        await page.getByRole('switch', { name: 'Answer in this channel' }).press('Space');
        await page.getByText('The channel is on. It answers from now on.').waitFor();
        await page.getByRole('button', { name: 'Next' }).click();
        await page.locator('[data-check="connection"][data-state="done"]').waitFor();

        await dovecot.deliver('From: anna@lind.example\r\nSubject: New\r\n\r\nWhen are you open?', shop);
        await page.locator('[data-check="answer"][data-state="done"]').waitFor();
        expect(smtp.taken.map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw)?.[1])).toEqual(['Re: New']);
        expect(complaints).toEqual([]);
        await operate('DELETE', `${api}/${(await listed())[0].id}`);
        await smtp.close();
        await context.close();
      },
      180_000,
    );

    test('a mailbox is asked for in German, without a bubble of the browser', async () => {
      const { page, context } = await pages.visit(`${channels}/new/email?step=credentials&name=Post`, {
        locale: 'de-DE',
      });
      await page.getByRole('radio', { name: /^Andere/ }).press('Space');
      await page.getByRole('button', { name: 'Prüfen und verbinden' }).click();
      await page.getByText('Geben Sie das Passwort ein.').waitFor();
      await context.close();
    });

    test('the public agent is switched on, and its address answers', async () => {
      const { page, context } = await pages.visit(`${channels}/public-agent`);
      await page.getByRole('switch', { name: 'NLWeb' }).press('Space');
      const shown = page.getByText(`/api/nlweb/${workspace.id}`, { exact: false }).first();
      await shown.waitFor();
      await hub.eventually(async () =>
        expect((await fetch((await shown.textContent()) ?? '')).status).toBe(200),
      );
      await context.close();
    });

    test('no width and no scheme has a barrier, a breach of the policy or sideways scrolling', async () => {
      const hosted = await operate('POST', api, {
        channel: 'hosted',
        name: 'Help page',
        settings: { slug: 'garden-help' },
      });
      const own = `${channels}/${hosted.json().id}`;
      for (const [path, heading] of [
        [channels, 'Channels'],
        [`${channels}/new/slack?step=guide&name=Desk`, 'Add Slack'],
        [`${channels}/new/email?step=credentials&name=Mail`, 'Add E-mail'],
        [`${channels}/new/hosted?channel=${hosted.json().id}&step=check`, 'Add Hosted page'],
        [own, 'Help page'],
        [`${own}?tab=settings`, 'Help page'],
        [`${channels}/public-agent`, 'Public agent'],
      ] as const) {
        const { page, context, complaints } = await pages.visit(path);
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        expect([path, await findFaults(page, { name: path })]).toEqual([path, []]);
        expect(complaints).toEqual([]);
        await context.close();
      }
    }, 180_000);
  },
);

describe.skipIf(chromiumPath === undefined)(
  'channels without PUBLIC_URL (skipped without Chromium)',
  async () => {
    if (chromiumPath === undefined) return;
    const server = await openTestServer({ runtime: { connectors } });
    const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
    const workspace = await server.makeWorkspace();
    const { cookie } = await signInPerson(server, {
      email: 'maya@shop.example',
      role: 'owner',
      ownerId: workspace.owner,
    });
    const pages = await openSignedInPages({ address, cookie });
    afterAll(() => pages.close());

    test('the wizard says what the missing address blocks', async () => {
      const guide = async (kind: string) => {
        const { page, context } = await pages.visit(
          `/w/${workspace.id}/channels/new/${kind}?step=guide&name=x`,
        );
        const text = await page.getByRole('note').textContent();
        await context.close();
        return text;
      };
      expect(await guide('intercom')).toContain('Intercom cannot reach it: no message comes in until');
      expect(await guide('telegram')).toContain('holds a connection to Telegram instead');
    });
  },
);
