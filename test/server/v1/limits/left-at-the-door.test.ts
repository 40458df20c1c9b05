import { request as httpRequest } from 'node:http';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { Admission } from '../../../../core/limits/admission.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const door = { arrived: Promise.withResolvers<void>(), open: Promise.withResolvers<void>() };

class SlowDoor extends Admission {
  override async admit(...given: Parameters<Admission['admit']>) {
    const admitted = await super.admit(...given);
    door.arrived.resolve();
    await door.open.promise;
    return admitted;
  }
}

const { app, runtime, makeWorkspace } = await openTestServer({
  alter: ({ database, clock, log, processes }) => ({
    admission: new SlowDoor({ database: database.kysely, clock, log, processId: processes.id }),
  }),
});

test('a request whose client disconnects during the key lookup is no longer in flight', async () => {
  const { key } = await makeWorkspace();
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/v1/query', headers });
  const failed = new Promise((resolve) => request.once('error', resolve));
  const gone = new Promise((resolve) =>
    app.server.once('request', (_request, response) => response.once('close', resolve)),
  );
  request.write('{"query":');
  await door.arrived.promise;
  request.destroy();
  await Promise.all([failed, gone]);
  const inFlight = async () => {
    const { rows } = await sql<{ requests: number }>`
      select coalesce(sum(requests), 0)::int as requests from key_in_flight
    `.execute(runtime.database.kysely);
    return rows[0]?.requests;
  };
  expect(await inFlight()).toBe(1);
  door.open.resolve();
  await expect.poll(inFlight).toBe(0);
});
