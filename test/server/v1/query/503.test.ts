import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { QuestionHold } from '../../../helpers/servers/questions/question-hold.ts';
import { sendQuery } from '../../../helpers/servers/questions/send-query.ts';
import { startPostgres } from '../../../helpers/stores/databases/start-postgres.ts';

const folder = mkdtempSync(join(dirname(inject('templateFolder')), '503-'));
const postgres = await startPostgres(join(folder, 'postgres'));
const body = { query: 'Do you sell socks?' };

describe.skipIf(postgres === null)('an unavailable database', async () => {
  const logged: { level: number; msg: string }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const hold = new QuestionHold();
  const { app, query, makeWorkspace } = await openTestServer({
    runtime: { environment: { DATABASE_URL: postgres?.url ?? '' } },
    alter: ({ embedder }) => ({ log, embedder: hold.around(embedder) }),
  });
  afterAll(async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const { key } = await makeWorkspace();
  const unavailable = {
    code: 'storage_unavailable',
    detail: expect.stringContaining('Retry after'),
    request_id: expect.stringMatching(/^req_/),
  };

  test('fails with storage_unavailable during and before a request, until the database is back', async () => {
    hold.begin();
    const inFlight = sendQuery(app, { key, body, idempotencyKey: 'retry-1' });
    await hold.arrived(1);
    await postgres?.stop();
    hold.end();
    const cut = await inFlight;
    expect([cut.statusCode, cut.json()]).toEqual([503, unavailable]);
    expect(cut.headers['x-ratelimit-limit-minute']).toBe('1000');
    expect(cut.headers['retry-after']).toBe('5');
    const refused = await query(key, body);
    expect([refused.statusCode, refused.json()]).toEqual([503, unavailable]);
    expect(logged.filter(({ msg }) => msg === 'request failed')).toHaveLength(2);
    postgres?.start();
    expect((await query(key, body)).statusCode).toBe(200);
  });
});
