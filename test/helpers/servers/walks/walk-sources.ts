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
  await walkBeside(operator, workspace_id, made.data?.id ?? '');
  const removed = await operator.DELETE(`${base}/{source_id}`, {
    params: { ...one, query: { documents: 'delete' } },
  });
  expect(removed.response.status).toBe(204);
}

/** The ledger, its rules, named changes and the webhook of a source that has no pages and whose kind sends no webhooks. */
async function walkBeside(operator: ApiClient, workspace_id: string, source_id: string): Promise<void> {
  const one = { path: { workspace_id, source_id } };
  const block = { key: 'page', block: 'bnothing', action: 'keep', pages: 'this' } as const;
  const rule = { path: { ...one.path, rule_id: 'rule_01m8eetddcm69yhpdb24mnjprq' } };
  const statuses = [
    await operator.GET(`${base}/{source_id}/ledger`, { params: { ...one, query: { key: 'page' } } }),
    await operator.POST(`${base}/{source_id}/rules`, { params: one, body: block }),
    await operator.GET(`${base}/{source_id}/rules`, { params: one }),
    await operator.DELETE(`${base}/{source_id}/rules/{rule_id}`, { params: rule }),
    await operator.POST(`${base}/{source_id}/changed`, { params: one, body: { keys: ['nowhere'] } }),
    await operator.GET(`${base}/{source_id}/webhook`, { params: one }),
    await operator.PUT(`${base}/{source_id}/webhook`, { params: one, body: {} }),
    await operator.POST(`${base}/{source_id}/webhook/secret`, { params: one }),
    await operator.DELETE(`${base}/{source_id}/webhook`, { params: one }),
  ].map(({ response }) => response.status);
  expect(statuses).toEqual([404, 404, 200, 404, 202, 422, 422, 422, 422]);
}
