import { expect, test } from 'vitest';
import { openConversationServer } from '../../../../helpers/servers/open-conversation-server.ts';

const { call, say, time } = await openConversationServer();
const id = await say();
const add = (payload: object) => call('POST', `/conversations/${id}/notes`, { payload });

test('a note has the name of the key that adds it', async () => {
  const response = await add({ content: ' Asked twice. ' });
  expect(response.statusCode, response.body).toBe(201);
  expect(response.json()).toEqual({
    id: expect.stringMatching(/^note_/),
    conversation_id: id,
    content: 'Asked twice.',
    author: 'Test',
    created_at: time.now.toISOString(),
  });
});

test('a note has the email address of the agent if one is given', async () => {
  const notes = [
    await add({ content: 'Mine', author_email: 'ann@shop.example' }),
    await add({ content: 'Of the key', author_email: null }),
  ];
  expect(notes.map((note) => note.json().author)).toEqual(['ann@shop.example', 'Test']);
});

test('notes are returned with their conversation and recorded in its audit log, and never in messages', async () => {
  const own = await say();
  const { json } = await call('POST', `/conversations/${own}/notes`, { payload: { content: 'Secret' } });
  const view = (await call('GET', `/conversations/${own}`)).json();
  expect(view.internal_notes).toEqual([json()]);
  expect(view.audit_log).toMatchObject([{ action: 'note_added', details: { note_id: json().id } }]);
  expect(JSON.stringify(view.messages)).not.toContain('Secret');
});
