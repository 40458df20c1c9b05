import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { reserveBudget } from '../../../../core/channels/outbound/send-budgets.ts';
import type { Budget } from '../../../../core/contract/outbound.ts';
import { rowsScanned } from '../../../helpers/stores/databases/rows-scanned.ts';
import { createDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../../helpers/stores/open-test-pipeline.ts';

describe.each(testEngines)('send budgets on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const { runtime, channel, addChild } = await openTestPipeline({ environment });
  const reserve = (...budgets: readonly Budget[]) =>
    reserveBudget(
      runtime.database.kysely,
      budgets.map((budget) => ({ channelId: channel.id, ...budget })),
    );

  test('allow one message per interval', async () => {
    const chat = { key: 'a', everyMs: 60_000, burst: 1 };
    expect(await reserve(chat)).toBeNull();
    const wait = await reserve(chat);
    expect(wait?.budget).toMatchObject(chat);
    expect(wait?.waitMs).toBeGreaterThan(50_000);
    expect(wait?.waitMs).toBeLessThanOrEqual(60_000);
  });

  test('allow a burst after a pause', async () => {
    const chat = { key: 'b', everyMs: 60_000, burst: 3 };
    const waits = [await reserve(chat), await reserve(chat), await reserve(chat), await reserve(chat)];
    expect(waits.map((wait) => wait === null)).toEqual([true, true, true, false]);
  });

  test('reserve nothing in one budget while another is exhausted', async () => {
    const account = { key: 'account', everyMs: 60_000, burst: 2 };
    const chat = { key: 'c', everyMs: 60_000, burst: 1 };
    expect(await reserve(chat, account)).toBeNull();
    expect(await reserve(chat, account)).toMatchObject({ budget: chat });
    expect(await reserve({ ...chat, key: 'd' }, account)).toBeNull();
  });

  test('report the budget with the longest wait', async () => {
    const account = { key: 'slow account', everyMs: 90_000, burst: 1 };
    const chat = { key: 'f', everyMs: 60_000, burst: 1 };
    expect(await reserve(chat, account)).toBeNull();
    expect(await reserve(chat, account)).toMatchObject({ budget: account });
  });

  test('hold for many concurrent callers', async () => {
    const chat = { key: 'e', everyMs: 60_000, burst: 5 };
    const waits = await Promise.all(Array.from({ length: 20 }, () => reserve(chat)));
    expect(waits.filter((wait) => wait === null)).toHaveLength(5);
  });

  test('are separate for each channel, and shared under the same channel and key', async () => {
    const child = await addChild();
    const own = (channelId: string) => ({ channelId, key: 'own', everyMs: 90_000, burst: 1 });
    const common = { channelId: channel.id, key: 'common', everyMs: 60_000, burst: 2 };
    const ask = (channelId: string) => reserveBudget(runtime.database.kysely, [own(channelId), common]);
    expect([await ask(channel.id), await ask(child)]).toEqual([null, null]);
    expect(await ask(child)).toMatchObject({ budget: own(child) });
    expect(await ask(await addChild())).toMatchObject({ budget: common });
  });

  test('are found without reading the budgets of other chats', async () => {
    await runtime.database.kysely.transaction().execute(async (transaction) => {
      await sql`
        insert into send_budget (channel_id, key, spoken_until)
        select ${channel.id}, 'known ' || number, now() from generate_series(1, 3000) as number
      `.execute(transaction);
      await sql`analyze send_budget`.execute(transaction);
      const before = await rowsScanned(transaction, 'send_budget');
      for (const key of ['known 1', 'known 2', 'known 3', 'g', 'h', 'i', 'j', 'k']) {
        expect(
          await reserveBudget(transaction, [{ channelId: channel.id, key, everyMs: 60_000, burst: 1 }]),
        ).toBeNull();
      }
      expect((await rowsScanned(transaction, 'send_budget')) - before).toBe(0);
    });
  });
});
