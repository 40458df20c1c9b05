import { expect } from 'vitest';
import type { ApiClient } from './api-client.ts';

interface Walked {
  readonly workspace_id: string;
  readonly document_id: string;
  /** A test question of the workspace. */
  readonly question_id: string;
}

/** Calls each operation of change sets once. */
export async function walkChanges(
  operator: ApiClient,
  { workspace_id, document_id, question_id }: Walked,
): Promise<void> {
  const base = '/admin/v1/workspaces/{workspace_id}/change-sets';
  const one = `${base}/{change_set_id}` as const;
  const inWorkspace = { params: { path: { workspace_id } } };
  const change = { kind: 'settings', settings: { strictness: 'fallback' } } as const;
  const made = await operator.POST(base, { ...inWorkspace, body: { name: 'Autumn', change } });
  expect([made.response.status, made.data?.items.length]).toEqual([201, 1]);
  const change_set_id = made.data?.id ?? '';
  const path = { workspace_id, change_set_id };
  const renamed = await operator.PATCH(one, { params: { path }, body: { name: 'Winter' } });
  expect(renamed.data?.name).toBe('Winter');
  const removal = { kind: 'document_removed', document_id } as const;
  const staged = await operator.POST(`${one}/changes`, { params: { path }, body: { change: removal } });
  const item_id = staged.data?.items.at(-1)?.id ?? '';
  const taken = await operator.DELETE(`${one}/changes/{item_id}`, { params: { path: { ...path, item_id } } });
  expect(taken.data?.items).toHaveLength(1);
  expect((await operator.POST(`${one}/take-over`, { params: { path } })).response.status).toBe(200);
  const tried = await operator.POST(`${one}/trials`, { params: { path } });
  expect(tried.response.status).toBe(202);
  await operator.POST('/admin/v1/workspaces/{workspace_id}/test-runs/{run_id}/cancel', {
    params: { path: { workspace_id, run_id: tried.data?.run_id ?? '' } },
  });
  const judged = await operator.PUT(`${one}/answers/{question_id}`, {
    params: { path: { ...path, question_id } },
    body: { verdict: 'fine' },
  });
  // A worker may have asked the question before the run was cancelled.
  expect([200, 404]).toContain(judged.response.status);
  expect((await operator.GET(one, { params: { path } })).data?.trial?.state).toBe('cancelled');
  expect((await operator.POST(`${one}/publish`, { params: { path } })).data?.state).toBe('published');
  expect((await operator.POST(`${one}/undo`, { params: { path } })).data?.state).toBe('undone');
  const other = await operator.POST(base, { ...inWorkspace, body: { name: 'Spring' } });
  const spring = { workspace_id, change_set_id: other.data?.id ?? '' };
  expect((await operator.DELETE(one, { params: { path: spring } })).response.status).toBe(204);
  const listed = await operator.GET(base, inWorkspace);
  expect(listed.data?.change_sets.map(({ name }) => name)).toEqual(['Winter']);
}
