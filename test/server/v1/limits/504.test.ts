import { expect, test } from 'vitest';
import { Admission } from '../../../../core/limits/admission.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const door = Promise.withResolvers<void>();
const ended: string[] = [];

class StuckDoor extends Admission {
  override async admit(...given: Parameters<Admission['admit']>) {
    await door.promise;
    const admitted = await super.admit(...given);
    return {
      ...admitted,
      end: () => {
        ended.push(admitted.holder.name);
        admitted.end();
      },
    };
  }
}

const { query, makeWorkspace } = await openTestServer({
  app: { queryTimeoutMs: 100 },
  alter: ({ database, clock, log, processes }) => ({
    admission: new StuckDoor({ database: database.kysely, clock, log, processId: processes.id }),
  }),
});

test('a slow key lookup ends with a timeout and holds no slot afterwards', async () => {
  const { key } = await makeWorkspace();
  const response = await query(key, { query: 'Do you sell socks?' });
  expect([response.statusCode, response.json().code]).toEqual([504, 'request_timeout']);
  expect(ended).toEqual([]);
  door.resolve();
  await expect.poll(() => ended).toEqual(['Test']);
});
