import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openTelegramStandIn } from '../../helpers/platforms/telegram/stand-in.ts';
import { chromiumPath, openBrowser } from '../../helpers/servers/browser/open-browser.ts';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import { runProduct } from '../../helpers/servers/processes/run-product.ts';
import { testPassword } from '../../helpers/servers/sign-in-person.ts';
import { testDataFolder } from '../../helpers/stores/databases/test-data-folder.ts';

const linkSchema = z.object({ link: z.string() });
const listSchema = z.object({ conversations: z.array(z.object({ id: z.string() })) });
const timelineSchema = z.object({
  entries: z.array(
    z.object({
      parts: z.array(z.object({ status: z.string() })).optional(),
      message: z.object({ role: z.string(), content: z.string() }).optional(),
    }),
  ),
});
const ann = 701;

describe.skipIf(chromiumPath === undefined)(
  'a reply from Chromium (skipped where it is not installed)',
  () => {
    test('survives a kill of the server in its middle: nothing is lost, and it is sent once', {
      timeout: 600_000,
    }, async () => {
      const telegram = await openTelegramStandIn();
      telegram.chats.add(ann);
      const environment = {
        ADMIN_TOKEN: 'a-token-for-the-tests-of-killed-replies-0123456789',
        ALLOW_PRIVATE_CHANNELS: 'true',
        DATA_DIR: testDataFolder(),
        PORT: String(await freePort()),
      };
      const address = `http://localhost:${environment.PORT}`;
      const operate = async (path: string, body?: object): Promise<unknown> => {
        const response = await fetch(`${address}/admin/v1${path}`, {
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            authorization: `Bearer ${environment.ADMIN_TOKEN}`,
            'content-type': 'application/json',
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        return response.json();
      };

      let server = await runProduct(environment);
      const { link } = linkSchema.parse(await operate('/begin-link', {}));
      const browser = await openBrowser();
      onTestFinished(async () => {
        await browser.close();
        await server.end('SIGKILL');
      });
      const page = await browser.newPage();
      await page.addInitScript("localStorage.setItem('parley-undo-send', '0')");
      await page.goto(`${address}/dashboard/begin#${link.split('#')[1]}`);
      await page.getByLabel('Your name').fill('Maya Reid', { timeout: 240_000 });
      await page.getByLabel('E-mail').fill('maya@acme.example');
      await page.getByLabel('Password', { exact: true }).fill(testPassword);
      await page.getByRole('button', { name: 'Make the account' }).click();
      await page.waitForURL(/\/w\//);
      const workspace = /\/w\/(\w+)/.exec(page.url())?.[1] ?? '';
      await operate(`/workspaces/${workspace}/channels`, {
        channel: 'telegram',
        name: 'Garden bot',
        credentials: { bot_token: telegram.token },
        settings: { mode: 'polling', api_base_url: telegram.url },
      });
      const person = { id: ann, first_name: 'Ann', last_name: 'Lee' };
      const told = {
        update_id: 1,
        message: {
          message_id: 1,
          date: Math.floor(Date.now() / 1_000),
          from: { ...person, is_bot: false },
          chat: { ...person, type: 'private' },
          text: 'I want to talk to a human please',
        },
      };
      await telegram.tell(told);
      const conversations = async () =>
        listSchema.parse(await operate(`/workspaces/${workspace}/conversations?view=all&channel=telegram`))
          .conversations;
      await expect.poll(async () => (await conversations()).length, { timeout: 60_000 }).toBe(1);
      const id = (await conversations())[0]?.id ?? '';
      await page.goto(`${address}/dashboard/w/${workspace}/inbox/${id}`);
      const field = page.getByRole('textbox', { name: 'Reply', exact: true });
      const stored = async (content: string) => {
        const path = `/workspaces/${workspace}/conversations/${id}/messages`;
        const { entries } = timelineSchema.parse(await operate(path));
        return entries.filter(({ message }) => message?.content === content);
      };
      const sent = (content: string) => telegram.sent.filter(({ text }) => text === content).length;
      const isOnce = async (content: string) => {
        await page.getByRole('article', { name: 'Maya Reid' }).getByText(content).waitFor();
        await expect.poll(() => sent(content), { timeout: 60_000 }).toBe(1);
        expect(await stored(content)).toHaveLength(1);
        expect(await field.inputValue()).toBe('');
      };

      // The request finds no server.
      await page.route(
        /\/reply$/,
        async (route) => {
          await server.end('SIGKILL');
          return route.continue();
        },
        { times: 1 },
      );
      await field.fill('We call you at ten.');
      await page.keyboard.press('Control+Enter');
      await page.getByText('The server does not answer.').waitFor();
      server = await runProduct(environment);
      await isOnce('We call you at ten.');

      // It is stored and sent, and only its answer is lost.
      let isKilled = false;
      await page.route(/\/reply$/, async (route) => {
        if (isKilled) return route.continue();
        isKilled = true;
        expect((await route.fetch()).status()).toBe(201);
        await expect
          .poll(async () => (await stored('Or at eleven.'))[0]?.parts?.[0]?.status, { timeout: 60_000 })
          .toBe('sent');
        await server.end('SIGKILL');
        return route.abort('connectionreset');
      });
      await field.fill('Or at eleven.');
      const lost = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/reply'));
      await page.keyboard.press('Control+Enter');
      await lost;
      server = await runProduct(environment);
      await isOnce('Or at eleven.');
      await isOnce('We call you at ten.');

      // A text that was typed but not sent is restored.
      await field.fill('Third');
      await page.getByText('Saved', { exact: true }).waitFor();
      await server.end('SIGKILL');
      server = await runProduct(environment);
      await page.reload();
      await expect.poll(() => field.inputValue()).toBe('Third');
    });
  },
);
