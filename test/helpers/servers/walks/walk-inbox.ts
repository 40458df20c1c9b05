import { expect } from 'vitest';
import type { ApiClient } from './api-client.ts';

const base = '/admin/v1/workspaces/{workspace_id}';

interface Walked {
  readonly workspaceId: string;
  readonly conversationId: string;
}

/** Calls what the inbox of the dashboard calls, and looks at the answers. The operator is no person, and has no desk. */
export async function walkInbox(operator: ApiClient, { workspaceId, conversationId }: Walked): Promise<void> {
  const workspace = { workspace_id: workspaceId };
  const params = { path: workspace };
  const list = await operator.GET(`${base}/conversations`, { params: { ...params, query: { view: 'all' } } });
  expect(list.data?.conversations.map(({ id }) => id)).toContain(conversationId);
  expect((await operator.GET(`${base}/conversation-counts`, { params })).data?.views.all).toBeGreaterThan(0);
  expect((await operator.GET(`${base}/agents`, { params })).data?.agents).toEqual([]);
  await walkDesk(operator, { workspaceId, conversationId });
  await walkFiles(operator, { workspaceId, conversationId });
  await walkViews(operator, workspaceId);
  await walkActions(operator, { workspaceId, conversationId });
  const mentions = [
    await operator.GET(`${base}/mentions`, { params }),
    await operator.PUT(`${base}/mentions`, { params, body: {} }),
  ].map(({ response }) => response.status);
  expect(mentions).toEqual([403, 403]);
  const available = await operator.PUT(`${base}/availability`, { params, body: { available: true } });
  expect(available.response.status).toBe(403);
}

async function walkDesk(operator: ApiClient, { workspaceId, conversationId }: Walked): Promise<void> {
  const path = { workspace_id: workspaceId, conv_id: conversationId };
  const params = { path };
  const opened = await operator.GET(`${base}/conversations/{conv_id}`, {
    params: { path, query: { audit: 'true' } },
  });
  expect(opened.data?.drafts).toEqual([]);
  const timeline = await operator.GET(`${base}/conversations/{conv_id}/messages`, { params });
  expect(timeline.data?.entries.length).toBeGreaterThan(0);
  const messages = timeline.data?.entries.flatMap((entry) => (entry.kind === 'message' ? entry.message : []));
  const answer = messages?.find(({ role }) => role === 'assistant');
  const explained = await operator.GET(`${base}/conversations/{conv_id}/messages/{message_id}/decision`, {
    params: { path: { ...path, message_id: answer?.id ?? '' } },
  });
  expect(explained.data?.decision?.because).toMatch(/\S/u);
  const changed = await operator.PATCH(`${base}/conversations/{conv_id}`, {
    params,
    body: { priority: 'high' },
  });
  expect(changed.data?.priority).toBe('high');
  const note = await operator.POST(`${base}/conversations/{conv_id}/notes`, {
    params,
    body: { content: 'Ask about the glaze.' },
  });
  const noteParams = { path: { ...path, note_id: note.data?.id ?? '' } };
  const statuses = [
    await operator.PATCH(`${base}/conversations/{conv_id}/notes/{note_id}`, {
      params: noteParams,
      body: { content: 'Asked about the glaze.' },
    }),
    await operator.DELETE(`${base}/conversations/{conv_id}/notes/{note_id}`, { params: noteParams }),
    await operator.PUT(`${base}/conversations/{conv_id}/seen`, { params, body: { position: 1 } }),
    await operator.PUT(`${base}/conversations/{conv_id}/draft`, { params, body: { content: 'Dear' } }),
    await operator.DELETE(`${base}/conversations/{conv_id}/draft`, { params }),
    await operator.POST(`${base}/conversations/{conv_id}/suggestion`, { params }),
    await operator.POST(`${base}/conversations/{conv_id}/reply-preview`, {
      params,
      body: { content: 'Dear' },
    }),
  ].map(({ response }) => response.status);
  expect(statuses).toEqual([200, 204, 403, 403, 403, 200, 200]);
}

async function walkFiles(operator: ApiClient, { workspaceId, conversationId }: Walked): Promise<void> {
  const path = { workspace_id: workspaceId, conv_id: conversationId };
  const params = { path };
  const url = `${base}/conversations/{conv_id}/files` as const;
  const upload = () =>
    operator.POST(url, { params, body: { file: '' }, bodySerializer: () => formWith('Dear') });
  const [kept, gone] = [await upload(), await upload()];
  expect((await operator.GET(url, { params })).data?.files.map(({ id }) => id)).toEqual([
    kept.data?.id,
    gone.data?.id,
  ]);
  const removed = { path: { ...path, file_id: gone.data?.id ?? '' } };
  expect((await operator.DELETE(`${url}/{file_id}`, { params: removed })).response.status).toBe(204);
  const [, token = '', name = ''] = /\/files\/([\w-]+)\/([\w.]+)$/.exec(kept.data?.url ?? '') ?? [];
  const fetched = await operator.GET('/files/{token}/{name}', {
    params: { path: { token, name } },
    parseAs: 'text',
  });
  expect(fetched.data).toBe('Dear');
}

function formWith(content: string): FormData {
  const form = new FormData();
  form.set('file', new Blob([content]), 'letter.txt');
  return form;
}

async function walkViews(operator: ApiClient, workspace_id: string): Promise<void> {
  const params = { path: { workspace_id } };
  const made = await operator.POST(`${base}/views`, {
    params,
    body: { name: 'Urgent', filters: { priority: ['urgent'] } },
  });
  expect(made.data?.shared).toBe(true);
  const one = { path: { workspace_id, view_id: made.data?.id ?? '' } };
  const changed = await operator.PATCH(`${base}/views/{view_id}`, { params: one, body: { place: 2 } });
  expect(changed.data?.place).toBe(2);
  expect((await operator.GET(`${base}/views`, { params })).data?.views).toHaveLength(1);
  expect((await operator.DELETE(`${base}/views/{view_id}`, { params: one })).response.status).toBe(204);
}

async function walkActions(operator: ApiClient, { workspaceId, conversationId }: Walked): Promise<void> {
  const params = { path: { workspace_id: workspaceId } };
  const started = await operator.POST(`${base}/conversation-actions`, {
    params,
    body: { ids: [conversationId], change: { delete: true } },
  });
  expect(started.data).toMatchObject({ status: 'waiting', total: 1 });
  const one = { path: { workspace_id: workspaceId, action_id: started.data?.id ?? '' } };
  const undone = await operator.POST(`${base}/conversation-actions/{action_id}/undo`, { params: one });
  expect(undone.data?.status).toBe('undone');
  const aborted = await operator.POST(`${base}/conversation-actions/{action_id}/abort`, { params: one });
  expect(aborted.data?.status).toBe('undone');
  const read = await operator.GET(`${base}/conversation-actions/{action_id}`, { params: one });
  expect(read.data?.total).toBe(1);
}
