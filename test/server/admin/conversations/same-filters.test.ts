import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { conversationFiltersSchema, inboxOnlyFilters } from '../../../../core/conversations/list/filters.ts';
import { openConversationServer } from '../../../helpers/servers/open-conversation-server.ts';

const { app, call, say, pass, time, workspace, operate } = await openConversationServer();
const filters = Object.keys(conversationFiltersSchema.shape).sort();

const operation = z.object({ parameters: z.array(z.object({ in: z.string(), name: z.string() })) });
const documented = z.object({ paths: z.record(z.string(), z.looseObject({ get: operation.optional() })) });
const { paths } = documented.parse((await app.inject({ url: '/openapi.json' })).json());
const notFilters = new Set(['workspace_id', 'limit', 'cursor', 'sort']);
const documentedFilters = (path: string) =>
  (paths[path]?.get?.parameters ?? [])
    .filter((parameter) => parameter.in === 'query' && !notFilters.has(parameter.name))
    .map(({ name }) => name)
    .sort();

describe('the lists of conversations for keys and for the inbox', async () => {
  await say({ question: 'Where is my parcel?' });
  pass(1_000);
  const between = time.now.toISOString();
  pass(1_000);
  const customer = { email: 'jane@example.com', emailVerified: false, name: 'Jane', phone: null };
  const wanted = await say({
    ...{ question: 'When are refunds paid?', channel: 'widget', customer, sessionId: 'chan_7:lane' },
    ...{ statedUserId: 'cust-7', metadata: { order: 'A-1', step: 'pay' } },
  });
  const path = `/conversations/${wanted}`;
  const [, answer] = (await call('GET', path)).json().messages;
  const payload = { tags: ['vip', 'late'], priority: 'high', status: 'escalated' };
  await call('PATCH', path, { payload });
  await call('POST', `${path}/messages/${answer.id}/feedback`, { payload: { value: 'down' } });
  const settings = { sla: { first_response_minutes: 1, resolution_minutes: 1 } };
  await operate('PATCH', `/workspaces/${workspace.id}`, { settings });
  pass(3_600_000);
  const later = await say({ question: 'Do you ship to Norway?', sessionId: 'chan_7:of-the-api' });

  /** Values for each filter that match the second conversation of three, or the first and second. */
  const values: Readonly<Record<string, readonly [query: string, ids: readonly string[]]>> = {
    status: ['status=escalated', [wanted]],
    channel: ['channel=widget', [wanted]],
    tag: ['tag=vip&tag=late', [wanted]],
    priority: ['priority=high', [wanted]],
    waiting: ['waiting=true', [wanted]],
    q: ['q=refund', [wanted]],
    email: ['email=JANE%40example.com', [wanted]],
    customer: ['customer=jan', [wanted]],
    user_id: ['user_id=cust-7', [wanted]],
    session_id: ['session_id=chan_7:of-the-api', [later]],
    channel_id: ['channel_id=chan_7', [wanted]],
    metadata: ['metadata[order]=A-1&metadata[step]=pay', [wanted]],
    since: [`since=${between}`, [later, wanted]],
    until: [`since=${between}&until=${new Date(Date.parse(between) + 60_000).toISOString()}`, [wanted]],
    updated_since: [`updated_since=${between}`, [later, wanted]],
    sla_state: ['sla_state=breached', [wanted]],
    feedback: ['feedback=down', [wanted]],
  };

  test('understand the same filters, but for those that need a person and say why', () => {
    expect(documentedFilters('/admin/v1/workspaces/{workspace_id}/conversations')).toEqual(filters);
    expect([...documentedFilters('/v1/conversations'), ...Object.keys(inboxOnlyFilters)].sort()).toEqual(
      filters,
    );
    expect([...Object.keys(values), ...Object.keys(inboxOnlyFilters)].sort()).toEqual(filters);
  });

  test.each(Object.entries(values))('choose the same conversations by %s', async (_, [query, ids]) => {
    const ofKey = await call('GET', `/conversations?workspace_id=${workspace.id}&${query}`);
    const ofInbox = await operate('GET', `/workspaces/${workspace.id}/conversations?${query}`);
    const lists = [ofKey, ofInbox].map((response) =>
      response.json().conversations?.map(({ id }: { id: string }) => id),
    );
    expect(lists).toEqual([ids, ids]);
  });
});
