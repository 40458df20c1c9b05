import { expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { operate, runtime, makeWorkspace } = await openTestServer();

test('documents can be added and deleted while the queue is unavailable', async () => {
  const { id } = await makeWorkspace();
  const path = `/workspaces/${id}/documents`;
  const { add } = runtime.queue;
  runtime.queue.add = () => Promise.reject(new AppError('upstream_timeout'));
  const added = await operate('POST', path, { title: 'Parcels', content: 'They take two days.' });
  expect([added.statusCode, added.json()]).toMatchObject([202, { status: 'queued' }]);
  expect((await operate('DELETE', `${path}/${added.json().id}`)).statusCode).toBe(204);
  runtime.queue.add = add;
});
