import { expect } from 'vitest';
import type { ApiClient } from './api-client.ts';

export interface Callers {
  readonly anybody: ApiClient;
  readonly operator: ApiClient;
  /** A caller with that API key. */
  readonly integrator: (key: string) => ApiClient;
}

/** Calls every operation as those would who set an installation up and build on it, and looks at what they get. */
export async function walkApi({ anybody, operator, integrator }: Callers): Promise<void> {
  await lookAround(anybody, operator);
  const workspaceId = await setUp(operator);
  const documentId = await addDocuments(operator, workspaceId);
  const { key, keyId } = await makeKey(operator, workspaceId);
  const conversationId = await askQuestions(integrator(key), { workspaceId, documentId });
  await handle(integrator(key), { workspaceId, conversationId });
  const audit = await operator.GET('/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/audit-log', {
    params: { path: { workspace_id: workspaceId, conv_id: conversationId } },
  });
  expect(audit.data?.audit_log[0]?.action).toBe('deleted');
  await cleanUp(operator, { workspaceId, documentId, keyId });
}

async function lookAround(anybody: ApiClient, operator: ApiClient): Promise<void> {
  expect((await anybody.GET('/healthz')).data).toEqual({ status: 'alive' });
  expect((await anybody.GET('/readyz')).data?.status).toBe('ready');
  const { data: metrics } = await operator.GET('/metrics', { parseAs: 'text' });
  expect(metrics).toContain('http_requests_total');
}

async function setUp(operator: ApiClient): Promise<string> {
  const { data: created, response } = await operator.POST('/admin/v1/workspaces', {
    body: { name: 'Pottery', plan: 'growth', settings: { audiences: ['staff'] } },
  });
  expect([response.status, created?.plan]).toEqual([201, 'growth']);
  const workspace_id = created?.id ?? '';
  const path = { workspace_id };
  const changed = await operator.PATCH('/admin/v1/workspaces/{workspace_id}', {
    params: { path },
    body: { name: 'Pottery help', settings: { description: 'Answers about pots.' } },
  });
  expect(changed.data?.settings).toEqual({ audiences: ['staff'], description: 'Answers about pots.' });
  const read = await operator.GET('/admin/v1/workspaces/{workspace_id}', { params: { path } });
  expect(read.data?.name).toBe('Pottery help');
  const listed = await operator.GET('/admin/v1/workspaces', { params: { query: { limit: 1 } } });
  expect(listed.data?.workspaces.map(({ id }) => id)).toEqual([workspace_id]);
  return workspace_id;
}

async function addDocuments(operator: ApiClient, workspace_id: string): Promise<string> {
  const path = { workspace_id };
  const added = await operator.POST('/admin/v1/workspaces/{workspace_id}/documents', {
    params: { path, query: { wait: 'true' } },
    body: {
      title: 'Delivery',
      content: 'Parcels to Norway arrive within nine days.',
      url: 'https://pots.example/d',
    },
  });
  expect([added.response.status, added.data?.status]).toEqual([200, 'indexed']);
  const later = await operator.POST('/admin/v1/workspaces/{workspace_id}/documents', {
    params: { path },
    body: { content: 'Glazes are for the staff.', audience: ['staff'] },
  });
  expect([later.response.status, later.data?.status]).toEqual([202, 'queued']);
  const doc_id = added.data?.id ?? '';
  const read = await operator.GET('/admin/v1/workspaces/{workspace_id}/documents/{doc_id}', {
    params: { path: { workspace_id, doc_id } },
  });
  expect(read.data?.url).toBe('https://pots.example/d');
  const listed = await operator.GET('/admin/v1/workspaces/{workspace_id}/documents', { params: { path } });
  expect(listed.data?.documents.map(({ id }) => id)).toEqual([later.data?.id, doc_id]);
  const found = await operator.POST('/admin/v1/workspaces/{workspace_id}/search', {
    params: { path },
    body: { query: 'How long do parcels to Norway take?', top_k: 3 },
  });
  expect(found.data?.results[0]?.document_id).toBe(doc_id);
  return doc_id;
}

