import { expect, test } from 'vitest';
import { releaseStaleLeases } from '../../../../core/channels/inbound/lane.ts';
import { openTestPipeline } from '../../../helpers/stores/open-test-pipeline.ts';

test('work of a process that died continues as soon as the next process starts', async () => {
  const { runtime, channel, platform, receive, start } = await openTestPipeline();
  const { kysely } = runtime.database;
  await receive({ id: '1', chat: 'a', text: 'What do you sell?' });
  await runtime.laneLeases.lease({ channelId: channel.id, lane: 'a', token: 'of the dead' });
  await kysely.updateTable('channel').set({ listening: 'of the dead' }).execute();
  await releaseStaleLeases(kysely);
  await start();
  await expect.poll(() => platform.sent, { timeout: 5_000 }).not.toEqual([]);
  const rows = await kysely.selectFrom('channel').select('listening').execute();
  expect(rows.filter(({ listening }) => listening !== null)).toEqual([]);
});
