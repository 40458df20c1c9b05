import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { chromiumPath } from '../../../../../helpers/servers/browser/open-browser.ts';
import { findBarriers, openDashboard } from '../../../../../helpers/servers/browser/open-dashboard.ts';
import { type SignedIn, signInPerson } from '../../../../../helpers/servers/sign-in-person.ts';
import { stageInbox } from '../../../../../helpers/stores/inbox/stage-inbox.ts';

const mentionsSchema = z.object({
  unread: z.number(),
  mentions: z.array(
    z.object({
      note_id: z.string(),
      handle: z.string().nullable(),
      author: z.string(),
      content: z.string(),
      read_at: z.string().nullable(),
    }),
  ),
});

describe('mentions', async () => {
  const board = await openDashboard();
  let count = 0;

  async function openShop() {
    const shop = await board.makeWorkspace({ name: 'Pottle & Sprig' });
    const join = async (name: string) => {
      count += 1;
      const email = `${name}${count}@shop.example`;
      const person = await signInPerson(board, { email, role: 'agent', ownerId: shop.owner });
      const { id } = (await person.call('GET', '/admin/v1/me')).json().person;
      return { ...person, id: String(id) };
    };
    const [conversation = ''] = await stageInbox(
      { database: board.runtime.database.kysely, workspaceId: shop.id },
      [{ name: 'Ann Lee', channel: 'whatsapp', text: 'It still blinks.' }],
    );
    const base = `/admin/v1/workspaces/${shop.id}`;
    const notes = `${base}/conversations/${conversation}/notes`;
    return {
      ...{ id: shop.id, conversation, base, notes },
      maya: await join('maya'),
      ben: await join('ben'),
      mentionsOf: async (person: SignedIn) =>
        mentionsSchema.parse((await person.call('GET', `${base}/mentions`)).json()),
    };
  }

  test('are kept for each person that a note names, follow its changes, and are nobody else’s', async () => {
    const { maya, ben, notes, base, conversation, mentionsOf } = await openShop();
    const written = await maya.call('POST', notes, {
      content: 'Please call, @ben and @maya',
      mentions: [ben.id, maya.id, ben.id],
    });
    expect(await mentionsOf(maya)).toEqual({ unread: 0, mentions: [] });
    const { mentions, unread } = await mentionsOf(ben);
    expect(unread).toBe(1);
    expect(mentions).toEqual([
      {
        ...{ note_id: written.json().id, handle: 'Ann Lee', read_at: null },
        ...{ author: expect.stringContaining('maya'), content: 'Please call, @ben and @maya' },
      },
    ]);
    await maya.call('PUT', `${base}/mentions`, { conversation_id: conversation });
    await ben.call('PUT', `${base}/mentions`, { conversation_id: 'conv_other' });
    expect((await mentionsOf(ben)).unread).toBe(1);
    await ben.call('PUT', `${base}/mentions`, { conversation_id: conversation });
    const note = `${notes}/${written.json().id}`;
    await maya.call('PATCH', note, { content: 'Call again, @ben', mentions: [ben.id] });
    expect(await mentionsOf(ben)).toMatchObject({ unread: 0, mentions: [{ content: 'Call again, @ben' }] });
    await maya.call('PATCH', note, { content: 'Nobody calls.', mentions: [] });
    expect((await mentionsOf(ben)).mentions).toEqual([]);
  });

  test.skipIf(chromiumPath === undefined)(
    'show at the bell of an open page at once, lead to the note, and are read there',
    async () => {
      const { id, maya, ben, notes, mentionsOf } = await openShop();
      const { page, own, complaints } = await board.visit(`/w/${id}/knowledge/documents`, {
        cookie: ben.cookie,
      });
      await page.locator('[data-state="live"]').waitFor();
      await page.getByRole('button', { name: 'Mentions', exact: true }).waitFor();
      await maya.call('POST', notes, { content: 'Please call Ann, @ben', mentions: [ben.id] });
      await page.getByRole('button', { name: 'Mentions, 1 unread' }).click();
      const item = page.getByRole('menuitem', { name: 'mentioned you' });
      await item.getByText('Please call Ann, @ben').waitFor();
      if (process.env.PARLEY_SHOTS !== undefined) {
        await page.waitForTimeout(500);
        await page.screenshot({ path: `${process.env.PARLEY_SHOTS}/mentions.png` });
      }
      expect((await findBarriers(page)).filter((barrier) => !barrier.startsWith('region'))).toEqual([]);
      await item.click();
      await page.getByRole('log').getByText('Please call Ann, @ben').waitFor();
      await page.getByRole('button', { name: 'Mentions', exact: true }).waitFor();
      expect((await mentionsOf(ben)).unread).toBe(0);
      expect(complaints).toEqual([]);
      await own.close();
    },
  );
});
