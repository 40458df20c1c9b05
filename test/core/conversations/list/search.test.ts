import { describe, expect, test } from 'vitest';
import type { ListReader } from '../../../../core/conversations/list/filters.ts';
import { countConversations } from '../../../../core/conversations/list/list-conversations.ts';
import { collectSearchWords } from '../../../../core/conversations/list/search-words.ts';
import { listInbox } from '../../../../core/inbox/list.ts';
import { searchInbox } from '../../../../core/inbox/search.ts';
import { testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { openTestInbox } from '../../../helpers/stores/inbox/open-test-inbox.ts';

describe.each(testEngines)('a search of the inbox on %s', async (engine) => {
  const { database, inbox, say, alter, time, pass, makeWorkspace, user } = await openTestInbox(engine);
  const { kysely } = database;
  const shop = await makeWorkspace();
  const other = await makeWorkspace();
  const begin = async (workspaceId: string, content: string, columns: object = {}) => {
    pass(60_000);
    const id = await say({ workspaceId, question: content });
    await alter(id, { updated_at: time.now, ...columns });
    return id;
  };
  const ids = {
    ann: await begin(shop.id, 'Where are my parcels? I wait for a refund.', {
      customer_name: 'Ann Lee',
      customer_email: 'ann@lee.example',
      tags: ['VIP', 'returns'],
    }),
    ben: await begin(shop.id, 'The teapot is cracked.', {
      customer_phone: '+4915112345',
      status: 'resolved',
      channel: 'email',
    }),
    cleo: await begin(shop.id, 'Late again, and the parcel was wet.', { status: 'escalated' }),
    far: await begin(other.id, 'Where is my parcel? Ann Lee', { customer_name: 'Ann Lee', tags: ['VIP'] }),
  };
  await inbox.addNote(user, ids.ben, { content: 'Promised a replacement by Friday.' });
  await inbox.addNote(user, ids.far, { content: 'Promised a replacement too.' });
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  const reader: ListReader = {
    ...{ workspaceId: shop.id, personId: null, isInInbox: true, policy: undefined },
    ...{ now: time.now, today: time.now },
  };
  const find = async (q: string, more: Partial<ListReader> = {}) => {
    const request = { filters: { q }, sort: 'latest', page: { limit: 50 } } as const;
    const { items } = await listInbox(kysely, { ...reader, ...more }, request);
    return items;
  };
  const found = async (q: string, more: Partial<ListReader> = {}) =>
    (await find(q, more)).map(({ id }) => names.get(id)).toSorted();

  test.each([
    ['parcel', ['ann', 'cleo']],
    ['parcel refund', ['ann']],
    ['"parcel was wet"', ['cleo']],
    ['"was parcel wet"', []],
    ['replacement', ['ben']],
    ['replace', ['ben']],
    ['ann', ['ann']],
    ['lee.example', ['ann']],
    ['15112', ['ben']],
    ['return', ['ann']],
    ['from:lee refund', ['ann']],
    ['tag:vip', ['ann']],
    ['tag:vi', []],
    ['parcel -refund', ['cleo']],
    ['-tag:vip', ['ben', 'cleo']],
    ['refund OR cracked', ['ann', 'ben']],
    ['refund OR cracked channel:email', ['ben']],
    ['is:resolved', ['ben']],
    ['is:escalated parcel', ['cleo']],
    ['is:mine', []],
    ['is:unassigned parcel', ['ann', 'cleo']],
    ['before:2020-03-01', []],
    ['after:2020-03-01 before:2020-03-02 teapot', ['ben']],
    ['is:nothing', []],
  ])('%s', async (q, expected) => {
    expect(await found(q)).toEqual(expected);
    const counted = await countConversations(
      kysely,
      reader,
      new Map([['all', { filters: { q }, most: 10 }]]),
    );
    expect(counted.get('all')).toBe(expected.length);
  });

  test('keys search the messages alone, and read all words as words', async () => {
    const page = { limit: 50 };
    const list = async (q: string) => {
      const { items } = await inbox.list({ workspace: shop, filters: { q }, page });
      return items.map(({ id }) => names.get(id)).toSorted();
    };
    expect(await list('parcel')).toEqual(['ann', 'cleo']);
    for (const q of ['replacement', 'lee', 'tag:vip']) expect(await list(q)).toEqual([]);
  });

  test('a row shows the words where they were found, in a message or a note', async () => {
    const passages = async (q: string) => (await find(q)).map(({ found: passage }) => passage);
    expect(await passages('cracked')).toEqual(['The teapot is cracked.']);
    expect(await passages('friday')).toEqual(['Promised a replacement by Friday.']);
    expect(await passages('tag:vip')).toEqual([null]);
  });

  test('a word deep in a long message is shown at once, with what stands around it', async () => {
    const text = `${'The kettle boils and boils. '.repeat(30)}Then the handle melted. ${'And so on. '.repeat(30)}`;
    await begin(shop.id, text);
    const [row] = await find('melting');
    expect(row?.found).toMatch(/^… boils\. Then the handle melted\. And so on\./);
  });

  test('words of many conversations and of none are found behind the latest ones too', async () => {
    const busy = await makeWorkspace();
    const oldest = await begin(busy.id, 'The samovar leaks.');
    for (let at = 0; at < 5; at += 1) await begin(busy.id, 'The samovar is fine.');
    const items = await find('samovar leaks', { workspaceId: busy.id });
    expect(items.map(({ id }) => id)).toEqual([oldest]);
  });

  describe('words in other forms', async () => {
    const store = await makeWorkspace();
    const forms = {
      house: await begin(store.id, 'Wann werden die Häuser geliefert?'),
      rembours: await begin(store.id, 'Je voudrais être remboursé.'),
      reembolso: await begin(store.id, 'Necesito dos reembolsos.'),
      delivery: await begin(store.id, 'When is the delivery?'),
      deliver: await begin(store.id, 'Can you deliver on Sunday?'),
      refund: await begin(store.id, 'I want a refund.', {
        customer_name: 'Jörg Hammerschmidt',
        tags: ['warranty'],
      }),
    };
    await begin(other.id, 'A refinement of the deliverables.');
    await inbox.addNote(user, forms.deliver, { content: 'Sie hat zwei Bestellungen offen.' });
    pass(120_000);
    const collect = async () => {
      while (
        (await kysely
          .transaction()
          .execute((transaction) => collectSearchWords({ transaction, now: time.now }))) > 0
      );
    };
    await collect();
    const formNames = new Map(Object.entries(forms).map(([name, id]) => [id, name]));
    const storeReader = { ...reader, workspaceId: store.id };
    const search = async (q: string, page: { limit: number; cursor?: string } = { limit: 50 }) => {
      const found = await searchInbox(kysely, storeReader, { filters: { q }, sort: 'latest', page });
      return { ...found, names: found.items.map(({ id }) => formNames.get(id)) };
    };

    test.each([
      ['haus', ['house'], /Häuser/],
      ['remboursement', ['rembours'], /remboursé/],
      ['reembolso', ['reembolso'], /reembolsos/],
      ['deliv', ['deliver', 'delivery'], /deliver/],
      ['deliver', ['deliver', 'delivery'], /deliver/],
      ['bestellung', ['deliver'], /Bestellungen/],
      ['warr', ['refund'], null],
      ['hau', ['house'], /Häuser/],
      ['"hau"', [], null],
      ['deliv -sunday', ['delivery'], /delivery/],
      ['de', [], null],
    ])('%s', async (q, expected, passage) => {
      const { names: found, items, searched } = await search(q);
      expect(found).toEqual(expected);
      expect(searched).toBeNull();
      if (passage !== null) for (const row of items) expect(row.found).toMatch(passage);
      const counted = await countConversations(
        kysely,
        storeReader,
        new Map([['all', { filters: { q }, most: 10 }]]),
      );
      expect(counted.get('all')).toBe(expected.length);
    });

    test('conversations with the word come before those with another form of it, over pages too', async () => {
      // The later of the two has the other form.
      const later = await begin(store.id, 'Two deliveries are late.');
      pass(120_000);
      await collect();
      formNames.set(later, 'deliveries');
      const listed: (string | undefined)[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await search('delivers', { limit: 1, ...(cursor !== undefined && { cursor }) });
        listed.push(...page.names);
        cursor = page.nextCursor;
      }
      expect(listed).toEqual(['deliver', 'deliveries', 'delivery']);
      await expect(search('deliv', { limit: 1, cursor: 'another' })).rejects.toThrow(/cursor/i);
      await kysely.deleteFrom('conversation').where('id', '=', later).execute();
    });

    test.each([
      ['refnud', 'refund', '"refnud"'],
      ['wnat refund', 'want refund', '"wnat" refund'],
      ['from:jörg refnud', 'from:jörg refund', 'from:jörg "refnud"'],
      ['hamerschmidt', 'hammerschmidt', '"hamerschmidt"'],
      ['waranty', 'warranty', '"waranty"'],
      ['refnud -late', 'refund -late', '"refnud" -late'],
      ['"refnud"', null, null],
      ['refinment', null, null],
      ['zzzzzz', null, null],
    ])('%s', async (q, corrected, only) => {
      const found = await search(q);
      expect(found.searched).toEqual(corrected === null ? null : { q: corrected, only });
      expect(found.names).toEqual(corrected === null ? [] : ['refund']);
      if (only !== null) expect((await search(only)).names).toEqual([]);
    });

    test('a page after a correction goes on with the corrected words', async () => {
      const more = await begin(store.id, 'One more refund.');
      formNames.set(more, 'more');
      const first = await search('refnud', { limit: 1 });
      expect(first.names).toEqual(['more']);
      const second = await search('refnud', { limit: 1, cursor: first.nextCursor ?? '' });
      expect([second.names, second.searched?.q]).toEqual([['refund'], 'refund']);
      await kysely.deleteFrom('conversation').where('id', '=', more).execute();
    });

    test('nothing of a deleted conversation is kept, and a word that is used goes with a later one', async () => {
      const words = async () => {
        const rows = await kysely
          .selectFrom('search_word')
          .select('word')
          .where('workspace_id', '=', store.id)
          .execute();
        return rows.map(({ word }) => word);
      };
      const secret = await begin(store.id, 'My samovar awaits a refund.', {
        customer_email: 'zoe@secret.example',
      });
      pass(120_000);
      await collect();
      expect(await words()).toEqual(expect.arrayContaining(['samovar', 'zoe', 'secret', 'refund']));
      await kysely.deleteFrom('conversation').where('id', '=', secret).execute();
      const left = await words();
      for (const word of ['samovar', 'zoe', 'secret']) expect(left).not.toContain(word);
      expect(left).toContain('refund');
      pass(9 * 24 * 3_600_000);
      const again = await begin(store.id, 'A refund once more.');
      pass(120_000);
      await collect();
      const row = await kysely
        .selectFrom('search_word')
        .select('conversation_id')
        .where('workspace_id', '=', store.id)
        .where('word', '=', 'refund')
        .executeTakeFirstOrThrow();
      expect(row.conversation_id).toBe(again);
    });
  });
});
