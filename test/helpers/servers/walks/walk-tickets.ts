import { expect } from 'vitest';
import type { ApiClient } from './api-client.ts';

/** Imports tickets of another help desk as an owner does. No worker runs, so that none of them is answered. */
export async function walkTickets(operator: ApiClient, workspace_id: string): Promise<void> {
  const base = '/admin/v1/workspaces/{workspace_id}/ticket-imports';
  const form = new FormData();
  form.append('file', new Blob(['[]']), 'tickets.json');
  const created = await operator.POST(base, {
    params: { path: { workspace_id }, query: { audience: ['staff'] } },
    body: { file: 'tickets.json' },
    bodySerializer: () => form,
  });
  expect([created.response.status, created.data?.state]).toEqual([202, 'reading']);
  const import_id = created.data?.id ?? '';
  const one = { params: { path: { workspace_id, import_id } } };
  const listed = await operator.GET(base, { params: { path: { workspace_id } } });
  expect(listed.data?.imports.map(({ id }) => id)).toEqual([import_id]);
  const shown = await operator.GET(`${base}/{import_id}`, one);
  expect(shown.data?.report).toMatchObject({ questions: 0, answered: null });
  expect((await operator.GET(`${base}/{import_id}/tickets`, one)).data?.tickets).toEqual([]);
  expect((await operator.GET(`${base}/{import_id}/unjudged`, one)).data?.tickets).toEqual([]);
  const judged = await operator.PUT(`${base}/{import_id}/tickets/{ticket_id}/judgement`, {
    params: { path: { workspace_id, import_id, ticket_id: 'tick_1' } },
    body: { judgement: 'right' },
  });
  expect(judged.response.status).toBe(404);
  expect((await operator.POST(`${base}/{import_id}/cancel`, one)).response.status).toBe(204);
  expect((await operator.DELETE(`${base}/{import_id}`, one)).response.status).toBe(204);
}
