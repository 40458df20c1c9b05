import { describe, expect, test, vi } from 'vitest';
import type { AnswerWriter } from '../../../core/contract/answer-writer.ts';
import { Authority } from '../../../core/members/authority.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../helpers/stores/open-test-pipeline.ts';

describe.each(testEngines)('a disabled channel on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const asked: string[] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const writer: AnswerWriter = {
    async *write({ question }) {
      asked.push(question);
      if (question === 'first') await held;
      yield { text: `You asked: ${question}` };
    },
  };
  const pipeline = await openTestPipeline({
    environment,
    settings: { strictness: 'fallback' },
    alter: () => ({ writer }),
  });
  const { platform, receive, runtime, channel, workspace } = pipeline;
  const settled = (check: () => unknown) => vi.waitFor(check, { timeout: 25_000, interval: 50 });
  const waiting = () =>
    runtime.database.kysely
      .selectFrom('inbound_event')
      .select('event_id')
      .where('handled_at', 'is', null)
      .execute();

  test('keeps events and parts and handles them when it is enabled again', async () => {
    await pipeline.start();
    await receive({ id: '1', chat: 'a', text: 'first' });
    await settled(() => expect(asked).toEqual(['first']));
    await runtime.channels.change(Authority.operator(workspace), channel.id, { enabled: false });
    await receive({ id: '2', chat: 'b', text: 'second' });
    release();
    await settled(async () =>
      expect((await pipeline.parts()).map(({ status }) => status)).toEqual(['waiting']),
    );
    expect(platform.sent).toEqual([]);
    expect(await waiting()).toEqual([{ event_id: '2' }]);
    await runtime.channels.change(Authority.operator(workspace), channel.id, { enabled: true });
    // On start, workers look for work that is older than the grace period.
    const { pool } = runtime.database;
    await pool.query(`update inbound_event set settled_at = settled_at - interval '1 minute'`);
    await pool.query(`update outbound_part set next_attempt_at = next_attempt_at - interval '1 minute'`);
    await pipeline.stop();
    await pipeline.start();
    await settled(() =>
      expect(platform.sent.map(({ text }) => text).toSorted()).toEqual([
        'You asked: first',
        'You asked: second',
      ]),
    );
    expect(await waiting()).toEqual([]);
  });
});
