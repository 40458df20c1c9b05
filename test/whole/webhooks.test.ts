import { expect, test } from 'vitest';
import { openWebhookReceiver, verifiedMessage } from '../helpers/servers/network/webhook-receiver.ts';
import { makeFirstWorkspace } from '../helpers/servers/processes/make-first-workspace.ts';
import { runProduct } from '../helpers/servers/processes/run-product.ts';
import { openApiClient } from '../helpers/servers/walks/api-client.ts';
import { testDataFolder } from '../helpers/stores/databases/test-data-folder.ts';

const token = 'a-token-for-the-tests';
const folder = testDataFolder();
const environment = {
  DATA_DIR: folder,
  ADMIN_TOKEN: token,
  EMBEDDING_ENGINE: 'auto',
  ALLOW_PRIVATE_WEBHOOKS: 'true',
};
const hooks = '/admin/v1/workspaces/{workspace_id}/webhooks';

test('a delivery that failed before a kill arrives after it under the same id', async () => {
  const receiver = await openWebhookReceiver();
  receiver.answer = (response) => void response.writeHead(503).end();
  await makeFirstWorkspace(folder);
  const first = await runProduct(environment);
  const operator = openApiClient({ baseUrl: first.address, token });
  const made = await operator.POST('/admin/v1/workspaces', { body: { name: 'Killed' } });
  const path = { workspace_id: made.data?.id ?? '' };
  const key = await operator.POST('/admin/v1/workspaces/{workspace_id}/keys', {
    params: { path },
    body: { name: 'Test' },
  });
  const hook = await operator.POST(hooks, {
    params: { path },
    body: { url: receiver.url, events: ['answer.low_confidence'] },
  });
  const asker = openApiClient({ baseUrl: first.address, token: key.data?.key ?? '' });
  await asker.POST('/v1/query', { body: { query: 'Who is there?' } });
  await receiver.until(1);
  const lastStatus = async () => {
    const { data } = await operator.GET(`${hooks}/{hook_id}/deliveries`, {
      params: { path: { ...path, hook_id: hook.data?.id ?? '' } },
    });
    return data?.deliveries[0]?.last_status;
  };
  await expect.poll(lastStatus).toBe(503);
  await first.end('SIGKILL');
  receiver.answer = (response) => void response.writeHead(204).end();
  const second = await runProduct(environment);
  const [refused, taken] = await receiver.until(2);
  if (refused === undefined || taken === undefined) throw new TypeError('nothing arrived');
  expect(taken.headers['webhook-id']).toBe(refused.headers['webhook-id']);
  expect(taken.body).toBe(refused.body);
  expect(verifiedMessage(hook.data?.secret ?? '', taken).data.question).toBe('Who is there?');
  expect(await second.end('SIGTERM')).toBe(0);
}, 300_000);
