import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { findFaults } from '../../../../../helpers/servers/browser/find-faults.ts';
import { chromiumPath } from '../../../../../helpers/servers/browser/open-browser.ts';
import { findBarriers } from '../../../../../helpers/servers/browser/open-dashboard.ts';
import {
  openSignedInPages,
  waitForPaint,
} from '../../../../../helpers/servers/browser/open-signed-in-page.ts';
import { openTelegramServer } from '../../../../../helpers/servers/channels/open-telegram-server.ts';
import { signInPerson } from '../../../../../helpers/servers/sign-in-person.ts';
import { pngBytes } from '../../../../../helpers/servers/upload-file.ts';

const file = (name: string, buffer: Buffer = pngBytes) => ({ name, mimeType: 'image/png', buffer });

describe.skipIf(chromiumPath === undefined)(
  'files of replies in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const hub = await openTelegramServer('webhook');
    const { telegram, workspace, address, eventually } = hub;
    const base = `/admin/v1/workspaces/${workspace.id}`;
    const maya = await signInPerson(hub, {
      email: 'maya@shop.example',
      role: 'owner',
      ownerId: workspace.owner,
    });
    const pages = await openSignedInPages({ address, cookie: maya.cookie });
    afterAll(() => pages.close());

    const sentTo = (chat: number) => telegram.sent.filter((part) => part.chat === chat);
    let chats = 800;
    let update = 0;
    const say = (chat: number, text: string) => {
      update += 1;
      const names = { first_name: 'Ann', last_name: `Lee ${chat}` };
      const message = {
        message_id: update,
        date: Math.floor(Date.now() / 1_000),
        from: { id: chat, is_bot: false, ...names },
        chat: { id: chat, type: 'private', ...names },
        text,
      };
      return telegram.tell({ update_id: update, ...{ message } });
    };
    const begun = async () => {
      chats += 1;
      const chat = chats;
      telegram.chats.add(chat);
      await say(chat, 'When is the shop open?');
      await eventually(() => expect(sentTo(chat)).toHaveLength(1));
      const list = await maya.call('GET', `${base}/conversations?view=all&customer=Lee%20${chat}`);
      return { chat, id: String(list.json().conversations[0]?.id) };
    };
    const open = async (
      id: string,
      { undo = 0, ...options }: { undo?: number; [name: string]: unknown } = {},
    ) => {
      const visit = await pages.visit('/me', options);
      await visit.page.evaluate(`localStorage.setItem('parley-undo-send', '${undo}')`);
      await visit.page.goto(`${address}/dashboard/w/${workspace.id}/inbox/${id}`);
      await visit.page.getByRole('log', { name: 'Messages' }).waitFor();
      await waitForPaint(visit.page);
      visit.complaints.length = 0;
      return visit;
    };
    const choose = async (page: Page, files: ReturnType<typeof file>[]) => {
      const choosing = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Attach a file' }).click();
      await (await choosing).setFiles(files);
    };
    const chips = (page: Page) =>
      page.getByRole('list', { name: 'Files of the reply' }).getByRole('listitem');
    const names = (page: Page) => chips(page).locator('.p-chip-name').allInnerTexts();
    /** Drops or pastes a file onto the field. */
    const give = (page: Page, kind: 'drop' | 'paste', name: string) =>
      page.evaluate(`(() => {
        const data = new DataTransfer();
        data.items.add(new File(['Dear Ann'], '${name}', { type: 'text/plain' }));
        const field = document.querySelector('.p-composer textarea');
        const options = { bubbles: true, cancelable: true };
        const event = '${kind}' === 'drop'
          ? new DragEvent('drop', { ...options, dataTransfer: data })
          : new ClipboardEvent('paste', { ...options, clipboardData: data });
        return field.dispatchEvent(event);
      })()`);

    test('files are chosen by key, dropped and pasted, survive a reload, and are sent without a text', async () => {
      const { chat, id } = await begun();
      const { page, context, complaints } = await open(id);
      const choosing = page.waitForEvent('filechooser');
      // The browser watches for the dialogue before the key reaches the page.
      await page.evaluate('0');
      await page.keyboard.press('f');
      await (await choosing).setFiles([file('Plan of the garden.png')]);
      expect(await give(page, 'drop', 'letter.txt')).toBe(false);
      expect(await give(page, 'paste', 'offer.txt')).toBe(false);
      await expect.poll(() => names(page)).toHaveLength(3);
      // A page that is closed aborts its uploads.
      await expect.poll(() => chips(page).getByRole('progressbar').count()).toBe(0);
      const removed = page.waitForResponse((response) => response.request().method() === 'DELETE');
      await page.getByRole('button', { name: 'Remove offer.txt' }).click();
      await expect.poll(() => names(page)).toEqual(['Plan of the garden.png', 'letter.txt']);
      await removed;
      await page.reload();
      await expect.poll(() => names(page)).toEqual(['Plan of the garden.png', 'letter.txt']);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByRole('button', { name: 'Show Plan of the garden.png' }).waitFor();
      await expect.poll(() => chips(page).count()).toBe(0);
      await page.getByRole('button', { name: 'Show Plan of the garden.png' }).click();
      const picture = page.getByRole('img', { name: 'Plan of the garden.png' });
      await picture.waitFor();
      expect(await picture.getAttribute('src')).toContain('data:image/png');
      await eventually(() => expect(sentTo(chat).length).toBeGreaterThan(1));
      expect(complaints).toEqual([]);
      await context.close();
    });

    test('a reply that is sent while its file uploads leaves after it, and the file can be removed', async () => {
      const { chat, id } = await begun();
      const { page, context } = await open(id);
      const held: (() => Promise<void>)[] = [];
      await context.route(/\/conversations\/[^/]+\/files$/, (route) => {
        if (route.request().method() === 'POST') held.push(() => route.continue());
        else void route.continue();
      });
      await choose(page, [file('plan.png'), file('wrong.png')]);
      await expect.poll(() => held.length).toBe(1);
      await page.getByRole('textbox', { name: 'Reply', exact: true }).fill('The plan.');
      await page.keyboard.press('Control+Enter');
      await page.getByRole('button', { name: 'Remove wrong.png' }).click();
      await expect.poll(() => names(page)).toEqual(['plan.png']);
      expect(sentTo(chat)).toHaveLength(1);
      for (const release of held) await release();
      await page.getByRole('button', { name: 'Show plan.png' }).waitFor();
      await expect.poll(() => names(page)).toEqual([]);
      expect(await page.getByRole('button', { name: 'Show wrong.png' }).count()).toBe(0);
      await page.reload();
      await page.getByRole('log', { name: 'Messages' }).waitFor();
      expect(await names(page)).toEqual([]);
      await context.close();
    });

    test('the preview shows files as the channel will: a picture, and a link to what it does not take', async () => {
      const { id } = await begun();
      for (const [colorScheme, width] of [
        ['light', 1_440],
        ['dark', 360],
      ] as const) {
        const visit = await open(id, { colorScheme, viewport: { width, height: 900 } });
        const { page, context, complaints } = visit;
        if (width === 1_440) {
          await choose(page, [
            file(
              'Plan of the garden.png',
              await page.screenshot({ clip: { x: 0, y: 0, width: 640, height: 360 } }),
            ),
            file('List.txt', Buffer.from('Peas')),
          ]);
        }
        await expect.poll(() => names(page)).toHaveLength(2);
        await page.getByRole('button', { name: 'As Telegram shows it' }).click();
        const shown = page.getByRole('region', { name: 'As Telegram shows it' });
        await shown
          .locator('u')
          .getByText(/\/files\/.*List\.txt/)
          .waitFor();
        const picture = shown.getByRole('figure').filter({ hasText: 'Plan of the garden.png' });
        await expect
          .poll(() => picture.locator('img').evaluate((element) => Reflect.get(element, 'naturalWidth')))
          .toBe(640);
        expect(await shown.getByRole('figure').count()).toBe(1);
        if (process.env.PARLEY_SHOTS !== undefined) {
          await page.screenshot({ path: `${process.env.PARLEY_SHOTS}/preview-${colorScheme}-${width}.png` });
        }
        expect((await findBarriers(page)).filter((barrier) => !barrier.startsWith('region'))).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        expect(complaints).toEqual([]);
        await context.close();
      }
    });

    test('a reply that is taken back brings its files back', async () => {
      const { chat, id } = await begun();
      const { page, context } = await open(id, { undo: 10 });
      await choose(page, [file('plan.png')]);
      await expect.poll(() => names(page)).toEqual(['plan.png']);
      await page.getByRole('textbox', { name: 'Reply', exact: true }).fill('The plan.');
      await page.keyboard.press('Control+Enter');
      await page.getByText(/^Sends in \d+ s$/).waitFor();
      expect(await chips(page).count()).toBe(0);
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await expect.poll(() => names(page)).toEqual(['plan.png']);
      expect(sentTo(chat)).toHaveLength(1);
      await context.close();
    });

    test('a message that failed is sent again with its files after its time for undoing, and the draft stays', async () => {
      const { chat, id } = await begun();
      const { page, context } = await open(id);
      telegram.trouble('sendPhoto', { kind: 'blocked' });
      await choose(page, [file('plan.png')]);
      await expect.poll(() => names(page)).toEqual(['plan.png']);
      const field = page.getByRole('textbox', { name: 'Reply', exact: true });
      await page.keyboard.press('Control+Enter');
      const failed = page.getByRole('article').filter({ hasText: 'Not delivered' });
      await failed.waitFor();
      expect(await failed.getByRole('button', { name: 'Edit' }).count()).toBe(0);
      await field.fill('By the way');
      await page.getByText('Saved', { exact: true }).waitFor();
      await page.evaluate("localStorage.setItem('parley-undo-send', '10')");
      const again = failed.getByRole('button', { name: 'Send again' });
      await again.click();
      await page.getByText(/^Sends in \d+ s$/).waitFor();
      expect(await again.count()).toBe(0);
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await again.click();
      if (process.env.PARLEY_SHOTS !== undefined) {
        await page.screenshot({ path: `${process.env.PARLEY_SHOTS}/again.png` });
      }
      const sendNow = page.getByRole('button', { name: 'Send now', exact: true });
      await sendNow.click();
      await page.getByText('Not sent: Nothing can be sent to this conversation').waitFor();
      expect(await field.inputValue()).toBe('By the way');
      await say(chat, 'I am back');
      await page.getByText('I am back').waitFor();
      await again.click();
      await sendNow.click();
      await expect.poll(() => page.getByRole('button', { name: 'Show plan.png' }).count()).toBe(2);
      await eventually(() => expect(sentTo(chat).at(-1)?.params).toMatchObject({ caption: 'plan.png' }));
      expect(sentTo(chat)).toHaveLength(2);
      expect(await field.inputValue()).toBe('By the way');
      await page.reload();
      await expect.poll(() => field.inputValue()).toBe('By the way');
      await context.close();
    });

    test('a refused file is named in place, and notes take no files', async () => {
      const { id } = await begun();
      const { page, context } = await open(id);
      await choose(page, [
        file('film.png', Buffer.alloc(10 * 2 ** 20 + 1)),
        file('void.txt', Buffer.alloc(0)),
      ]);
      await page.getByText('film.png is larger than 10 MB.').waitFor();
      await page.getByText('void.txt is empty.').waitFor();
      await choose(
        page,
        ['1', '2', '3', '4', '5', '6'].map((name) => file(`${name}.png`)),
      );
      await page.getByText('6.png was left out: a reply takes 5 files.').waitFor();
      await expect.poll(() => names(page)).toHaveLength(5);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Note', exact: true }).click();
      expect(await chips(page).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Attach a file' }).count()).toBe(0);
      await give(page, 'drop', 'letter.txt');
      await page.getByText('Notes take no files. Switch to Reply to attach them.').waitFor();
      await context.close();
    });

    test('the files have no barrier and no sideways scrolling', async () => {
      const { id } = await begun();
      const { page, context } = await open(id);
      await choose(page, [
        file('Plan of the garden with a name that is longer than the screen is wide.png'),
        file('b.png'),
      ]);
      await expect.poll(() => names(page)).toHaveLength(2);
      await choose(page, [file('film.png', Buffer.alloc(10 * 2 ** 20 + 1))]);
      await page.getByText('film.png is larger').waitFor();
      expect(await findFaults(page, { except: ['region'], name: 'reply files' })).toEqual([]);
      await context.close();
    });
  },
);
