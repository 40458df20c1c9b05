import { expect } from 'vitest';
import { z } from 'zod';
import type { ApiClient } from './api-client.ts';
import { walkAnswers } from './walk-answers.ts';
import { walkChanges } from './walk-changes.ts';
import { walkChannels } from './walk-channels.ts';
import { walkDashboard } from './walk-dashboard.ts';
import { walkInbox } from './walk-inbox.ts';
import { walkInstallation } from './walk-installation.ts';
import { walkMembers } from './walk-members.ts';
import { walkQueues } from './walk-queues.ts';
import { walkSecrets } from './walk-secrets.ts';
import { walkSkills } from './walk-skills.ts';
import { walkSources } from './walk-sources.ts';
import { walkTickets } from './walk-tickets.ts';
import { walkWidget } from './walk-widget.ts';

const lastFrame = z.object({ done: z.boolean(), conversation_id: z.string() });

export interface Callers {
  readonly anybody: ApiClient;
  readonly operator: ApiClient;
  /** A caller with that API key. */
  readonly integrator: (key: string) => ApiClient;
  /** A folder with documents that the installation lets sources read. */
  readonly sourceFolder: string;
}

/** Calls every operation as those would who set an installation up and build on it, and looks at what they get. */
export async function walkApi({ anybody, operator, integrator, sourceFolder }: Callers): Promise<void> {
  await lookAround(anybody, operator);
  const workspaceId = await setUp(operator);
  await walkSkills(operator, workspaceId);
  await walkChannels(operator, workspaceId);
  await walkWidget({ operator, anybody, integrator }, workspaceId);
  const webhookId = await addWebhook(operator, workspaceId);
  const documentId = await addDocuments(operator, workspaceId);
  const { key, keyId } = await makeKey(operator, workspaceId);
  await askQuestions(integrator(key), { workspaceId, documentId });
  await walkAnswers(operator, workspaceId);
  const conversationId = await streamAnswer(integrator(key));
  await walkInstallation(operator, workspaceId);
  await walkQueues(operator, { workspaceId, conversationId: await streamAnswer(integrator(key)) });
  await workOnConversation(integrator(key), { workspaceId, conversationId });
  await lookAtChanges(operator, { workspaceId, conversationId });
  await askInPublic(anybody, workspaceId);
  await lookAtDeliveries(operator, { workspaceId, webhookId });
  await lookAfterPeople(operator, workspaceId);
  await walkMembers(operator, workspaceId);
  await walkDashboard(operator, workspaceId);
  await walkSources(operator, workspaceId, sourceFolder);
  await walkInbox(operator, {
    workspaceId,
    conversationId: await streamAnswer(integrator(key)),
  });
  await walkSecrets(operator);
  await cleanUp(operator, { workspaceId, documentId, keyId });
}

async function lookAfterPeople(operator: ApiClient, workspaceId: string): Promise<void> {
  const params = { path: { workspace_id: workspaceId }, query: { email: 'nobody@example.com' } };
  const exported = await operator.GET('/admin/v1/workspaces/{workspace_id}/people', { params });
  expect(exported.data?.conversations).toEqual([]);
  const erased = await operator.DELETE('/admin/v1/workspaces/{workspace_id}/people', { params });
  const log = await operator.GET('/admin/v1/workspaces/{workspace_id}/audit-log', {
    params: { path: { workspace_id: workspaceId } },
  });
  expect(log.data?.audit_log.slice(0, 1)).toMatchObject([{ id: erased.data?.id, action: 'person_erased' }]);
}

async function lookAround(anybody: ApiClient, operator: ApiClient): Promise<void> {
  expect((await anybody.GET('/healthz')).data).toEqual({ status: 'alive' });
  expect((await anybody.GET('/readyz')).data?.status).toBe('ready');
  const { data: metrics } = await operator.GET('/metrics', { parseAs: 'text' });
  expect(metrics).toContain('http_requests_total');
}

