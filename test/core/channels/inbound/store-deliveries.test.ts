import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { leaseLaneWork } from '../../../../core/channels/inbound/lane-work.ts';
import { storeDeliveries } from '../../../../core/channels/inbound/receive-deliveries.ts';
import { deliveryOf } from '../../../helpers/platforms/fake/channel.ts';
import { rowsScanned } from '../../../helpers/stores/databases/rows-scanned.ts';
import { createDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../../helpers/stores/open-test-pipeline.ts';

/** After this many executions a session switches to a generic plan. */
const untilPlanned = 8;

describe.each(testEngines)('stored deliveries on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const { runtime, channel } = await openTestPipeline({ environment });
  const { kysely } = runtime.database;

  test('are stored without reading other lanes of their channel', async () => {
    const now = runtime.clock.now();
    await kysely.transaction().execute(async (transaction) => {
      await sql`
        insert into lane (channel_id, lane, workspace_id)
        select ${channel.id}, 'known ' || number, ${channel.workspaceId} from generate_series(1, 3000) as number
      `.execute(transaction);
      await sql`analyze lane`.execute(transaction);
      const before = await rowsScanned(transaction, 'lane');
      for (let index = 0; index < untilPlanned; index += 1) {
        const lane = `lane ${index}`;
        const token = `token ${index}`;
        const deliveries = [deliveryOf({ id: lane, chat: lane })];
        await storeDeliveries(transaction, { channel, deliveries, leaseRequests: [{ lane, token }], now });
        await leaseLaneWork(transaction, [{ channelId: channel.id, lane, token }], now);
      }
      expect((await rowsScanned(transaction, 'lane')) - before).toBe(0);
    });
  });
});
