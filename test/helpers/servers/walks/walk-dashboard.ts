import { expect } from 'vitest';
import type { ApiClient } from './api-client.ts';

const base = '/admin/v1/workspaces/{workspace_id}';

/** Calls what the screens of documents and settings call, and looks at the answers. */
export async function walkDashboard(operator: ApiClient, workspaceId: string): Promise<void> {
  await walkDocuments(operator, workspaceId);
  await walkSettings(operator, workspaceId);
  await walkSnippets(operator, workspaceId);
  await walkKeysAndWebhooks(operator, workspaceId);
}

async function walkDocuments(operator: ApiClient, workspace_id: string): Promise<void> {
  const params = { path: { workspace_id } };
  const added = await operator.POST(`${base}/documents`, {
    params: { ...params, query: { wait: 'true' } },
    body: { title: 'Clay', content: 'Clay dries for two days.' },
  });
  const doc_id = added.data?.id ?? '';
  const one = { path: { workspace_id, doc_id } };
  expect((await operator.GET(`${base}/documents/counts`, { params })).data?.documents).toBeGreaterThan(0);
  const text = await operator.GET(`${base}/documents/{doc_id}/content`, { params: one });
  expect(text.data?.text).toContain('two days');
  const passages = await operator.GET(`${base}/documents/{doc_id}/passages`, { params: one });
  expect(passages.data?.passages).toHaveLength(1);
  const statuses = [
    await operator.PATCH(`${base}/documents/{doc_id}`, { params: one, body: { title: 'Drying' } }),
    await operator.PUT(`${base}/documents/{doc_id}/content`, {
      params: one,
      body: { content: 'Clay dries for three days.', content_type: 'text/plain' },
    }),
    await operator.POST(`${base}/documents/{doc_id}/reindex`, { params: one }),
    await operator.POST(`${base}/documents/fetch`, { params, body: { url: 'http://127.0.0.1:1/page' } }),
    await operator.POST(`${base}/documents/demo`, { params }),
    await operator.DELETE(`${base}/documents/{doc_id}`, {
      params: { ...one, query: { restorable: 'true' } },
    }),
    await operator.POST(`${base}/documents/{doc_id}/restore`, { params: one }),
    await operator.POST(`${base}/documents/bulk`, { params, body: { action: 'delete', ids: [doc_id] } }),
  ].map(({ response }) => response.status);
  expect(statuses).toEqual([200, 202, 202, 422, 202, 204, 200, 200]);
}

async function walkSettings(operator: ApiClient, workspace_id: string): Promise<void> {
  const params = { path: { workspace_id } };
  const schema = await operator.GET(`${base}/settings-schema`, { params });
  expect(JSON.stringify(schema.data)).toContain('strictness');
  const secret = await operator.GET(`${base}/identity_secret`, { params });
  expect(JSON.stringify(secret.data)).not.toContain('ids_');
  expect((await operator.GET(`${base}/usage`, { params })).response.status).toBe(200);
  expect((await operator.GET(`${base}/tags`, { params })).response.status).toBe(200);
  const renamed = await operator.POST(`${base}/tags/rename`, { params, body: { from: 'pots', to: 'bowls' } });
  expect([200, 404]).toContain(renamed.response.status);
  const tag = { tag: 'unused' };
  const gone = await operator.POST(`${base}/tags/remove`, { params, body: { ...tag, restorable: true } });
  const back = await operator.POST(`${base}/tags/restore`, { params, body: tag });
  expect([gone.response.status, back.response.status]).toEqual([404, 404]);
}

async function walkSnippets(operator: ApiClient, workspace_id: string): Promise<void> {
  const params = { path: { workspace_id } };
  const made = await operator.POST(`${base}/snippets`, {
    params,
    body: { name: 'hours', text: 'We open at 9.' },
  });
  const one = { path: { workspace_id, snippet_id: made.data?.id ?? '' } };
  const changed = await operator.PATCH(`${base}/snippets/{snippet_id}`, {
    params: one,
    body: { text: 'We open at 10.' },
  });
  expect(changed.data?.text).toBe('We open at 10.');
  expect((await operator.GET(`${base}/snippets`, { params })).data?.snippets).toHaveLength(1);
  const restorable = { ...one, query: { restorable: 'true' } } as const;
  const removed = await operator.DELETE(`${base}/snippets/{snippet_id}`, { params: restorable });
  expect(removed.response.status).toBe(204);
  const restored = await operator.POST(`${base}/snippets/{snippet_id}/restore`, { params: one });
  expect(restored.data).toEqual(changed.data);
  await operator.DELETE(`${base}/snippets/{snippet_id}`, { params: one });
}

async function walkKeysAndWebhooks(operator: ApiClient, workspace_id: string): Promise<void> {
  const params = { path: { workspace_id } };
  const made = await operator.POST(`${base}/keys`, { params, body: { name: 'Till' } });
  const key = { path: { workspace_id, key_id: made.data?.id ?? '' } };
  const changed = await operator.PATCH(`${base}/keys/{key_id}`, { params: key, body: { name: 'Shop' } });
  expect(changed.data?.name).toBe('Shop');
  await operator.DELETE(`${base}/keys/{key_id}`, { params: key });
  const restored = await operator.POST(`${base}/keys/{key_id}/restore`, { params: key });
  expect(restored.data?.name).toBe('Shop');
  const hook = await operator.POST(`${base}/webhooks`, {
    params,
    body: { url: 'https://pots.example/test', events: ['document.indexed'] },
  });
  const one = { path: { workspace_id, hook_id: hook.data?.id ?? '' } };
  const test = await operator.POST(`${base}/webhooks/{hook_id}/test`, { params: one });
  expect(test.response.status).toBe(202);
  await operator.DELETE(`${base}/webhooks/{hook_id}`, {
    params: { ...one, query: { restorable: 'true' } },
  });
  const back = await operator.POST(`${base}/webhooks/{hook_id}/restore`, { params: one });
  expect(back.data).toMatchObject({ id: one.path.hook_id, enabled: true });
}
