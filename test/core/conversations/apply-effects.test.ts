import { describe, expect, test } from 'vitest';
import { Conversations } from '../../../core/conversations/conversations.ts';
import type { Turn } from '../../../core/conversations/messages/turn.ts';
import { SecretBox } from '../../../core/secrets/secret-box.ts';
import { Workspaces } from '../../../core/workspaces/workspaces.ts';
import { plainTurn } from '../../helpers/models/plain-turn.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

const escalate = { kind: 'escalate', reason: 'The visitor asked for a person.' } as const;
const lead = {
  kind: 'capture_lead',
  lead: { name: null, email: 'ann@example.com', phone: null },
  consent: 'Write to ann@example.com, please.',
} as const;

describe.each(testEngines)('the effects of skills on a conversation on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const time = { now: new Date('2026-03-01T10:00:00Z') };
  const stores = { database: database.kysely, clock: { now: () => time.now } };
  const conversations = new Conversations(stores);
  const workspaces = new Workspaces({ ...stores, secretBox: new SecretBox(Buffer.alloc(32)) });
  const workspaceId = (await workspaces.create({ name: 'Test' })).workspace.id;
  const store = (change: Partial<Turn>) => conversations.storeTurn(plainTurn(workspaceId, change));
  const recall = (conversationId: string) =>
    conversations.loadMemory({ workspaceId, conversationId, sessionId: null, userId: null });
  const row = (id: string) =>
    database.kysely.selectFrom('conversation').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const audit = (id: string) =>
    database.kysely
      .selectFrom('audit_entry')
      .select(['action', 'actor', 'details'])
      .where('conversation_id', '=', id)
      .orderBy('at')
      .orderBy('id')
      .execute();

  test('escalate it, record the reason and start the wait for a first reply', async () => {
    const { conversationId } = await store({ effects: [escalate] });
    expect(await row(conversationId)).toMatchObject({
      status: 'escalated',
      handover_since: time.now,
      unanswered_since: time.now,
    });
    expect(await audit(conversationId)).toEqual([
      {
        action: 'status_changed',
        actor: 'escalate_to_human',
        details: { from: 'open', to: 'escalated', reason: escalate.reason },
      },
    ]);
    expect(await recall(conversationId)).toMatchObject({ withPerson: true });
  });

  test('do not change a conversation that an agent already has', async () => {
    const { conversationId } = await store({});
    await database.kysely
      .updateTable('conversation')
      .set({ status: 'claimed' })
      .where('id', '=', conversationId)
      .execute();
    await store({ conversationId, effects: [escalate] });
    expect(await row(conversationId)).toMatchObject({ status: 'claimed' });
    expect(await audit(conversationId)).toEqual([]);
  });

  test('replace an unverified address with a lead’s, but not a verified one', async () => {
    const known = { name: 'Ann', email: 'verified@example.com', phone: null };
    const addressOf = async (id: string) => {
      const { customer_email, customer_email_verified } = await row(id);
      return [customer_email, customer_email_verified];
    };
    const verified = await store({ customer: { ...known, emailVerified: true } });
    await store({ conversationId: verified.conversationId, effects: [lead] });
    expect(await addressOf(verified.conversationId)).toEqual(['verified@example.com', true]);
    const told = await store({ customer: { ...known, emailVerified: false } });
    await store({ conversationId: told.conversationId, effects: [lead] });
    expect(await addressOf(told.conversationId)).toEqual(['ann@example.com', false]);
  });

  test('add a lead’s fields to the customer and record the names of the changed fields', async () => {
    const customer = { name: 'Ann', email: null, phone: '+49 30 1234' };
    const { conversationId } = await store({ customer: { ...customer, emailVerified: false } });
    await store({ conversationId, effects: [lead] });
    expect((await recall(conversationId)).customer).toEqual({ ...customer, email: 'ann@example.com' });
    expect(await audit(conversationId)).toEqual([
      { action: 'lead_captured', actor: 'collect_lead', details: { fields: ['email'] } },
    ]);
  });

  test('pass a skill’s state to the next message, and drop it afterwards', async () => {
    const awaited = { skill: 'collect_lead', state: { asked: ['email'] }, messages: 2 };
    const { conversationId } = await store({ awaited });
    expect(await recall(conversationId)).toMatchObject({ awaited });
    await store({ conversationId, awaited: null });
    expect(await recall(conversationId)).toMatchObject({ awaited: null });
  });

  test('discard the whole turn if one of them fails', async () => {
    const { conversationId } = await store({});
    const failing = store({
      conversationId,
      effects: [{ ...lead, lead: { ...lead.lead, email: 'a\0b' } }],
    });
    await expect(failing).rejects.toThrow();
    expect(await row(conversationId)).toMatchObject({ message_count: 2, customer_email: null });
  });
});
