import { expect } from 'vitest';
import type { ApiClient } from './api-client.ts';

const base = '/admin/v1/workspaces/{workspace_id}/sources';

/** Calls what the screens of sources call. `folder` is one that the installation allows. */
export async function walkSources(operator: ApiClient, workspace_id: string, folder: string): Promise<void> {
  const params = { path: { workspace_id } };
  const kinds = await operator.GET('/admin/v1/source-kinds', {});
  expect(kinds.data?.kinds.find(({ kind }) => kind === 'folder')).toMatchObject({ unavailable: null });
  const what = { kind: 'folder', settings: { path: folder } };
  const preview = await operator.POST(`${base}/preview`, { params, body: what });
  expect(preview.data).toMatchObject({ is_whole: true, failure: null });
  const made = await operator.POST(base, { params, body: { name: 'Handbook', ...what, run: false } });
  expect(made.data).toMatchObject({ kind: 'folder', has_credentials: false, paused: false, last_run: null });
  const one = { path: { workspace_id, source_id: made.data?.id ?? '' } };
  expect((await operator.GET(base, { params })).data?.sources).toHaveLength(1);
  const changed = await operator.PATCH(`${base}/{source_id}`, { params: one, body: { name: 'Manual' } });
  expect(changed.data?.name).toBe('Manual');
  expect((await operator.GET(`${base}/{source_id}`, { params: one })).data).toEqual(changed.data);
  const statuses = [
    await operator.POST(`${base}/{source_id}/pause`, { params: one }),
    await operator.POST(`${base}/{source_id}/run`, { params: one }),
    await operator.POST(`${base}/{source_id}/resume`, { params: one }),
    await operator.POST(`${base}/{source_id}/run`, { params: one }),
    await operator.POST(`${base}/{source_id}/run`, { params: one }),
    await operator.POST(`${base}/{source_id}/cancel`, { params: one }),
    await operator.POST(`${base}/{source_id}/cancel`, { params: one }),
    await operator.POST(`${base}/{source_id}/apply`, { params: one }),
    await operator.POST(`${base}/{source_id}/discard`, { params: one }),
  ].map(({ response }) => response.status);
  expect(statuses).toEqual([200, 409, 200, 202, 409, 200, 409, 409, 409]);
  const runs = await operator.GET(`${base}/{source_id}/runs`, { params: one });
  expect(runs.data?.runs).toMatchObject([{ number: 1, state: 'cancelled', started_by: 'operator' }]);
  expect((await operator.GET(`${base}/{source_id}/items`, { params: one })).data?.items).toEqual([]);
  const removed = await operator.DELETE(`${base}/{source_id}`, {
    params: { ...one, query: { documents: 'delete' } },
  });
  expect(removed.response.status).toBe(204);
}