async function setUp(operator: ApiClient): Promise<string> {
  const before = await operator.GET('/admin/v1/workspaces', {});
  // A folder of SOURCE_FOLDERS is for the first owner.
  const owner = before.data?.workspaces.at(-1)?.owner;
  const { data: created, response } = await operator.POST('/admin/v1/workspaces', {
    body: {
      name: 'Pottery',
      plan: 'growth',
      ...(owner !== undefined && { owner }),
      settings: { audiences: ['staff'], nlweb_enabled: true },
    },
  });
  expect([response.status, created?.plan]).toEqual([201, 'growth']);
  const workspace_id = created?.id ?? '';
  const path = { workspace_id };
  const changed = await operator.PATCH('/admin/v1/workspaces/{workspace_id}', {
    params: { path },
    body: { name: 'Pottery help', settings: { description: 'Answers about pots.' } },
  });
  expect(changed.data?.settings).toEqual({
    audiences: ['staff'],
    nlweb_enabled: true,
    description: 'Answers about pots.',
  });
  const read = await operator.GET('/admin/v1/workspaces/{workspace_id}', { params: { path } });
  expect(read.data?.name).toBe('Pottery help');
  const listed = await operator.GET('/admin/v1/workspaces', { params: { query: { limit: 1 } } });
  expect(listed.data?.workspaces.map(({ id }) => id)).toEqual([workspace_id]);
  return workspace_id;
}

