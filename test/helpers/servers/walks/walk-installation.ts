import { expect } from 'vitest';
import type { ApiClient } from './api-client.ts';

/** Looks at the whole installation as its operator does. */
export async function walkInstallation(operator: ApiClient, workspaceId: string): Promise<void> {
  const overview = await operator.GET('/admin/v1/installation');
  expect(overview.data?.parts.map(({ part }) => part)).toContain('database');
  const found = await operator.GET('/admin/v1/installation/workspaces', {
    params: { query: { search: workspaceId } },
  });
  expect(found.data?.workspaces.map(({ id }) => id)).toEqual([workspaceId]);
  const lost = await operator.GET('/admin/v1/installation/message', {
    params: { query: { id: 'msg_none' } },
  });
  expect([lost.response.status, lost.error?.code]).toEqual([404, 'message_not_found']);
  const copied = await operator.POST('/admin/v1/installation/copies', {});
  expect([201, 409]).toContain(copied.response.status);
  await walkFailures(operator);
}

async function walkFailures(operator: ApiClient): Promise<void> {
  const groups = await operator.GET('/admin/v1/installation/failures', {
    params: { query: { queue: 'deliver' } },
  });
  expect(groups.data?.groups).toEqual([]);
  const started = await operator.POST('/admin/v1/installation/failure-actions', {
    body: { kind: 'retry', queue: 'deliver', filter: {} },
  });
  expect([started.response.status, started.data?.state]).toEqual([202, 'finished']);
  const action_id = started.data?.id ?? '';
  const listed = await operator.GET('/admin/v1/installation/failure-actions');
  expect(listed.data?.actions.map(({ id }) => id)).toContain(action_id);
  const stopped = await operator.POST('/admin/v1/installation/failure-actions/{action_id}/stop', {
    params: { path: { action_id } },
  });
  expect(stopped.data?.state).toBe('finished');
}
