import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { AnswerWriter } from '../../../core/contract/answer-writer.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../helpers/stores/open-test-pipeline.ts';

describe.each(testEngines)('a streamed draft on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  let rest = Promise.resolve();
  const writer: AnswerWriter = {
    async *write() {
      yield { text: 'One. ' };
      await rest;
      yield { text: 'Two.' };
    },
  };
  const pipeline = await openTestPipeline({
    environment,
    settings: { strictness: 'fallback' },
    alter: () => ({ writer }),
  });
  const { platform, receive, runtime, channel } = pipeline;
  await pipeline.start();
  const sentTo = (chat: string) => platform.sent.filter((part) => part.chat === chat).map(({ text }) => text);
  const draftIn = (chat: string) => platform.drafts.filter((draft) => draft.chat === chat);
  const settled = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 10 });
  let number = 0;
  const say = (chat: string) => {
    number += 1;
    return receive({ id: `s${number}`, chat, text: 'What?' });
  };
  const holdBack = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    rest = promise;
    return resolve;
  };

  beforeEach(() => {
    platform.streams = true;
    platform.replaceable = true;
    rest = Promise.resolve();
  });

  test('is replaced by the complete answer', async () => {
    const release = holdBack();
    await say('a');
    await settled(() => expect(draftIn('a')).toMatchObject([{ texts: ['One. '], ended: null }]));
    expect(sentTo('a')).toEqual([]);
    release();
    await settled(() => expect(draftIn('a')).toMatchObject([{ ended: 'sent' }]));
    expect(sentTo('a')).toEqual(['One. Two.']);
    await settled(async () =>
      expect((await pipeline.parts()).at(-1)).toMatchObject({ status: 'sent', attempts: 1 }),
    );
  });

  test('is not shown if the workspace disables it', async () => {
    platform.streams = false;
    const release = holdBack();
    await say('c');
    release();
    await settled(() => expect(sentTo('c')).toEqual(['One. Two.']));
    expect(draftIn('c')).toEqual([]);
  });

  test('is deleted if an agent takes over before it is complete', async () => {
    await say('d');
    await settled(() => expect(sentTo('d')).toHaveLength(1));
    const release = holdBack();
    await say('d');
    await settled(() => expect(draftIn('d').at(-1)).toMatchObject({ texts: ['One. '], ended: null }));
    await runtime.database.kysely
      .updateTable('conversation')
      .set({ status: 'claimed' })
      .where('session_id', '=', `${channel.id}:d`)
      .execute();
    release();
    await settled(() => expect(draftIn('d').at(-1)).toMatchObject({ ended: 'discarded' }));
    expect(sentTo('d')).toHaveLength(1);
  });

  test('is followed by a new message if the draft no longer exists', async () => {
    platform.replaceable = false;
    const release = holdBack();
    await say('e');
    await settled(() => expect(draftIn('e')).toHaveLength(1));
    release();
    await settled(() => expect(sentTo('e')).toEqual(['One. Two.']));
  });

  test('is adopted from a process that died before the answer was complete', async () => {
    platform.drafts.push({ chat: 'f', texts: ['One.'], ended: null });
    const state = platform.drafts.length - 1;
    await pipeline.stop();
    await say('f');
    await runtime.database.pool.query(`update lane set draft = $1::jsonb where lane = 'f'`, [`${state}`]);
    await pipeline.start();
    await settled(() => expect(draftIn('f')).toMatchObject([{ texts: ['One.'], ended: 'sent' }]));
    expect(sentTo('f')).toEqual(['One. Two.']);
    const { rows } = await runtime.database.pool.query(`select draft from lane where lane = 'f'`);
    expect(rows).toEqual([{ draft: null }]);
  });
});
