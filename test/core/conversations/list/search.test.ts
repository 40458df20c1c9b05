import { describe, expect, test } from 'vitest';
import type { ListReader } from '../../../../core/conversations/list/filters.ts';
import { countConversations } from '../../../../core/conversations/list/list-conversations.ts';
import { listInbox } from '../../../../core/inbox/list.ts';
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
});
