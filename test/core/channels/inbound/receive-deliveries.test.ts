import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { AnswerWriter } from '../../../../core/contract/answer-writer.ts';
import { createDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../../helpers/stores/open-test-pipeline.ts';

describe.each(testEngines)('received deliveries on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const hold = { until: Promise.resolve() };
  const asked: string[] = [];
  const writer: AnswerWriter = {
    async *write({ question }) {
      asked.push(question);
      await hold.until;
      yield { text: `You asked: ${question}` };
    },
  };
  const { runtime, platform, receive, start, stop } = await openTestPipeline({
    environment,
    settings: { strictness: 'fallback' },
    alter: () => ({ writer }),
  });
  const { kysely } = runtime.database;
  const taking = vi.spyOn(runtime.laneLeases, 'lease');
  const sentTo = (chat: string) => platform.sent.filter((part) => part.chat === chat).map(({ text }) => text);
  const answered = (chat: string, ...questions: readonly string[]) =>
    expect.poll(() => sentTo(chat)).toEqual(questions.map((question) => `You asked: ${question}`));
  const holderOf = async (lane: string) => {
    const row = await kysely.selectFrom('lane').select('holder').where('lane', '=', lane).executeTakeFirst();
    return row?.holder;
  };
  const letGo = (lane: string) => expect.poll(() => holderOf(lane)).toBeNull();

  beforeEach(async () => {
    await stop();
    taking.mockClear();
    asked.length = 0;
    hold.until = Promise.resolve();
  });

  test('acquire their lane while they are stored if a worker has a free slot, new and known lanes alike', async () => {
    await start();
    for (const id of ['1', '2']) {
      const held = Promise.withResolvers<void>();
      hold.until = held.promise;
      await receive({ id, chat: 'a', text: id });
      expect(await holderOf('a')).toEqual(expect.any(String));
      held.resolve();
      await letGo('a');
    }
    await answered('a', '1', '2');
    expect(taking).not.toHaveBeenCalled();
  });

  test('leave their lane to other processes if no worker runs here', async () => {
    await receive({ id: '3', chat: 'b', text: 'parcels' });
    expect(await holderOf('b')).toBeNull();
  });

  test('leave their lane to its holder, who continues with them', async () => {
    await start();
    const held = Promise.withResolvers<void>();
    hold.until = held.promise;
    await receive({ id: '4', chat: 'c', text: 'c first' });
    const holder = await holderOf('c');
    await expect.poll(() => asked).toContain('c first');
    await receive({ id: '5', chat: 'c', text: 'c second' });
    expect(await holderOf('c')).toBe(holder);
    held.resolve();
    await answered('c', 'c first', 'c second');
  });

  test('let other lanes go first if those wait', async () => {
    await start();
    const held = Promise.withResolvers<void>();
    hold.until = held.promise;
    const crowded = vi.spyOn(runtime.queue, 'isCrowded').mockReturnValue(true);
    const adding = vi.spyOn(runtime.queue, 'add');
    await receive({ id: '11', chat: 'h', text: 'h first' });
    await expect.poll(() => asked).toContain('h first');
    await receive({ id: '12', chat: 'h', text: 'h second' });
    await expect.poll(() => taking.mock.calls).toHaveLength(1);
    adding.mockClear();
    held.resolve();
    await answered('h', 'h first', 'h second');
    const ids = adding.mock.calls.map(([, id]) => id);
    expect(ids).toEqual([expect.stringContaining('-turn-')]);
    crowded.mockRestore();
    adding.mockRestore();
  });

  test('acquire no lane if they are repeated', async () => {
    await start();
    const told = { id: '6', chat: 'd', text: 'once' };
    await receive(told);
    await answered('d', 'once');
    await letGo('d');
    expect(await receive(told)).toEqual([]);
    expect(await holderOf('d')).toBeNull();
  });

  test('are answered at once beside other work of their channel', async () => {
    await start();
    const chats = Array.from({ length: 100 }, (_, index) => `e${index}`);
    await receive(...chats.map((chat) => ({ id: chat, chat, text: 'pods' })));
    for (const chat of chats) await answered(chat, 'pods');
  });

  test('are finished before the workers stop', async () => {
    await start();
    const held = Promise.withResolvers<void>();
    hold.until = held.promise;
    await receive({ id: '8', chat: 'f', text: 'prices' });
    const stopped = stop();
    held.resolve();
    await stopped;
    await answered('f', 'prices');
    expect(await holderOf('f')).toBeNull();
  });

  test.runIf(engine === 'postgres')('do not wait for a transaction that has locked their lane', async () => {
    await start();
    await receive({ id: '9', chat: 'g', text: 'one' });
    await answered('g', 'one');
    await letGo('g');
    await kysely.transaction().execute(async (transaction) => {
      await transaction.updateTable('lane').set({ reachable: true }).where('lane', '=', 'g').execute();
      await receive({ id: '10', chat: 'g', text: 'two' });
    });
    await answered('g', 'one', 'two');
  });
});
