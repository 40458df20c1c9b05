import { beforeAll, describe, expect, test } from 'vitest';
import { storeEditedMessage } from '../../../../core/conversations/messages/edited-messages.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const server = await openTestServer();
const { runtime, operate } = server;
const workspace = await server.makeWorkspace({ name: 'Shop' });

beforeAll(async () => {
  await server.addDocument(workspace.id, 'Parcels to Norway take six working days.', [], {
    title: 'Delivery',
  });
});

async function ask(query: string, more: object = {}) {
  const { conversation_id, message_id } = (await server.query(workspace.key, { query, ...more })).json();
  const path = `/workspaces/${workspace.id}/conversations/${conversation_id}/messages/${message_id}/decision`;
  return { conversation_id, path, explain: () => operate('GET', path) };
}

describe('the decision of an answer', () => {
  test('tells how the message was understood, what was found and what decided', async () => {
    const { explain } = await ask('How many working days do parcels to Norway take?');
    expect((await explain()).json().decision).toMatchObject({
      understood: 'questions',
      questions: [{ asked: 'How many working days do parcels to Norway take?' }],
      passages: [{ title: 'Delivery' }],
      evidence: { fused: expect.any(Number), meaning: expect.any(Number), lead: expect.any(Number) },
      act: 'quote',
      concluded: expect.stringMatching(/^Each answered question has a section with at least [01]\.\d+\.$/u),
    });
  });

  test('names the text that was searched, if it was completed from the conversation', async () => {
    const { conversation_id } = await ask('How many working days do parcels to Norway take?');
    const { explain } = await ask('And why?', { conversation_id });
    const [question] = (await explain()).json().decision.questions;
    expect(question).toMatchObject({ asked: 'And why?', searched: expect.stringContaining('Norway') });
  });

  test('masks what the question masks', async () => {
    const masked = await server.makeWorkspace({ name: 'Bank', settings: { mask_secrets: true } });
    const query = 'Is 4111 1111 1111 1111 a card that you take?';
    const { conversation_id, message_id } = (await server.query(masked.key, { query })).json();
    const path = `/workspaces/${masked.id}/conversations/${conversation_id}/messages/${message_id}/decision`;
    const { body } = await operate('GET', path);
    expect(body).toContain('[card]');
    expect(body).not.toContain('4111');
  });

  test('is of the answers of its own conversation and workspace alone', async () => {
    const { path } = await ask('How many working days do parcels to Norway take?');
    const other = await server.makeWorkspace({ name: 'Other' });
    const elsewhere = path.replace(workspace.id, other.id);
    expect((await operate('GET', elsewhere)).json().code).toBe('conversation_not_found');
    const unknown = path.replace(/msg_\w+/u, 'msg_unknown');
    expect((await operate('GET', unknown)).json().code).toBe('message_not_found');
  });

  test('goes when the visitor edits or deletes an earlier message', async () => {
    const { conversation_id, explain } = await ask('How many working days do parcels to Norway take?');
    const { kysely } = runtime.database;
    await kysely.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom('message')
        .selectAll()
        .where('conversation_id', '=', conversation_id)
        .where('role', '=', 'user')
        .executeTakeFirstOrThrow();
      await storeEditedMessage(transaction, row, {
        ...{ content: '', metadata: {}, isGone: true, now: runtime.clock.now() },
      });
    });
    expect((await explain()).json()).toEqual({ decision: null });
  });
});