async function addWebhook(operator: ApiClient, workspace_id: string): Promise<string> {
  const path = { workspace_id };
  const made = await operator.POST('/admin/v1/workspaces/{workspace_id}/webhooks', {
    params: { path },
    body: { url: 'https://pots.example/hooks', events: ['document.indexed'] },
  });
  expect([made.response.status, made.data?.secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
  const listed = await operator.GET('/admin/v1/workspaces/{workspace_id}/webhooks', { params: { path } });
  expect(listed.data?.webhooks.map(({ id }) => id)).toEqual([made.data?.id]);
  return made.data?.id ?? '';
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
  const form = new FormData();
  form.append('file', new File(['Kilns are fired on Mondays.'], 'kilns.txt', { type: 'text/plain' }));
  const uploaded = await operator.POST('/admin/v1/workspaces/{workspace_id}/documents/upload', {
    params: { path, query: { wait: 'true' } },
    body: { file: 'kilns.txt' },
    bodySerializer: () => form,
  });
  expect([uploaded.response.status, uploaded.data?.file_name]).toEqual([200, 'kilns.txt']);
  const read = await operator.GET('/admin/v1/workspaces/{workspace_id}/documents/{doc_id}', {
    params: { path: { workspace_id, doc_id } },
  });
  expect(read.data?.url).toBe('https://pots.example/d');
  const listed = await operator.GET('/admin/v1/workspaces/{workspace_id}/documents', { params: { path } });
  expect(listed.data?.documents.map(({ id }) => id)).toEqual([uploaded.data?.id, later.data?.id, doc_id]);
  const found = await operator.POST('/admin/v1/workspaces/{workspace_id}/search', {
    params: { path },
    body: { query: 'How long do parcels to Norway take?', top_k: 3 },
  });
  expect(found.data?.results[0]?.document_id).toBe(doc_id);
  const counted = await operator.GET('/admin/v1/workspaces/{workspace_id}/answer_probabilities', {
    params: { path },
  });
  expect(counted.data?.bins).toHaveLength(20);
  const fitted = await operator.POST('/admin/v1/workspaces/{workspace_id}/correction/fit', {
    ...{ params: { path }, body: { offer: true } },
  });
  expect(fitted.data).toEqual({ fit: null, offered: false });
  const none = { in_use: null, offer: null };
  const correction = await operator.GET('/admin/v1/workspaces/{workspace_id}/correction', {
    params: { path },
  });
  expect(correction.data).toEqual(none);
  const chosen = { params: { path }, body: { offered_at: '2030-01-01T00:00:00.000Z' } };
  const used = await operator.PUT('/admin/v1/workspaces/{workspace_id}/correction', chosen);
  const declined = await operator.POST('/admin/v1/workspaces/{workspace_id}/correction/decline', chosen);
  expect([used.error?.code, declined.error?.code]).toEqual(Array(2).fill('correction_offer_not_found'));
  const removed = await operator.DELETE('/admin/v1/workspaces/{workspace_id}/correction', {
    params: { path },
  });
  expect(removed.data).toEqual(none);
  const conflicts = await operator.GET('/admin/v1/workspaces/{workspace_id}/knowledge/conflicts', {
    params: { path },
  });
  expect(conflicts.data?.conflicts).toEqual([]);
  const dismissed = await operator.PATCH(
    '/admin/v1/workspaces/{workspace_id}/knowledge/conflicts/{conflict_id}',
    {
      params: { path: { workspace_id, conflict_id: 'fcf_01m8eetddcm69yhpdb24mnjprq' } },
      body: { status: 'dismissed' },
    },
  );
  expect(dismissed.response.status).toBe(404);
  await askOnTrial(operator, workspace_id, doc_id);
  await walkTickets(operator, workspace_id);
  return doc_id;
}

async function askOnTrial(operator: ApiClient, workspace_id: string, document_id: string) {
  const base = '/admin/v1/workspaces/{workspace_id}';
  const path = { workspace_id };
  const choices = await operator.GET(`${base}/ask`, { params: { path } });
  expect(choices.data?.audiences).toEqual(['staff']);
  const query = 'Is delivery free?';
  const asked = await operator.POST(`${base}/ask`, { params: { path }, body: { query } });
  expect([asked.response.status, asked.data?.tokens_used]).toEqual([200, 0]);
  const questions = [{ question: query, document_id }];
  const stored = await operator.POST(`${base}/test-questions`, { params: { path }, body: { questions } });
  expect(stored.data?.added).toBe(1);
  const listed = await operator.GET(`${base}/test-questions`, { params: { path } });
  expect(listed.data?.total).toBe(1);
  const started = await operator.POST(`${base}/test-runs`, { params: { path } });
  const run_id = started.data?.id ?? '';
  const one = { params: { path: { workspace_id, run_id } } };
  expect((await operator.POST(`${base}/test-runs/{run_id}/cancel`, one)).response.status).toBe(204);
  expect((await operator.GET(`${base}/test-runs/{run_id}`, one)).data?.questions).toBe(1);
  const runs = await operator.GET(`${base}/test-runs`, { params: { path } });
  expect(runs.data?.runs).toHaveLength(1);
  const question_id = listed.data?.questions[0]?.id ?? '';
  await walkChanges(operator, { workspace_id, document_id, question_id });
  const proposed = await operator.GET(`${base}/test-questions/proposals`, {
    params: { path, query: { count: 10, seed: 1 } },
  });
  expect([proposed.response.status, proposed.data?.seed]).toEqual([200, 1]);
  const decided = await operator.PUT(`${base}/test-questions/proposals/{message_id}`, {
    params: { path: { workspace_id, message_id: 'msg_unknown' } },
    body: { decision: 'skip' },
  });
  expect(decided.error?.code).toBe('message_not_found');
  const removed = await operator.DELETE(`${base}/test-questions/{question_id}`, {
    params: { path: { workspace_id, question_id } },
  });
  expect(removed.response.status).toBe(204);
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
): Promise<void> {
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
  const me = await integrator.GET('/v1/me');
  expect(me.data).toMatchObject({ workspace_id: workspaceId, limits: { minute: 500 } });
  const conversation_id = first.data?.conversation_id ?? '';
  const second = await integrator.POST('/v1/query', {
    params: { header: { 'Idempotency-Key': `second-${workspaceId}` } },
    body: { query: 'Purple elephants?', workspace_id: workspaceId, conversation_id, session_id: 's1' },
  });
  expect(second.data).toMatchObject({ conversation_id, confidence: 'low' });
  const models = await integrator.GET('/v1/models');
  expect(models.data?.data).toMatchObject([{ id: 'parley', owned_by: workspaceId }]);
  const completion = await integrator.POST('/v1/chat/completions', {
    body: {
      model: 'parley',
      messages: [{ role: 'user', content: 'How long do parcels to Norway take?' }],
      user: 's1',
    },
  });
  expect(completion.data).toMatchObject({ object: 'chat.completion', parley: { confidence: 'high' } });
  const refused = await integrator.POST('/v1/query', {
    body: { query: 'And now?', conversation_id: 'conv_none' },
  });
  expect([refused.response.status, refused.error?.code]).toEqual([404, 'conversation_not_found']);
}

async function streamAnswer(integrator: ApiClient): Promise<string> {
  const { data, response } = await integrator.POST('/v1/query/stream', {
    body: { query: 'How long do parcels to Norway take?' },
    parseAs: 'text',
  });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const events = String(data).trim().split('\n\n');
  const { done, conversation_id } = lastFrame.parse(JSON.parse(events.at(-1)?.slice('data: '.length) ?? ''));
  expect(done).toBe(true);
  return conversation_id;
}

interface ConversationOf {
  readonly workspaceId: string;
  readonly conversationId: string;
}

async function workOnConversation(
  integrator: ApiClient,
  { workspaceId: workspace_id, conversationId: conversation_id }: ConversationOf,
): Promise<void> {
  const path = { conversation_id };
  const note = await integrator.POST('/v1/conversations/{conversation_id}/notes', {
    params: { path },
    body: { content: 'Ask the carrier.', author_email: 'kim@pots.example' },
  });
  expect([note.response.status, note.data?.author]).toEqual([201, 'kim@pots.example']);
  const changed = await integrator.PATCH('/v1/conversations/{conversation_id}', {
    params: { path },
    body: { status: 'resolved', tags: ['delivery', 'norway'], priority: 'high', customer: { name: 'Ada' } },
  });
  expect(changed.data).toMatchObject({
    status: 'resolved',
    priority: 'high',
    resolved_at: expect.any(String),
  });
  const listed = await integrator.GET('/v1/conversations', {
    params: {
      query: { workspace_id, status: 'resolved', tag: ['delivery', 'norway'], q: 'parcels', limit: 5 },
    },
  });
  expect(listed.data?.conversations.map(({ id }) => id)).toEqual([conversation_id]);
  const messages = await integrator.GET('/v1/conversations/{conversation_id}/messages', {
    params: { path, query: { order: 'desc', limit: 1 } },
  });
  expect(messages.data?.messages.map(({ role }) => role)).toEqual(['assistant']);
  expect(messages.data?.pagination.has_more).toBe(true);
  const judged = await integrator.POST('/v1/conversations/{conversation_id}/messages/{message_id}/feedback', {
    params: { path: { conversation_id, message_id: messages.data?.messages[0]?.id ?? '' } },
    body: { value: 'down', comment: 'Too slow.' },
  });
  expect(judged.data?.feedback).toMatchObject({ value: 'down', comment: 'Too slow.' });
  const whole = await integrator.GET('/v1/conversations/{conversation_id}', { params: { path } });
  expect(whole.data?.internal_notes.map(({ content }) => content)).toEqual(['Ask the carrier.']);
  const deleted = await integrator.DELETE('/v1/conversations/{conversation_id}', { params: { path } });
  expect(deleted.response.status).toBe(204);
}

async function lookAtChanges(
  operator: ApiClient,
  { workspaceId: workspace_id, conversationId: conv_id }: ConversationOf,
): Promise<void> {
  const log = await operator.GET('/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/audit-log', {
    params: { path: { workspace_id, conv_id }, query: { limit: 100 } },
  });
  expect(log.data?.audit_log.length).toBeGreaterThan(2);
}

async function askInPublic(anybody: ApiClient, workspace_id: string): Promise<void> {
  const path = { workspace_id };
  const found = await anybody.GET('/api/nlweb/{workspace_id}', { params: { path } });
  expect(found.data).toMatchObject({ name: 'Pottery help', description: 'Answers about pots.' });
  const query = 'How long do parcels to Norway take?';
  const asked = await anybody.POST('/api/nlweb/{workspace_id}/ask', {
    params: { path },
    body: { query, previous_responses: [{ role: 'user', content: 'Hello!' }] },
  });
  expect(asked.data).toMatchObject({ answer: expect.stringContaining('nine days'), answer_type: 'text' });
  const listed = await anybody.GET('/api/nlweb/{workspace_id}/ask', {
    params: { path, query: { query, streaming: false } },
  });
  expect(listed.data).toMatchObject({ results: [{ name: 'Delivery' }] });
}

async function lookAtDeliveries(
  operator: ApiClient,
  made: { readonly workspaceId: string; readonly webhookId: string },
): Promise<void> {
  const path = { workspace_id: made.workspaceId, hook_id: made.webhookId };
  const hook = '/admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}';
  const { data } = await operator.GET(`${hook}/deliveries`, { params: { path, query: { limit: 1 } } });
  expect(data?.deliveries).toMatchObject([{ event: 'document.indexed', status: 'pending' }]);
  const replayed = await operator.POST(`${hook}/deliveries/{delivery_id}/replay`, {
    params: { path: { ...path, delivery_id: data?.deliveries[0]?.id ?? '' } },
  });
  expect(replayed.response.status).toBe(202);
  const disabled = await operator.PATCH(hook, { params: { path }, body: { enabled: false } });
  expect(disabled.data).toMatchObject({ enabled: false, disabled_reason: expect.any(String) });
  const deleted = await operator.DELETE(hook, { params: { path } });
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
