import { expect, test } from 'vitest';
import { openConversationServer } from '../../../../helpers/servers/open-conversation-server.ts';

const { call, say, pass, time, workspace, makeWorkspace, runtime } = await openConversationServer();
const get = async (id: string) => {
  const response = await call('GET', `/conversations/${id}`);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};

test('returns messages, notes and changes, each with the oldest first', async () => {
  const customer = { email: 'jane@example.com', emailVerified: true, name: 'Jane', phone: null };
  const source = {
    documentId: 'doc_1',
    chunkId: '7',
    title: 'Returns',
    url: null,
    headings: ['Sending back'],
    changedAt: null,
    place: null,
    chunk: 'Thirty days.',
    score: 0.9,
  };
  const answer = {
    text: 'Thirty days.',
    sources: [source],
    citations: [{ start: 0, end: 12, chunkIds: ['7'] }],
    confidence: 'high',
    score: 0.9,
    tokensUsed: 31,
    skillsFired: [],
    tier: 'maybe',
    probability: 0.31234,
    lead: 'Thirty days.',
    isGenerated: false,
    isQuoted: true,
  } as const;
  const started = time.now.toISOString();
  const id = await say({ channel: 'email', customer, answer, disclosure: 'A machine answers.' });
  await call('POST', `/conversations/${id}/notes`, { payload: { content: 'Asked twice.' } });
  pass(60_000);
  await call('PATCH', `/conversations/${id}`, { payload: { status: 'resolved', tags: ['vip'] } });
  const resolved = time.now.toISOString();
  const text = expect.any(String);
  expect(await get(id)).toEqual({
    id,
    workspace_id: workspace.id,
    channel: 'email',
    channel_id: null,
    status: 'resolved',
    priority: 'normal',
    started_at: started,
    last_message_at: started,
    resolved_at: resolved,
    snooze_until: null,
    message_count: 2,
    customer: { email: customer.email, email_verified: true, name: customer.name, phone: customer.phone },
    ...{ user_id: null, user_verified: false, session_id: null, metadata: null },
    tags: ['vip'],
    sla_state: 'in_compliance',
    test: false,
    messages: [
      { id: text, role: 'user', content: 'How long may I send it back?', created_at: started },
      {
        id: text,
        role: 'assistant',
        content: 'Thirty days.',
        created_at: started,
        sources: [
          {
            document_id: 'doc_1',
            chunk_id: '7',
            title: 'Returns',
            headings: ['Sending back'],
            changed_at: null,
            document_name: 'Returns',
            url: null,
            chunk: 'Thirty days.',
            chunk_text: 'Thirty days.',
            place: null,
            score: 0.9,
            relevance_score: 0.9,
          },
        ],
        citations: [{ start: 0, end: 12, chunk_ids: ['7'] }],
        tokens_used: 31,
        feedback: null,
        delivery: null,
        ended: null,
        confidence: 'high',
        score: 0.9,
        latency_ms: 12,
        skills_fired: [],
        tier: 'maybe',
        probability: 0.3123,
        ai_generated: false,
        quoted: true,
        lead: 'Thirty days.',
        disclosure: 'A machine answers.',
      },
    ],
    internal_notes: [
      { id: text, conversation_id: id, content: 'Asked twice.', author: 'Test', created_at: started },
    ],
    reply_window: null,
    audit_log: [
      {
        id: text,
        action: 'note_added',
        actor: 'Test',
        actor_id: null,
        at: started,
        details: { note_id: text, author: 'Test' },
      },
      {
        id: text,
        action: 'status_changed',
        actor: 'Test',
        actor_id: null,
        at: resolved,
        details: { from: 'open', to: 'resolved' },
      },
      {
        id: text,
        action: 'tags_changed',
        actor: 'Test',
        actor_id: null,
        at: resolved,
        details: { from: [], to: ['vip'] },
      },
    ],
  });
});

test('returns resolved_at for resolved conversations only', async () => {
  const id = await say();
  expect(await get(id)).not.toHaveProperty('resolved_at');
});

test("returns an agent's message with its author and without sources", async () => {
  const id = await say();
  await runtime.database.kysely
    .updateTable('message')
    .set({ role: 'agent', author: 'ann@shop.example', sources: null, tokens_used: null })
    .where('conversation_id', '=', id)
    .where('role', '=', 'assistant')
    .execute();
  const { messages } = await get(id);
  expect(messages[1]).toEqual({
    id: expect.any(String),
    role: 'agent',
    content: 'Thirty days.',
    created_at: time.now.toISOString(),
    author: 'ann@shop.example',
    delivery: null,
    ended: null,
  });
});

test('a key reads the conversations of every workspace of its owner', async () => {
  const own = await makeWorkspace({ owner: workspace.owner });
  const id = await say({ workspaceId: own.id });
  expect((await get(id)).workspace_id).toBe(own.id);
});