async function makeKey(operator: ApiClient, workspace_id: string) {
  const path = { workspace_id };
  const made = await operator.POST('/admin/v1/workspaces/{workspace_id}/keys', {
    params: { path },
    body: { name: 'Website', rate_limit_minute: 500 },
  });
  expect([made.response.status, made.data?.rate_limit_minute]).toEqual([201, 500]);
  const listed = await operator.GET('/admin/v1/workspaces/{workspace_id}/keys', { params: { path } });
  expect(listed.data?.keys.map(({ name }) => name)).toEqual(['Website']);
  return { key: made.data?.key ?? '', keyId: made.data?.id ?? '' };
}

async function askQuestions(
  integrator: ApiClient,
  { workspaceId, documentId }: { readonly workspaceId: string; readonly documentId: string },
): Promise<string> {
  const first = await integrator.POST('/v1/query', {
    body: {
      query: 'How long do parcels to Norway take?',
      session_id: 's1',
      metadata: { page_url: '/delivery' },
    },
  });
  expect(first.data?.answer).toContain('nine days');
  expect(first.data?.sources[0]).toMatchObject({ document_id: documentId, title: 'Delivery' });
  expect(first.response.headers.get('x-ratelimit-limit-minute')).toBe('500');
  const conversation_id = first.data?.conversation_id ?? '';
  const second = await integrator.POST('/v1/query', {
    params: { header: { 'Idempotency-Key': `second-${workspaceId}` } },
    body: { query: 'Purple elephants?', workspace_id: workspaceId, conversation_id, session_id: 's1' },
  });
  expect(second.data).toMatchObject({ conversation_id, confidence: 'low' });
  const refused = await integrator.POST('/v1/query', {
    body: { query: 'And now?', conversation_id: 'conv_none' },
  });
  expect([refused.response.status, refused.error?.code]).toEqual([404, 'conversation_not_found']);
  return conversation_id;
}

/** What an agent does with a conversation, to its end. */
async function handle(
  integrator: ApiClient,
  { workspaceId, conversationId }: { readonly workspaceId: string; readonly conversationId: string },
): Promise<void> {
  const params = { path: { conversation_id: conversationId } };
  const note = await integrator.POST('/v1/conversations/{conversation_id}/notes', {
    params,
    body: { content: 'Asked about elephants.', author_email: 'ann@pots.example' },
  });
  expect([note.response.status, note.data?.author]).toEqual([201, 'ann@pots.example']);
  const changed = await integrator.PATCH('/v1/conversations/{conversation_id}', {
    params,
    body: { status: 'resolved', tags: ['delivery', 'vip'], customer: { email: 'jane@example.com' } },
  });
  expect(changed.data?.resolved_at).toBeTypeOf('string');
  const listed = await integrator.GET('/v1/conversations', {
    params: {
      query: {
        workspace_id: workspaceId,
        tag: ['delivery', 'vip'],
        q: 'norway parcels',
        since: '2020-01-01T00:00:00Z',
        email: 'jane@example.com',
        status: 'resolved',
      },
    },
  });
  expect(listed.data?.conversations.map(({ id }) => id)).toEqual([conversationId]);
  const read = await integrator.GET('/v1/conversations/{conversation_id}', { params });
  expect(read.data?.internal_notes).toEqual([note.data]);
  const messages = await integrator.GET('/v1/conversations/{conversation_id}/messages', {
    params: { ...params, query: { order: 'desc', limit: 4 } },
  });
  expect(messages.data?.messages).toEqual(read.data?.messages.toReversed());
  const deleted = await integrator.DELETE('/v1/conversations/{conversation_id}', { params });
  expect(deleted.response.status).toBe(204);
}

async function cleanUp(
  operator: ApiClient,
  made: { readonly workspaceId: string; readonly documentId: string; readonly keyId: string },
): Promise<void> {
  const workspace_id = made.workspaceId;
  const revoked = await operator.DELETE('/admin/v1/workspaces/{workspace_id}/keys/{key_id}', {
    params: { path: { workspace_id, key_id: made.keyId } },
  });
  const removed = await operator.DELETE('/admin/v1/workspaces/{workspace_id}/documents/{doc_id}', {
    params: { path: { workspace_id, doc_id: made.documentId } },
  });
  const deleted = await operator.DELETE('/admin/v1/workspaces/{workspace_id}', {
    params: { path: { workspace_id } },
  });
  expect([revoked, removed, deleted].map(({ response }) => response.status)).toEqual([204, 204, 204]);
  const gone = await operator.GET('/admin/v1/workspaces/{workspace_id}', {
    params: { path: { workspace_id } },
  });
  expect(gone.error?.code).toBe('workspace_not_found');
}
