import { expect, test } from 'vitest';
import { z } from 'zod';
import { writeCursor } from '../../../core/base/pagination.ts';
import { buildApp } from '../../../server/app.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { checkAnswers } from '../../helpers/servers/openapi/check-answers.ts';

const server = await openTestServer();
const shop = await server.makeWorkspace();
for (const name of ['one', 'two', 'three'])
  await server.operate('POST', `/workspaces/${shop.id}/keys`, { name });

const page = z.object({ pagination: z.object({ next_cursor: z.string() }) });
const list = (cursor?: string) =>
  server.operate(
    'GET',
    `/workspaces/${shop.id}/keys?limit=1${cursor === undefined ? '' : `&cursor=${cursor}`}`,
  );

test('lists of the API continue with sealed cursors, also for HEAD requests', async () => {
  const first = page.parse((await list()).json()).pagination.next_cursor;
  const second = await list(first);
  expect(second.statusCode).toBe(200);
  expect(page.parse(second.json()).pagination.next_cursor).not.toBe(first);
  const head = await server.app.inject({
    method: 'HEAD',
    url: `/admin/v1/workspaces/${shop.id}/keys?limit=1&cursor=${first}`,
    headers: { authorization: `Bearer ${server.runtime.installation.adminToken}` },
  });
  expect(head.statusCode).toBe(200);
});

test('rejects a cursor that was computed without the key of the installation', async () => {
  const forged = writeCursor(`api keys of ${shop.id}`, ['2026-01-01T00:00:00.000Z', 'key_1']);
  const refused = await list(forged);
  expect([refused.statusCode, refused.json().code]).toEqual([422, 'invalid_cursor']);
});

test('a cursor of one server works at another of the installation', async () => {
  const other = buildApp(server.runtime);
  checkAnswers(other);
  const { next_cursor } = page.parse((await list()).json()).pagination;
  const answer = await other.inject({
    url: `/admin/v1/workspaces/${shop.id}/keys?limit=1&cursor=${next_cursor}`,
    headers: { authorization: `Bearer ${server.runtime.installation.adminToken}` },
  });
  expect(answer.statusCode).toBe(200);
  await other.close();
});

test('ignores a parameter named cursor on a route without pages', async () => {
  expect((await server.app.inject({ url: '/healthz?cursor=anything' })).statusCode).toBe(200);
});
