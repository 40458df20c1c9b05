import { sql } from 'kysely';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { findFaults } from '../../../../../helpers/servers/browser/find-faults.ts';
import { holdPatches, holdRequests } from '../../../../../helpers/servers/browser/hold-requests.ts';
import { chromiumPath } from '../../../../../helpers/servers/browser/open-browser.ts';
import { findBarriers } from '../../../../../helpers/servers/browser/open-dashboard.ts';
import {
  openSignedInPages,
  waitForPaint,
} from '../../../../../helpers/servers/browser/open-signed-in-page.ts';
import { openTelegramServer } from '../../../../../helpers/servers/channels/open-telegram-server.ts';
import { type SignedIn, signInPerson } from '../../../../../helpers/servers/sign-in-person.ts';

describe.skipIf(chromiumPath === undefined)(
  'a conversation in Chromium (skipped where it is not installed)',
  async () => {
    if (chromiumPath === undefined) return;
    const hub = await openTelegramServer('webhook', {
      sla: { first_response_minutes: 15, resolution_minutes: 240 },
    });
    const { telegram, workspace, address, eventually } = hub;
    const { id: workspaceId, owner: ownerId } = workspace;
    const base = `/admin/v1/workspaces/${workspaceId}`;
    const join = async (email: string, name: string, role: 'owner' | 'agent' | 'viewer') => {
      const person = await signInPerson(hub, { email, role, ownerId });
      await person.call('PATCH', '/admin/v1/me', { name });
      const pages = await openSignedInPages({ address, cookie: person.cookie });
      afterAll(() => pages.close());
      const { id } = (await person.call('GET', '/admin/v1/me')).json().person;
      return { ...person, ...pages, id: String(id), name };
    };
    const maya = await join('maya@shop.example', 'Maya Reid', 'owner');
    const ben = await join('ben@shop.example', 'Ben Okafor', 'agent');
    const vic = await join('vic@shop.example', 'Vic Moss', 'viewer');

    let update = 9_000;
    /** A visitor writes on Telegram. */
    const say = async (chat: number, text: string, more: object = {}) => {
      telegram.chats.add(chat);
      update += 1;
      const names = { first_name: 'Ann', last_name: `Lee ${chat}` };
      const message = {
        message_id: update,
        date: Math.floor(Date.now() / 1_000),
        from: { id: chat, is_bot: false, ...names },
        chat: { id: chat, type: 'private', ...names },
        ...(text !== '' && { text }),
        ...more,
      };
      await telegram.tell({ update_id: update, ...{ message } });
    };
    const idOf = async (chat: number): Promise<string> => {
      const list = await maya.call('GET', `${base}/conversations?view=all&customer=Lee%20${chat}`);
      return String(list.json().conversations[0]?.id);
    };
    const sentTo = (chat: number) =>
      telegram.sent.filter((part) => part.chat === chat).map(({ text }) => text);
    let chats = 700;
    /** A conversation whose visitor was answered once and then asked for a person. */
    const escalated = async (question = 'When is the shop open?') => {
      chats += 1;
      const chat = chats;
      await say(chat, question);
      await eventually(() => expect(sentTo(chat)).toHaveLength(1));
      await say(chat, 'I want to talk to a human please');
      await eventually(() => expect(sentTo(chat)).toHaveLength(2));
      const id = await idOf(chat);
      return { chat, id, path: `/w/${workspaceId}/inbox/${id}`, name: `Ann Lee ${chat}` };
    };
    type Person = typeof maya;
    /** Opens a conversation where a sent reply can be taken back for the given seconds. */
    const open = async (
      person: Person,
      path: string,
      { undo = 0, ...options }: { readonly undo?: number } & BrowserContextOptions = {},
    ) => {
      const visit = await person.visit('/me', options);
      await visit.page.evaluate(`localStorage.setItem('parley-undo-send', '${undo}')`);
      await visit.page.goto(`${address}/dashboard${path}`);
      await visit.page.getByRole('log', { name: 'Messages' }).waitFor();
      visit.complaints.length = 0;
      return visit;
    };
    const field = (page: Page, name: 'Reply' | 'Note' = 'Reply') =>
      page.getByRole('textbox', { name, exact: true });
    const messagesOf = async (id: string, person: SignedIn = maya) => {
      const page = (await person.call('GET', `${base}/conversations/${id}/messages`)).json();
      const entries: { kind: string; message?: { role: string; content: string } }[] = page.entries;
      return entries.flatMap(({ message }) => (message === undefined ? [] : [message]));
    };
    const headOf = async (id: string, person: SignedIn = maya) =>
      (await person.call('GET', `${base}/conversations/${id}`)).json();

    describe('without a change', async () => {
      const talk = await escalated();
      await ben.call('POST', `${base}/conversations/${talk.id}/notes`, { content: 'Serial ends in 7731.' });
      test.each([
        ['the thread', async () => {}],
        ['the note', (page: Page) => page.keyboard.press('n')],
        ['the menus', (page: Page) => page.getByRole('button', { name: 'More actions' }).click()],
        [
          'the preview',
          async (page: Page) => {
            await field(page).fill('**Yes**, from nine.');
            await page.getByRole('button', { name: 'As Telegram shows it' }).click();
            await page.getByText('/ 4,096').waitFor();
          },
        ],
        [
          'the reason of an answer',
          (page: Page) => page.getByRole('button', { name: 'Why?' }).first().click(),
        ],
      ])('%s has no barrier, no breach of its policy and no sideways scrolling', async (name, act) => {
        const { page, context, complaints } = await open(maya, talk.path);
        await page.getByText('Serial ends in 7731.').waitFor();
        await act(page);
        // Menus stand outside the landmarks of the page.
        expect(await findFaults(page, { except: ['region'], name })).toEqual([]);
        expect(complaints).toEqual([]);
        await context.close();
      });

      test('the sentence that a machine answers stands above the answer that it went out with', async () => {
        // Telegram marks bots itself. WhatsApp, SMS, Intercom and e-mail get the sentence before an answer.
        const disclosure = 'A machine answers from our help pages.';
        await hub.runtime.database.kysely
          .updateTable('message')
          .set({ decision: JSON.stringify({ disclosure }) })
          .where('conversation_id', '=', talk.id)
          .where('role', '=', 'assistant')
          .where('position', '=', 1)
          .execute();
        const { page, context } = await open(maya, talk.path);
        const disclosures = page.locator('.p-disclosure');
        await disclosures.first().waitFor();
        expect(await disclosures.allInnerTexts()).toEqual([disclosure]);
        await page.getByRole('button', { name: 'Why?' }).first().click();
        await page.getByText('Shown as', { exact: true }).waitFor();
        await context.close();
      });
    });

    test('a reply that collides is not sent until the new message was shown', async () => {
      const { id, path, chat } = await escalated();
      await ben.call('PATCH', `${base}/conversations/${id}`, { status: 'claimed', assignee_id: ben.id });
      const first = await open(maya, path);
      const second = await open(ben, path);
      // Ben does not see what Maya sends, as after a lost connection.
      await second.context.route('**/messages?*', (route) => route.abort());
      await field(second.page).fill('We open at nine.');
      await field(first.page).fill('From nine to five.');
      await first.page.keyboard.press('Control+Enter');
      await first.page.getByRole('button', { name: 'Send, leave it with Ben Okafor' }).click();
      await first.page.getByRole('article', { name: 'Maya Reid' }).waitFor();
      await eventually(() => expect(sentTo(chat).at(-1)).toBe('From nine to five.'));
      await second.page.keyboard.press('Control+Enter');
      const box = second.page.getByRole('alert').filter({ hasText: 'A new message came before your reply' });
      await box.getByText('From nine to five.').waitFor();
      expect(await field(second.page).inputValue()).toBe('We open at nine.');
      expect(sentTo(chat)).not.toContain('We open at nine.');
      await second.context.unroute('**/messages?*');
      await second.page.keyboard.press('Control+Enter');
      await eventually(() =>
        expect(sentTo(chat).slice(-2)).toEqual(['From nine to five.', 'We open at nine.']),
      );
      await second.page.getByRole('article', { name: 'Ben Okafor' }).waitFor();
      expect(await field(second.page).inputValue()).toBe('');
      await Promise.all([first.context.close(), second.context.close()]);
    });

    test('two replies in a row do not collide with each other, however late the first is shown', async () => {
      const { path, chat } = await escalated();
      const { page, context } = await open(maya, path);
      const timeline = await holdRequests(context, { method: 'GET', path: '**/messages?*' });
      const stored = page.waitForResponse((response) => response.url().endsWith('/reply'));
      await field(page).fill('We open early.');
      await page.keyboard.press('Control+Enter');
      expect((await stored).status()).toBe(201);
      await expect.poll(() => timeline.held.length).toBeGreaterThan(0);
      const draft = await holdRequests(context, { method: 'PUT', path: '**/draft' });
      await field(page).fill('And close late.');
      await page.keyboard.press('Control+Enter');
      await expect.poll(() => draft.held.length).toBe(1);
      const shown = page.waitForResponse(/\/messages\?/);
      await timeline.release();
      await (await shown).finished();
      await waitForPaint(page);
      await draft.release();
      await eventually(() => expect(sentTo(chat).slice(-2)).toEqual(['We open early.', 'And close late.']));
      expect(await field(page).inputValue()).toBe('');
      await context.close();
    });

    test('a draft goes on in another browser and leaves with the reply', async () => {
      const { id, path } = await escalated();
      const first = await open(maya, path);
      await field(first.page).fill('Your pump is');
      await first.page.getByText('Saved', { exact: true }).waitFor();
      const second = await open(maya, path);
      await expect.poll(() => field(second.page).inputValue()).toBe('Your pump is');
      await field(second.page).fill('Your pump is covered.');
      await second.page.keyboard.press('Control+Enter');
      await second.page.getByRole('article', { name: 'Maya Reid' }).waitFor();
      await expect.poll(async () => (await headOf(id)).drafts).toEqual([]);
      await first.page.reload();
      await first.page.getByRole('article', { name: 'Maya Reid' }).waitFor();
      expect(await field(first.page).inputValue()).toBe('');
      await Promise.all([first.context.close(), second.context.close()]);
    });

    test('two devices of a person lose nothing to each other: the newer text shows, and both are kept', async () => {
      const { id, path } = await escalated();
      const [laptop, phone] = [await open(maya, path), await open(maya, path)];
      await field(laptop.page).fill('Your pump is');
      await expect.poll(() => field(phone.page).inputValue()).toBe('Your pump is');
      // The phone does not hear of the next text before it saves its own.
      const heads = await holdRequests(phone.context, { method: 'GET', path: `**/conversations/${id}` });
      await field(laptop.page).fill('Your pump is covered.');
      await expect.poll(async () => (await headOf(id)).drafts[0]?.content).toBe('Your pump is covered.');
      await field(phone.page).fill('Your pump is not covered.');
      const other = (page: Page) => page.getByRole('region', { name: 'Also on your other device' });
      await other(phone.page).getByText('Your pump is covered.', { exact: true }).waitFor();
      await heads.release();
      await other(laptop.page).getByText('Your pump is not covered.').waitFor();
      await laptop.page.keyboard.press('Escape');
      await laptop.page.keyboard.press('n');
      await field(laptop.page, 'Note').fill('Ask Tom');
      await laptop.page.getByRole('button', { name: 'Add note' }).click();
      await laptop.page.getByText('Ask Tom').waitFor();
      await laptop.page.getByRole('button', { name: 'Reply', exact: false }).first().click();
      expect(await field(laptop.page).inputValue()).toBe('Your pump is covered.');
      await phone.page.keyboard.press('Control+j');
      expect(await field(phone.page).inputValue()).toBe('Your pump is covered.');
      await phone.page.reload();
      await other(phone.page).getByText('Your pump is not covered.').waitFor();
      expect(await findFaults(phone.page, { name: 'the text of another device' })).toEqual([]);
      await phone.page.getByRole('button', { name: 'Put below mine' }).click();
      await expect
        .poll(async () => (await headOf(id)).drafts)
        .toMatchObject([{ content: 'Your pump is covered.\n\nYour pump is not covered.', other: null }]);
      await Promise.all([laptop.context.close(), phone.context.close()]);
    });

    test('each sees that the other looks and writes', async () => {
      const { path } = await escalated();
      const first = await open(maya, path);
      const second = await open(ben, path);
      await first.page.getByText('Ben Okafor is looking').waitFor();
      await second.page.getByText('Maya Reid is looking').waitFor();
      await field(second.page).pressSequentially('Hi');
      await first.page.setViewportSize({ width: 1_440, height: 900 });
      const writes = first.page.getByText('Ben Okafor is writing');
      await writes.waitFor();
      expect(await writes.evaluate((line) => line.scrollWidth - line.clientWidth)).toBeLessThanOrEqual(0);
      await second.page.getByRole('link', { name: 'Knowledge' }).click();
      await first.page.getByText(/Ben Okafor is/).waitFor({ state: 'detached' });
      await Promise.all([first.context.close(), second.context.close()]);
    });

    test('a conversation of somebody else asks once whether it is taken over', async () => {
      const { id, path, chat } = await escalated();
      await ben.call('PATCH', `${base}/conversations/${id}`, { status: 'claimed', assignee_id: ben.id });
      const { page, context } = await open(maya, path);
      await field(page).fill('I can help, too.');
      await page.keyboard.press('Control+Enter');
      await page.getByText('Ben Okafor has this. Take it over?').waitFor();
      expect(sentTo(chat)).toHaveLength(2);
      await page.keyboard.press('Control+Enter');
      await eventually(() => expect(sentTo(chat).at(-1)).toBe('I can help, too.'));
      expect((await headOf(id)).assignee).toEqual({ id: maya.id, name: 'Maya Reid' });
      await context.close();
    });

    test('a draft from the documents comes without a model, goes in by Tab, and is dropped when the visitor writes on', async () => {
      const { path, chat } = await escalated();
      await say(chat, 'Is the shop open on weekdays?');
      const { page, context } = await open(maya, path);
      const draft = page.getByRole('region', { name: 'Draft from your documents' });
      await draft.getByText('The shop is open on weekdays from nine to five.').waitFor();
      await draft.getByText('Quoted from the documents, without a model').waitFor();
      await draft.getByRole('button', { name: 'Passage from Opening hours' }).click();
      await page.locator('mark').getByText('The shop is open on weekdays').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('mark').waitFor({ state: 'detached' });
      await page.keyboard.press('r');
      await page.keyboard.press('Tab');
      await expect
        .poll(() => field(page).inputValue())
        .toContain('The shop is open on weekdays from nine to five.');
      await draft.waitFor({ state: 'detached' });
      await page.keyboard.press('Control+j');
      await draft.getByText('The shop is open on weekdays from nine to five.').waitFor();
      await say(chat, 'Which wolves howl beneath glaciers?');
      await draft.getByText('The visitor wrote on, so the draft was dropped.').waitFor();
      await page.keyboard.press('Control+j');
      // The first question is not answered yet either.
      await draft.getByText('The shop is open on weekdays from nine to five.').waitFor();
      await context.close();
    });

    test('a note mentions a person and reaches no visitor', async () => {
      const { id, path, chat } = await escalated();
      const { page, context } = await open(maya, path);
      await page.keyboard.press('n');
      await field(page, 'Note').pressSequentially('Please call, @be');
      await page.getByRole('option', { name: 'Ben Okafor' }).waitFor();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+Enter');
      const card = page.getByRole('article', { name: 'Maya Reid, note' });
      await card.getByText('@Ben Okafor').waitFor();
      await expect.poll(() => field(page, 'Note').inputValue()).toBe('');
      const { entries } = (await maya.call('GET', `${base}/conversations/${id}/messages`)).json();
      const [{ note }] = entries.filter(({ kind }: { kind: string }) => kind === 'note');
      expect(note).toMatchObject({ content: 'Please call, @Ben Okafor', mentions: [ben.id] });
      expect(sentTo(chat)).toHaveLength(2);
      await card.getByRole('button', { name: 'Note', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Change the note' }).click();
      await card.getByRole('textbox').fill('Called.');
      await card.getByRole('button', { name: 'Save' }).click();
      await card.getByText('Called.').waitFor();
      await context.close();
    });

    test('a picture of a visitor is fetched on a click and not before', async () => {
      const { path, chat } = await escalated();
      const png =
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
      telegram.files.set('photo-1', Buffer.from(png, 'base64'));
      await say(chat, '', {
        photo: [{ file_id: 'photo-1', file_unique_id: 'p1', width: 1, height: 1, file_size: 70 }],
        caption: 'This is the pump',
      });
      const { page, context, complaints } = await open(maya, path);
      await page.getByRole('log').getByText('This is the pump').waitFor();
      expect(telegram.calls.filter(({ method }) => method === 'getFile')).toEqual([]);
      await page.getByRole('button', { name: 'Show Picture' }).click();
      const picture = page.getByRole('img', { name: 'Picture' });
      await picture.waitFor();
      expect(await picture.getAttribute('src')).toContain('data:image/png');
      expect(complaints).toEqual([]);
      await context.close();
    });

    test('the words of a recording and the description of a picture stand under their files, labelled', async () => {
      const { path, chat, id } = await escalated();
      await say(chat, '', {
        voice: {
          file_id: 'voice-9',
          file_unique_id: 'v9',
          duration: 4,
          mime_type: 'audio/ogg',
          file_size: 9,
        },
        photo: [{ file_id: 'photo-9', file_unique_id: 'p9', width: 1, height: 1, file_size: 70 }],
        caption: 'Listen',
      });
      await eventually(async () =>
        expect((await messagesOf(id)).map(({ content }) => content)).toContain('Listen'),
      );
      const attachment = { name: null, contentType: null, bytes: 70, reference: 'x' };
      const attachments = [
        { ...attachment, kind: 'audio', transcript: 'My pump leaks at the <b>seal</b>.' },
        { ...attachment, kind: 'image', description: 'A green pump with a puddle.' },
      ];
      await sql`
        update message set content = 'Listen' || chr(10) || 'My pump leaks at the <b>seal</b>.',
                           metadata = metadata || ${JSON.stringify({ attachments })}::jsonb
        where conversation_id = ${id} and content = 'Listen'
      `.execute(hub.runtime.database.kysely);
      for (const width of [360, 1_440]) {
        const { page, context, complaints } = await open(maya, path, {
          viewport: { width, height: 900 },
          colorScheme: width === 360 ? 'dark' : 'light',
        });
        const log = page.getByRole('log');
        await log.getByText('Listen', { exact: true }).waitFor();
        const words = log.getByText('My pump leaks at the <b>seal</b>.', { exact: true });
        await words.waitFor();
        expect(await words.count()).toBe(1);
        await log.getByRole('figure', { name: 'Recording, transcribed' }).waitFor();
        await log.getByRole('figure', { name: 'Picture, described by a model' }).waitFor();
        await log.getByText('A green pump with a puddle.').waitFor();
        expect(await findBarriers(page)).toEqual([]);
        expect(complaints).toEqual([]);
        await context.close();
      }
    });

    test('a sent reply can be taken back while it waits, and leaves when the page is left', async () => {
      const { path, chat } = await escalated();
      const { page, context } = await open(maya, path, { undo: 10 });
      await field(page).fill('From ten to four.');
      await page.keyboard.press('Control+Enter');
      await page.getByText(/^Sends in \d+ s$/).waitFor();
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      expect(await field(page).inputValue()).toBe('From ten to four.');
      expect(sentTo(chat)).toHaveLength(2);
      await field(page).fill('From nine to five.');
      await page.keyboard.press('Control+Enter');
      await page.getByText(/^Sends in \d+ s$/).waitFor();
      await page.goto('about:blank');
      await eventually(() => expect(sentTo(chat).at(-1)).toBe('From nine to five.'));
      expect(sentTo(chat)).toHaveLength(3);
      await context.close();
    });

    test('a reply that was sent when the page was left is not offered again, also if its draft was not saved', async () => {
      const { path, chat } = await escalated();
      const { page, context } = await open(maya, path, { undo: 10 });
      const before = sentTo(chat).length;
      await page.route('**/draft', () => {});
      await field(page).fill('From nine to five.');
      await page.keyboard.press('Control+Enter');
      await page.getByText(/^Sends in \d+ s$/).waitFor();
      await page.unroute('**/draft');
      await page.reload();
      await page.getByRole('article').getByText('From nine to five.').first().waitFor();
      await eventually(() => expect(sentTo(chat).at(-1)).toBe('From nine to five.'));
      await page.locator('[data-outgoing]').waitFor({ state: 'detached' });
      expect(await field(page).inputValue()).toBe('');
      await page.reload();
      await page.getByRole('article').getByText('From nine to five.').first().waitFor();
      expect(await field(page).inputValue()).toBe('');
      expect(sentTo(chat)).toHaveLength(before + 1);
      await context.close();
    });

    test('a refused reply comes back to the field with the reason', async () => {
      const { path, id } = await escalated();
      const { page, context } = await open(maya, path);
      await field(page).fill('We are here.');
      await hub.operate('PATCH', `/workspaces/${workspaceId}/channels/${hub.channel.id}`, { enabled: false });
      await page.keyboard.press('Control+Enter');
      await page.getByText('Not sent:').waitFor();
      expect(await field(page).inputValue()).toBe('We are here.');
      await hub.operate('PATCH', `/workspaces/${workspaceId}/channels/${hub.channel.id}`, { enabled: true });
      expect((await messagesOf(id)).filter(({ role }) => role === 'agent')).toEqual([]);
      await context.close();
    });

    test('a reply opens the next conversation, comes back from there by an undo, and the last one says so', async () => {
      const [last, first] = [await escalated(), await escalated()];
      for (const { id } of [last, first]) {
        await maya.call('PATCH', `${base}/conversations/${id}`, { tags: ['chain'] });
      }
      const before = sentTo(first.chat).length;
      const { page, context, complaints } = await open(maya, `${first.path}?view=open&tag=chain`, {
        undo: 10,
      });
      const shown = ({ name }: typeof first) => page.getByRole('region', { name, exact: true });
      await page.getByRole('option', { name: last.name }).waitFor();
      await field(page).fill('It is on its way.');
      await page.keyboard.press('Control+Shift+Enter');
      await shown(last).waitFor();
      await page.getByText(`Reply to ${first.name} is on its way, resolved with it`).waitFor();
      expect(await findFaults(page, { name: 'send and next', widths: [1_440, 390] })).toEqual([]);
      await page.setViewportSize({ width: 1_440, height: 900 });
      await page.keyboard.press('z');
      await shown(first).waitFor();
      await expect.poll(() => field(page).inputValue()).toBe('It is on its way.');
      expect(sentTo(first.chat)).toHaveLength(before);

      await page.getByRole('button', { name: 'More ways to send' }).click();
      await page.getByRole('menuitem', { name: 'Keep open and open the next one' }).click();
      await page.getByRole('button', { name: 'Send, next' }).click();
      await shown(last).waitFor();
      await field(page).fill('Yours too.');
      await page.keyboard.press('Control+Shift+Enter');
      await page.getByText('That was the last one').waitFor();
      expect(await findFaults(page, { name: 'the end of the list' })).toEqual([]);
      expect(complaints).toEqual([]);
      await page.goto('about:blank');
      for (const [{ id, chat }, text] of [
        [first, 'It is on its way.'],
        [last, 'Yours too.'],
      ] as const) {
        await eventually(() => expect(sentTo(chat).at(-1)).toBe(text));
        await expect.poll(async () => (await headOf(id)).status).toBe('claimed');
      }
      await page.goto(`${address}/dashboard${first.path}`);
      await page.getByTitle('Keep open and open the next one').waitFor();
      await context.close();
    });

    test('after the next conversation is open, a refused reply comes back and a resolution is taken back', async () => {
      const [other, sent] = [await escalated(), await escalated()];
      for (const { id } of [other, sent]) {
        await maya.call('PATCH', `${base}/conversations/${id}`, { tags: ['pair'] });
      }
      const { page, context } = await open(maya, `${sent.path}?view=open&tag=pair`);
      const shown = ({ name }: typeof sent) => page.getByRole('region', { name, exact: true });
      const switchChannel = (enabled: boolean) =>
        hub.operate('PATCH', `/workspaces/${workspaceId}/channels/${hub.channel.id}`, { enabled });
      await page.getByRole('option', { name: other.name }).waitFor();
      await switchChannel(false);
      await field(page).fill('We are here.');
      await page.keyboard.press('Control+Shift+Enter');
      await shown(other).waitFor();
      await page.getByText(`Your reply to ${sent.name} was not sent.`).waitFor();
      await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
      await switchChannel(true);
      await page.getByRole('option', { name: sent.name }).click();
      await page.getByText('Not sent:').waitFor();
      expect(await field(page).inputValue()).toBe('We are here.');

      await field(page).press('Control+Shift+Enter');
      await shown(other).waitFor();
      await expect.poll(async () => (await headOf(sent.id)).status).toBe('resolved');
      await page.getByRole('button', { name: 'Undo' }).click();
      await shown(sent).waitFor();
      await expect.poll(async () => (await headOf(sent.id)).status).toBe('escalated');
      expect(sentTo(sent.chat)).toContain('We are here.');
      await context.close();
    });

    test('a snippet brings its text, and its tags go with the reply', async () => {
      const { id, path } = await escalated();
      await maya.call('POST', `${base}/snippets`, {
        name: 'returns',
        text: 'You can return it within 30 days.',
        tags: ['returns'],
        actions: { priority: 'high' },
      });
      const { page, context } = await open(maya, path);
      await field(page).pressSequentially(';ret');
      await page.getByRole('option', { name: 'returns' }).waitFor();
      await page.keyboard.press('Enter');
      expect(await field(page).inputValue()).toBe('You can return it within 30 days.');
      await page.getByText('tag returns').waitFor();
      await page.keyboard.press('Control+Shift+Enter');
      await expect
        .poll(async () => await headOf(id))
        .toMatchObject({ tags: ['returns'], priority: 'high', status: 'resolved' });
      await context.close();
    });

    test('a platform that refuses a reply is quoted at the message', async () => {
      const { path, chat } = await escalated();
      const { page, context } = await open(maya, path);
      telegram.trouble('sendMessage', { kind: 'blocked' });
      await field(page).fill('Are you there?');
      await page.keyboard.press('Control+Enter');
      const reply = page.getByRole('article', { name: 'Maya Reid' });
      await reply.getByText('Not delivered').waitFor();
      await reply.getByText('bot was blocked by the user').waitFor();
      await reply.getByRole('button', { name: 'Send again' }).waitFor();
      expect((await findBarriers(page)).filter((barrier) => !barrier.startsWith('region'))).toEqual([]);
      await reply.getByRole('button', { name: 'Edit' }).click();
      expect(await field(page).inputValue()).toBe('Are you there?');
      expect(sentTo(chat)).toHaveLength(2);
      await context.close();
    });

    test('an undo at once waits for the change that is on its way, and goes away with one that failed', async () => {
      const { id, path } = await escalated();
      const { page, context } = await open(maya, path);
      await page.keyboard.press('t');
      await page.getByText('You have it now').waitFor();
      await expect.poll(async () => (await headOf(id)).assignee?.id).toBe(maya.id);
      const { status } = await headOf(id);
      const patches = await holdPatches(context);
      await page.keyboard.press('e');
      await expect.poll(() => patches.held.length).toBe(1);
      await page.keyboard.press('z');
      await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor();
      expect(patches.sent).toEqual([{ status: 'resolved' }]);
      await patches.release();
      await expect.poll(() => patches.sent).toEqual([{ status: 'resolved' }, { status }]);
      await expect.poll(async () => (await headOf(id)).status).toBe(status);
      expect((await headOf(id)).assignee?.id).toBe(maya.id);
      await context.unroute('**/conversations/*');
      const refused: string[] = [];
      const detail = { detail: 'It is locked.', code: 'locked', request_id: 'req_1' };
      await context.route('**/conversations/*', (route, request) => {
        if (request.method() !== 'PATCH') return route.fallback();
        refused.push(request.postData() ?? '');
        return route.fulfill({ status: 409, json: detail });
      });
      await page.keyboard.press('e');
      await page.getByText('It is locked.').waitFor();
      await expect.poll(() => page.locator('.p-toast').count()).toBe(0);
      await page.keyboard.press('z');
      await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor();
      expect(refused).toHaveLength(1);
      await context.close();
    });

    test('keys assign, resolve and undo, and a viewer has none of them', async () => {
      const { id, path } = await escalated();
      const { page, context } = await open(maya, path);
      await page.keyboard.press('t');
      await expect.poll(async () => (await headOf(id)).assignee?.id).toBe(maya.id);
      await page.getByText('You have it now').waitFor();
      await page.keyboard.press('e');
      await expect.poll(async () => (await headOf(id)).status).toBe('resolved');
      await page.locator('.p-toast').getByText('Resolved').waitFor();
      await page.keyboard.press('z');
      await expect.poll(async () => (await headOf(id)).status).toBe('claimed');
      await context.close();
      const reader = await open(vic, path);
      await reader.page.getByText('Your role can read conversations.').waitFor();
      expect(await reader.page.getByRole('textbox').count()).toBe(0);
      expect(await reader.page.getByRole('button', { name: 'Resolve' }).count()).toBe(0);
      await reader.context.close();
    });

    test('a long conversation opens at its first unread message and loads upwards without a jump', async () => {
      const { id, path } = await escalated();
      const { kysely } = hub.runtime.database;
      const last = (await messagesOf(id)).length;
      await sql`
        insert into message (id, workspace_id, conversation_id, role, content, created_at, position)
        select 'msg_long' || line, ${workspaceId}, ${id}, 'user', 'Line ' || line,
               ${new Date()}::timestamptz + line * interval '1 millisecond', ${last}::int + line
        from generate_series(0, 159) as line
      `.execute(kysely);
      await kysely
        .updateTable('conversation')
        .set({ message_count: last + 160 })
        .where('id', '=', id)
        .execute();
      await maya.call('PUT', `${base}/conversations/${id}/seen`, { position: last + 140 });
      const { page, context } = await open(maya, path);
      await page.getByText('New', { exact: true }).waitFor();
      const isSeen = (text: string) =>
        page.getByText(text, { exact: true }).evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          return top >= 0 && bottom <= 900;
        });
      expect(await isSeen('Line 141')).toBe(true);
      const log = page.getByRole('log');
      await log.focus();
      await expect
        .poll(async () => {
          await log.evaluate((element) => element.scrollBy(0, -400));
          return page.getByText('Line 60', { exact: true }).count();
        })
        .toBe(1);
      await expect.poll(async () => (await headOf(id)).seen_position).toBe(last + 159);
      await context.close();
    });
  },
);
