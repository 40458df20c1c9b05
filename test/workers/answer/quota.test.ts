import { describe, expect, test, vi } from 'vitest';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../helpers/stores/open-test-pipeline.ts';

describe.each(testEngines)('the monthly message quota on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const pipeline = await openTestPipeline({ environment });
  const { platform, receive, runtime, workspace } = pipeline;
  await pipeline.start();
  const sentTo = (chat: string) => platform.sent.filter((part) => part.chat === chat).map(({ text }) => text);
  const settled = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
  const used = async () => {
    const row = await runtime.database.kysely
      .selectFrom('owner_usage')
      .select('messages')
      .where('owner_id', '=', workspace.owner)
      .executeTakeFirst();
    return row?.messages ?? 0;
  };
  const useUp = () => runtime.database.pool.query('update owner_usage set messages = 1000000');

  test('counts questions in channels, but not greetings or requests for a person', async () => {
    await receive({ id: '1', chat: 'a', text: 'What do you sell?' });
    await settled(() => expect(sentTo('a').length).toBeGreaterThan(0));
    expect(await used()).toBe(1);
    await receive({ id: '2', chat: 'b', command: 'start' }, { id: '3', chat: 'c', command: 'human' });
    await settled(() => expect([...sentTo('b'), ...sentTo('c')].length).toBeGreaterThanOrEqual(2));
    expect(await used()).toBe(1);
  });

  test('hands over to a person when it is exhausted', async () => {
    await useUp();
    await receive({ id: '4', chat: 'd', text: 'What do you sell?' });
    await settled(() => expect(sentTo('d').join('')).toMatch(/passed this conversation on/));
    const said = (await pipeline.messages()).filter(({ session_id }) => session_id?.endsWith(':d'));
    expect(said[0]).toMatchObject({ content: 'What do you sell?', status: 'escalated' });
  });

  test('says so when it is exhausted and no person can be reached', async () => {
    await useUp();
    await runtime.workspaces.update(workspace.id, { settings: { skills: [] } });
    await receive({ id: '5', chat: 'e', text: 'What do you sell?' });
    await settled(() => expect(sentTo('e').join('')).toMatch(/cannot answer questions at the moment/));
  });

  test('counts unlimited messages together with the stored answers, in one batch', async () => {
    const { workspaces, quota } = runtime;
    await workspaces.update(workspace.id, { plan: 'enterprise' });
    const before = await used();
    const reserve = vi.spyOn(quota, 'reserve');
    const chats = Array.from({ length: 10 }, (_, index) => `f${index}`);
    await receive(...chats.map((chat) => ({ id: chat, chat, text: 'What do you sell?' })));
    for (const chat of chats) await settled(() => expect(sentTo(chat)).not.toEqual([]));
    await receive({ id: '6', chat: 'f0', text: 'And where?' }, { id: '7', chat: 'g', command: 'start' });
    await settled(() => expect(sentTo('g')).not.toEqual([]));
    await settled(async () => expect(await used()).toBe(before + 11));
    expect(reserve).not.toHaveBeenCalled();
  });
});
