import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { Conversations } from '../../../core/conversations/conversations.ts';
import { webhookEvents } from '../../../core/webhooks/webhook-record.ts';
import { plainTurn } from '../../helpers/models/plain-turn.ts';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { KnowledgeBase } from '../../helpers/stores/knowledge/knowledge-base.ts';
import { openTestWebhooks } from '../../helpers/stores/open-test-webhooks.ts';

const url = 'https://hooks.example/';
const unsure = plainTurn('').answer;

/** These fields are of a question of the API without an identity, a session and metadata. */
const nobody = { user_id: null, user_verified: false, session_id: null, metadata: null };

describe.each(testEngines)('webhook events on %s', async (engine) => {
  const { database, clock, inbox, user, makeWorkspace, addHook, kept, say, webhooks } =
    await openTestWebhooks(engine);
  /** Returns the result and the deliveries that were woken. */
  const openConversations = () => {
    const woken: string[] = [];
    const scheduleDeliveries = (ids: readonly string[]) => void woken.push(...ids);
    return {
      conversations: new Conversations({ database: database.kysely, clock, scheduleDeliveries }),
      woken,
    };
  };
  const rowsOf = async (workspaceId: string) => {
    const { rows } = await sql`select from webhook_delivery where workspace_id = ${workspaceId}`.execute(
      database.kysely,
    );
    return rows.length;
  };

  test('report a conversation, its messages and an answer with low confidence', async () => {
    const { id: workspaceId } = await makeWorkspace();
    const { webhook } = await addHook(url, webhookEvents, workspaceId);
    const known = { email: 'jane@example.com', name: 'Jane', phone: null };
    const customer = { ...known, emailVerified: true };
    const answer = {
      ...unsure,
      text: 'I do not know.',
      confidence: 'low',
      tier: 'maybe',
      probability: 0.3,
    } as const;
    const conversation = await say({ workspaceId, customer, answer, sessionId: 'session-7' });
    const about = {
      ...{ workspace_id: workspaceId, conversation_id: conversation, channel: 'api' },
      ...{ ...nobody, session_id: 'session-7' },
    };
    const told = await kept(webhook.id);
    const grounds = { tier: 'maybe', probability: 0.3, ai_generated: false, quoted: true };
    const asked = { role: 'user', content: 'How long may I send it back?', confidence: null };
    expect(told.map(({ event, data }) => [event, data])).toEqual(
      expect.arrayContaining([
        ['conversation.created', { ...about, status: 'open', customer: { ...known, email_verified: true } }],
        ['message.created', expect.objectContaining({ ...about, ...asked })],
        ['message.created', expect.objectContaining({ ...about, role: 'assistant', ...grounds })],
        [
          'answer.low_confidence',
          {
            ...about,
            message_id: expect.any(String),
            question: asked.content,
            answer: answer.text,
            confidence: 'low',
            ...grounds,
          },
        ],
      ]),
    );
    expect(told).toHaveLength(4);
    for (const { id } of told) expect(id).toMatch(/^evt_[0-9a-f]{32}$/);
  });

  test('keep the session of a platform or a chat to themselves', async () => {
    const { id: workspaceId } = await makeWorkspace();
    const { webhook } = await addHook(url, webhookEvents, workspaceId);
    for (const channel of ['telegram', 'widget'])
      await say({ workspaceId, channel, sessionId: 'secret-session' });
    expect(JSON.stringify(await kept(webhook.id))).not.toContain('secret-session');
  });

  test('report a status change by an agent or a visitor', async () => {
    const { id: workspaceId } = await makeWorkspace();
    const { webhook } = await addHook(url, ['conversation.status_changed'], workspaceId);
    const conversationId = await say({ workspaceId });
    await inbox.change(user, conversationId, { status: 'resolved', tags: ['done'] });
    await say({ workspaceId, conversationId });
    const about = { workspace_id: workspaceId, conversation_id: conversationId, channel: 'api', ...nobody };
    expect((await kept(webhook.id)).map(({ data }) => data)).toEqual([
      { ...about, from: 'open', to: 'resolved', actor: 'Website' },
      { ...about, from: 'resolved', to: 'open', actor: 'visitor' },
    ]);
  });

  test("report a visitor's rating, each change once", async () => {
    const { id: workspaceId } = await makeWorkspace();
    const { webhook } = await addHook(url, ['message.feedback'], workspaceId);
    const conversationId = await say({ workspaceId });
    const { messages } = await inbox.get(user, conversationId);
    const messageId = messages[1]?.id ?? '';
    const judge = (value: 'up' | 'down' | null, comment: string | null = null) =>
      inbox.judge(user, { conversationId, messageId, value, comment });
    await judge('down');
    await judge('down');
    await judge('down', 'Wrong price');
    await judge(null);
    const about = { workspace_id: workspaceId, conversation_id: conversationId, channel: 'api', ...nobody };
    expect((await kept(webhook.id)).map(({ data }) => data)).toEqual([
      { ...about, message_id: messageId, value: 'down', comment: null },
      { ...about, message_id: messageId, value: 'down', comment: 'Wrong price' },
      { ...about, message_id: messageId, value: null, comment: null },
    ]);
  });

  test('report an unsendable message once: at its first failed part, or when all of it is withheld', async () => {
    const { id: workspaceId } = await makeWorkspace();
    const { webhook } = await addHook(url, ['message.failed'], workspaceId);
    const conversationId = await say({ workspaceId });
    const { messages } = await inbox.get(user, conversationId);
    const messageId = messages[1]?.id ?? '';
    await database.kysely
      .insertInto('channel')
      .values({
        ...{ id: `chan_${workspaceId}`, workspace_id: workspaceId, channel: 'sms', name: 'SMS' },
        ...{ credentials_encrypted: '', secret_encrypted: '', settings: '{}', created_at: clock.now() },
      })
      .execute();
    const queue = (message: string) =>
      sql`
      insert into outbound_part (channel_id, workspace_id, lane, conversation_id, message_id, part, author, content,
                                 created_at, next_attempt_at)
      select ${`chan_${workspaceId}`}, ${workspaceId}, 'lane', ${conversationId}, ${message}, part, 'bot', '{}', now(), now()
      from generate_series(1, 3) as part
    `.execute(database.kysely);
    const settle = (message: string, status: string, parts: readonly number[]) =>
      sql`
      update outbound_part set status = ${status}, failure = 'Blocked.'
      where message_id = ${message} and part = any(${parts})
    `.execute(database.kysely);
    await queue(messageId);
    await settle(messageId, 'sent', [1]);
    await settle(messageId, 'withheld', [2]);
    expect(await kept(webhook.id)).toEqual([]);
    await settle(messageId, 'failed', [3]);
    await settle(messageId, 'dead', [2, 3]);
    const about = { workspace_id: workspaceId, conversation_id: conversationId, channel: 'api', ...nobody };
    const failed = {
      ...about,
      message_id: messageId,
      role: 'assistant',
      content: messages[1]?.content,
      author: null,
    };
    const delivery = { reason: 'Blocked.', at: expect.stringMatching(/^\d{4}-.+T.+\.\d{3}Z$/) };
    expect((await kept(webhook.id)).map(({ data }) => data)).toEqual([
      { ...failed, delivery: { ...delivery, status: 'failed' } },
    ]);
    await say({ workspaceId, conversationId });
    const withheldId = (await inbox.get(user, conversationId)).messages[3]?.id ?? '';
    await queue(withheldId);
    await settle(withheldId, 'withheld', [1, 2, 3]);
    expect((await kept(webhook.id)).slice(1).map(({ data }) => data)).toMatchObject([
      { message_id: withheldId, delivery: { ...delivery, status: 'withheld' } },
    ]);
  });

  test('of every kind go to a webhook subscribed to *', async () => {
    const { id: workspaceId } = await makeWorkspace();
    const { webhook } = await addHook(url, ['message.failed', '*'], workspaceId);
    expect(webhook.events).toEqual(['*']);
    await say({ workspaceId });
    const events = (await kept(webhook.id)).map(({ event }) => event);
    expect(events.sort()).toEqual(['conversation.created', 'message.created', 'message.created']);
  });

  test('report a lead, and a handover to a person', async () => {
    const { id: workspaceId } = await makeWorkspace();
    const { webhook } = await addHook(url, ['lead.captured', 'conversation.escalated'], workspaceId);
    const customer = { name: 'Ann', email: 'ann@example.com', phone: null };
    const conversationId = await say({
      workspaceId,
      effects: [
        { kind: 'capture_lead', lead: customer, consent: 'Write to ann@example.com.' },
        { kind: 'escalate', reason: 'The visitor asked for a person.' },
      ],
    });
    const about = {
      workspace_id: workspaceId,
      conversation_id: conversationId,
      channel: 'api',
      ...nobody,
      customer: { ...customer, email_verified: false },
    };
    expect((await kept(webhook.id)).map(({ event, data }) => [event, data])).toEqual([
      [
        'lead.captured',
        { ...about, consent: { words: 'Write to ann@example.com.', at: expect.any(String) } },
      ],
      [
        'conversation.escalated',
        { ...about, reason: 'The visitor asked for a person.', actor: 'escalate_to_human' },
      ],
    ]);
  });

  test('report a document that is indexed or failed', async () => {
    const base = new KnowledgeBase(database);
    const workspaceId = await base.workspace();
    const { webhook } = await addHook(url, ['document.indexed', 'document.failed'], workspaceId);
    const id = await base.add(workspaceId, '# Kettles\n\nThey boil water.');
    const broken = await base.documents.add({ workspaceId, bytes: Buffer.from(''), fileName: 'a.txt' });
    await base.ingest(broken.id);
    const told = await kept(webhook.id);
    expect(told.map(({ event }) => event)).toEqual(['document.indexed', 'document.failed']);
    expect(told[0]?.data).toMatchObject({ document_id: id, title: 'Kettles', chunks: 1, failure: null });
    expect(told[1]?.data).toMatchObject({
      document_id: broken.id,
      file_name: 'a.txt',
      failure: { code: expect.any(String), reason: expect.any(String) },
    });
  });

  test('are only queued and woken if the transaction commits', async () => {
    const { id: workspaceId } = await makeWorkspace();
    const { webhook } = await addHook(url, ['message.created'], workspaceId);
    const { conversations, woken } = openConversations();
    const failing = conversations.storeTurn(plainTurn(workspaceId), () => ({
      kind: { name: 'failing', columns: {}, expression: '1 / 0' },
      values: {},
      errorOf: (cause) => new TypeError('not this time', { cause }),
    }));
    await expect(failing).rejects.toThrow('not this time');
    expect([await kept(webhook.id), woken]).toEqual([[], []]);
    await conversations.storeTurn(plainTurn(workspaceId), () => ({
      kind: { name: 'one', columns: {}, expression: '1' },
      values: {},
      errorOf: (error) => error,
    }));
    await conversations.storeTurn(plainTurn(workspaceId));
    const ids = (await kept(webhook.id)).map(({ id }) => id);
    expect(ids).toHaveLength(4);
    expect(woken.sort()).toEqual(ids.sort());
  });

  test('are woken once each when many turns are stored together', async () => {
    const { id: workspaceId } = await makeWorkspace();
    const { webhook } = await addHook(url, ['message.created'], workspaceId);
    const { conversations, woken } = openConversations();
    const turns = Array.from({ length: 12 }, () => conversations.storeTurn(plainTurn(workspaceId)));
    await Promise.all(turns);
    const ids = (await kept(webhook.id)).map(({ id }) => id);
    expect(ids).toHaveLength(24);
    expect(woken.sort()).toEqual(ids.sort());
  });

  test('are queued for each enabled webhook of the workspace that subscribes to them', async () => {
    const [own, other] = [await makeWorkspace(), await makeWorkspace()];
    const [one, two] = [
      await addHook(url, ['conversation.created'], own.id),
      await addHook(url, ['conversation.created', 'message.created'], own.id),
    ];
    const off = await addHook(url, ['conversation.created'], own.id);
    await webhooks.setEnabled(own.id, off.webhook.id, false);
    const foreign = await addHook(url, ['conversation.created'], other.id);
    await say({ workspaceId: own.id });
    const counts = [one, two, off, foreign].map(async ({ webhook }) => (await kept(webhook.id)).length);
    expect(await Promise.all(counts)).toEqual([1, 3, 0, 0]);
  });

  test('add no row for a workspace without webhooks, and are deleted with their conversation', async () => {
    const { id: workspaceId } = await makeWorkspace();
    await say({ workspaceId });
    expect(await rowsOf(workspaceId)).toBe(0);
    await addHook(url, ['message.created'], workspaceId);
    const conversation = await say({ workspaceId });
    expect(await rowsOf(workspaceId)).toBe(2);
    await inbox.delete(user, conversation);
    expect(await rowsOf(workspaceId)).toBe(0);
  });
});
