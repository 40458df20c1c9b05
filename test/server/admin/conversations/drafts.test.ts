import { describe, expect, test } from 'vitest';
import { endDraft, readDrafts, saveDraft } from '../../../../core/conversations/drafts.ts';
import { storeMessage } from '../../../../core/conversations/messages/store-message.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';
import { createDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';

describe.each(testEngines)('drafts on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : undefined;
  const server = await openTestServer({ runtime: environment === undefined ? {} : { environment } });
  const { runtime } = server;
  const database = runtime.database.kysely;
  const workspace = await server.makeWorkspace({ name: 'Acme', plan: 'growth' });
  const { id: workspaceId, owner: ownerId } = workspace;
  const ann = await signInPerson(server, { email: 'ann@acme.example', role: 'owner', ownerId });
  const personId = String((await ann.call('GET', '/admin/v1/me')).json().person.id);
  const person = { workspaceId, personId };
  const stores = { database, clock: runtime.clock };

  const open = async () => {
    const asked = await server.query(workspace.key, { query: 'Is anybody there?' });
    const id = String(asked.json().conversation_id);
    const url = `/admin/v1/workspaces/${workspaceId}/conversations/${id}`;
    const put = (body: object) => ann.call('PUT', `${url}/draft`, body);
    const drafts = async () => (await ann.call('GET', url)).json().drafts;
    return { id, url, put, drafts };
  };

  test('a reply and a note are kept beside each other, and the note takes only its own along', async () => {
    const { url, put, drafts } = await open();
    const actions = { tags: ['pump'], status: 'resolved' };
    await put({ content: 'Your pump is covered.', actions });
    await put({ kind: 'note', content: 'Ask Tom' });
    expect(await drafts()).toMatchObject([{ kind: 'note' }, { kind: 'reply', actions }]);
    await ann.call('POST', `${url}/notes`, { content: 'Ask Tom for mint' });
    expect(await drafts()).toMatchObject([{ kind: 'reply', content: 'Your pump is covered.' }]);
    const { conversations } = (
      await ann.call('GET', `/admin/v1/workspaces/${workspaceId}/conversations?has_draft=true`)
    ).json();
    expect(conversations).toHaveLength(1);
  });

  test('a text that continues an older version is refused with the newer one, and both are kept', async () => {
    const { put, drafts } = await open();
    const first = (await put({ content: 'Hi', base_updated_at: null })).json();
    const laptop = (await put({ content: 'Hi Jo, mint', base_updated_at: first.updated_at })).json();
    const phone = await put({ content: 'Hi Jo, basil', base_updated_at: first.updated_at });
    expect(phone.statusCode).toBe(409);
    const kept = {
      content: 'Hi Jo, mint',
      updated_at: laptop.updated_at,
      other: { content: 'Hi Jo, basil' },
    };
    expect(phone.json()).toMatchObject({ code: 'draft_moved_on', draft: kept });
    expect(await drafts()).toMatchObject([kept]);
    const taken = await put({
      ...{ content: 'Hi Jo, basil', base_updated_at: laptop.updated_at },
      other: { content: 'Hi Jo, mint' },
    });
    expect(taken.json()).toMatchObject({ content: 'Hi Jo, basil', other: { content: 'Hi Jo, mint' } });
  });

  test('a third text is kept below the other one, which its own device goes on replacing', async () => {
    const { put, drafts } = await open();
    await put({ content: 'Mint', base_updated_at: null });
    await put({ content: 'Basil', base_updated_at: null });
    const third = (await put({ content: 'Thyme', base_updated_at: null })).json().draft.other;
    expect(third.content).toBe('Thyme\n\nBasil');
    const seen = { other_saved_at: third.saved_at };
    await put({ content: 'Thyme tea\n\nBasil', base_updated_at: null, ...seen });
    expect(await drafts()).toMatchObject([{ content: 'Mint', other: { content: 'Thyme tea\n\nBasil' } }]);
  });

  test('a text that is taken while its device goes on writing it does not replace the newer one', async () => {
    const { put, drafts } = await open();
    const { updated_at: base } = (await put({ content: 'Mint', base_updated_at: null })).json();
    const seen = (await put({ content: 'Basil', base_updated_at: null })).json().draft.other.saved_at;
    await put({ content: 'Basil and thyme', base_updated_at: null, other_saved_at: seen });
    await put({
      ...{ content: 'Basil', base_updated_at: base },
      ...{ other: { content: 'Mint' }, other_saved_at: seen },
    });
    expect(await drafts()).toMatchObject([
      { content: 'Basil', other: { content: 'Mint\n\nBasil and thyme' } },
    ]);
  });

  test('of two first texts at once one is stored and the other kept beside it', async () => {
    const { put, drafts } = await open();
    const answers = await Promise.all(
      ['One', 'Two'].map((content) => put({ content, base_updated_at: null })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    const [{ content, other }] = await drafts();
    expect([content, other.content].sort()).toEqual(['One', 'Two']);
  });

  test('the same save again is no conflict, because its first answer may have been lost', async () => {
    const { put, drafts } = await open();
    await put({ content: 'Hi', base_updated_at: null });
    expect((await put({ content: 'Hi', base_updated_at: null })).statusCode).toBe(200);
    expect(await drafts()).toMatchObject([{ content: 'Hi', other: null }]);
  });

  test('each save is a newer version, also within a millisecond and with a clock that stands', async () => {
    const { id } = await open();
    const clock = { now: () => new Date('2026-01-01T00:00:00.000Z') };
    const text = { kind: 'reply', actions: null } as const;
    const first = await saveDraft({ database, clock }, person, id, { ...text, content: 'a', base: null });
    const base = first?.draft.updatedAt ?? expect.unreachable();
    const second = await saveDraft({ database, clock }, person, id, { ...text, content: 'b', base });
    expect(second?.draft.updatedAt.getTime()).toBeGreaterThan(base.getTime());
    const late = await saveDraft({ database, clock }, person, id, { ...text, content: 'c', base });
    expect(late?.isSaved).toBe(false);
  });

  test('an emptied draft leaves the text of the other device, and a newer version is not deleted', async () => {
    const { url, put, drafts } = await open();
    const first = (await put({ content: 'One', base_updated_at: null })).json();
    await put({ content: 'Two', base_updated_at: null });
    const remove = (base: string) =>
      ann.call('DELETE', `${url}/draft?kind=reply&base_updated_at=${encodeURIComponent(base)}`);
    expect((await remove(first.updated_at)).statusCode).toBe(204);
    const [left] = await drafts();
    expect(left).toMatchObject({ content: 'Two', other: null });
    const refused = await remove(first.updated_at);
    expect(refused.json()).toMatchObject({ code: 'draft_moved_on', draft: { content: 'Two' } });
    expect((await remove(left.updated_at)).statusCode).toBe(204);
    expect(await drafts()).toEqual([]);
  });

  test.each([
    ['the draft', 'Yes, it is covered.', ['No', null]],
    ['a longer text that began as the draft', 'Yes, it is covered. Best, Ann', ['No', null]],
    ['the text of the other device', 'No', ['Yes, it is covered.', null]],
    ['something else', 'We are closed.', ['Yes, it is covered.', 'No']],
  ])('of two texts, %s is sent, and what nobody has sent stays', async (_, content, left) => {
    const { id } = await open();
    const text = { kind: 'reply', actions: null, base: null } as const;
    await saveDraft(stores, person, id, { ...text, content: 'Yes, it is covered.' });
    await saveDraft(stores, person, id, { ...text, content: 'No' });
    const now = runtime.clock.now();
    const end = (sent: string) =>
      database
        .transaction()
        .execute((transaction) =>
          endDraft(transaction, { ...person, conversationId: id, kind: 'reply', content: sent, now }),
        );
    await end(content);
    const kept = async () =>
      (await readDrafts(database, person, id)).map((draft) => [draft.content, draft.other?.content ?? null]);
    expect(await kept()).toEqual([left]);
    const [first = '', second = first] = left.filter((each) => each !== null);
    await end(first);
    await end(second);
    expect(await kept()).toEqual([]);
  });

  test.each([
    ['reply', 'reply', 'Yes, it is covered.'],
    ['reply', 'reply', 'Yes, it'],
    ['note', 'notes', 'Yes, it is covered.'],
  ])('a save of a %s that comes after it was sent stores nothing', async (kind, path, late) => {
    const { url, put, drafts } = await open();
    const first = (await put({ kind, content: 'Yes', base_updated_at: null })).json();
    await ann.call('POST', `${url}/${path}`, { content: 'Yes, it is covered.' });
    for (const base of [null, first.updated_at]) {
      const saved = await put({ kind, content: late, base_updated_at: base });
      expect(saved.statusCode).toBe(204);
    }
    expect(await drafts()).toEqual([]);
    const next = (await put({ kind, content: 'Yes, it was.', base_updated_at: null })).json();
    // A person who goes back to the beginning of the text is not late.
    const back = await put({ kind, content: late, base_updated_at: next.updated_at });
    expect(back.statusCode).toBe(200);
    expect(await drafts()).toMatchObject([{ content: late }]);
  });

  test('a save that waits for the reply to be stored finds it sent', async () => {
    const { id } = await open();
    const content = 'Yes, it is covered.';
    const text = { kind: 'reply', actions: null, base: null, content } as const;
    const late = await database.transaction().execute(async (transaction) => {
      await storeMessage(transaction, {
        ...{ workspaceId, personId, conversationId: id, content, metadata: null },
        ...{ role: 'agent', author: 'ann@acme.example', now: runtime.clock.now() },
      });
      await endDraft(transaction, {
        ...{ ...person, conversationId: id, kind: 'reply', content },
        now: runtime.clock.now(),
      });
      return { save: saveDraft(stores, person, id, text) };
    });
    expect(await late.save).toBeNull();
    expect(await readDrafts(database, person, id)).toEqual([]);
  });

  test('the sessions of the person are told, and nobody else’s', async () => {
    const { id, put } = await open();
    const ben = await signInPerson(server, { email: 'ben@acme.example', role: 'agent', ownerId });
    const benId = String((await ben.call('GET', '/admin/v1/me')).json().person.id);
    const heard: string[] = [];
    const listen = (who: string, listener: string) =>
      runtime.presence.listen(
        { workspaceId, personId: listener },
        {
          onNotice: (notice) => {
            if (notice?.kind === 'draft') heard.push(`${who} ${notice.id} ${notice.change}`);
          },
          onPeople: () => {},
        },
      );
    const stops = [await listen('ann', personId), await listen('ben', benId)];
    await put({ content: 'Hi' });
    await expect.poll(() => heard).toEqual([`ann ${id} ${workspaceId} new`]);
    for (const stop of stops) stop();
  });
});
