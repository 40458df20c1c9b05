import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { openPublicServer } from '../../../helpers/servers/open-public-server.ts';

const { app, askPublicly, openWorkspace, addDocument, query, messagesOf, runtime } = await openPublicServer();

const question = 'How many working days until parcels arrive?';
const workspace = await openWorkspace({ settings: { audiences: ['trade'] } });

beforeAll(async () => {
  await addDocument(
    workspace.id,
    [
      'Parcels arrive within three working days.',
      'Engraving a spade costs 30 euros.',
      'Sharpening a pair of shears costs 14 euros.',
    ].join('\n\n'),
  );
  await addDocument(workspace.id, 'The trade discount on bulk orders is twelve per cent.', ['trade']);
});

async function ask(fields: object = {}, id = workspace.id) {
  const response = await askPublicly(id, { query: question, ...fields });
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}

const rowOf = (conversationId: string) =>
  runtime.database.kysely
    .selectFrom('conversation')
    .select(['workspace_id', 'channel', 'message_count'])
    .where('id', '=', conversationId)
    .executeTakeFirstOrThrow();

const conversations = async () =>
  (await runtime.database.kysely.selectFrom('conversation').select('id').execute()).length;

describe('an answer', () => {
  test('has exactly the documented fields', async () => {
    const answer = await ask();
    expect(answer).toEqual({
      answer: expect.stringContaining('three working days'),
      answer_type: 'text',
      sources: expect.any(Array),
      conversation_id: expect.stringMatching(/^conv_\w+$/),
      tier: 'answer',
      probability: expect.any(Number),
    });
    expect(answer.sources.length).toBeGreaterThan(0);
    for (const source of answer.sources) {
      expect(source).toEqual({
        name: expect.any(String),
        snippet: expect.any(String),
        relevance: expect.any(Number),
      });
    }
  });

  test('says so if it may be another one', async () => {
    const unsure = await openWorkspace({ settings: { answer_from: 0.9, maybe_from: 0.05 } });
    await addDocument(unsure.id, 'Parcels arrive within three working days.');
    const { tier, probability } = await ask({ query: 'Are parcels quick?' }, unsure.id);
    expect(tier).toBe('maybe');
    expect(probability).toBeLessThan(0.9);
  });

  test('is one JSON response for pages of any origin, without credentials', async () => {
    const response = await askPublicly(workspace.id, { query: question }, { origin: 'https://x.example' });
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
    });
    expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test('uses only public documents, whatever the client claims', async () => {
    const hash = createHmac('sha256', workspace.identitySecret).update('u').digest('hex');
    const claims = { audience: ['trade'], user: { user_id: 'u', hash } };
    const { answer } = await ask({ query: 'What is the trade discount on bulk orders?', ...claims });
    expect(answer).not.toContain('twelve per cent');
  });

  test('needs no identity proof, even if the workspace requires one of its visitors', async () => {
    const { id } = await openWorkspace({ settings: { require_identity_verification: true } });
    await ask({}, id);
  });

  test('is available on the free plan', async () => {
    const { id } = await openWorkspace({ plan: 'free' });
    await ask({}, id);
  });

  test('counts as one message of the owner', async () => {
    const before = await messagesOf(workspace.owner);
    await ask();
    expect(await messagesOf(workspace.owner)).toBe(before + 1);
  });

  test('ignores the site and unknown fields', async () => {
    await ask({ site: 'https://anywhere.example', colour: 'blue', temperature: 'hot' });
  });

  test('accepts text that JSON allows and a database does not', async () => {
    await ask({ query: 'parcels\u0000 arrive \ud83d when', site: '\u0000' });
  });
});

describe('the fallback message', () => {
  const unknown = { query: 'What is the capital of Peru?' };

  test.each([
    [{ locale: 'de' }, 'keine Antwort'],
    [{ locale: 'de-CH' }, 'keine Antwort'],
    [{ locale: 'FR' }, "n'ai pas trouvé"],
    [{ locale: 'xx' }, 'could not find'],
    [{}, 'could not find'],
  ])('is in the requested language, else in that of the question: %j', async (fields, words) => {
    expect(await ask({ ...unknown, ...fields })).toMatchObject({
      answer: expect.stringContaining(words),
      sources: [],
    });
  });

  test('is that of the workspace if it has one', async () => {
    const { id } = await openWorkspace({ settings: { fallback_message: 'Ask the desk.' } });
    expect(await ask({ ...unknown, locale: 'de' }, id)).toMatchObject({ answer: 'Ask the desk.' });
  });
});

describe('a thread', () => {
  test('starts a conversation of the workspace', async () => {
    const { conversation_id } = await ask();
    expect(await rowOf(conversation_id)).toEqual({
      workspace_id: workspace.id,
      channel: 'api',
      message_count: 2,
    });
  });

  test.each([
    ['an item with its own role', (id: string) => ({ role: 'conversation_id', content: id })],
    ['a property', (id: string) => ({ conversation_id: id })],
    ['an item with content', (id: string) => ({ role: 'assistant', content: 'Hello.', conversation_id: id })],
    [
      'a complete earlier answer',
      (id: string) => ({ answer: '…', answer_type: 'text', conversation_id: id }),
    ],
    ['the content of any role', (id: string) => ({ role: 'assistant', content: ` ${id} ` })],
    ['the bare id', (id: string) => id],
  ])('continues with its conversation_id as %s', async (_what, item) => {
    const { conversation_id } = await ask();
    const previous_responses = [{ role: 'user', content: question }, item(conversation_id)];
    expect((await ask({ previous_responses })).conversation_id).toBe(conversation_id);
    expect(await rowOf(conversation_id)).toMatchObject({ message_count: 4 });
  });

  test('remembers earlier turns', async () => {
    const { conversation_id } = await ask({ query: 'Do you offer sharpening of shears?' });
    const previous_responses = [{ conversation_id }];
    const { answer } = await ask({ query: 'And how much does that cost?', previous_responses });
    expect(answer).toContain('Sharpening a pair of shears costs 14 euros.');
  });

  test('starts a new conversation for an id of another workspace, of another interface or an unknown one', async () => {
    const other = await openWorkspace();
    const foreign = (await ask({}, other.id)).conversation_id;
    const owned = (await query(workspace.key, { query: question })).json().conversation_id;
    for (const id of [foreign, owned, 'conv_unknown', "conv_'"]) {
      const { conversation_id } = await ask({ previous_responses: [{ conversation_id: id }] });
      expect(conversation_id).not.toBe(id);
    }
    expect(await rowOf(owned)).toMatchObject({ message_count: 2 });
  });

  test('that starts a new conversation counts as one message', async () => {
    const before = await messagesOf(workspace.owner);
    await ask({ previous_responses: [{ conversation_id: 'conv_unknown' }] });
    expect(await messagesOf(workspace.owner)).toBe(before + 1);
  });

  test('that the client sends gives a follow-up its topic and is not stored', async () => {
    const followUp = 'And how much does that cost?';
    const previous_responses = [
      { role: 'user', content: 'Do you offer sharpening of shears?' },
      { role: 'assistant', content: 'Yes, we do.' },
      { role: 'user', content: followUp },
    ];
    const before = await conversations();
    const { answer, conversation_id } = await ask({ query: followUp, previous_responses });
    expect(answer).toContain('Sharpening a pair of shears costs 14 euros.');
    expect(await conversations()).toBe(before + 1);
    expect(await rowOf(conversation_id)).toMatchObject({ message_count: 2 });
  });
});

test('answers a preflight of any origin, for any workspace', async () => {
  const response = await app.inject({
    method: 'OPTIONS',
    url: '/api/nlweb/ws_any/ask',
    headers: { origin: 'https://x.example', 'access-control-request-method': 'POST' },
  });
  expect(response.statusCode).toBe(204);
  expect(response.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': expect.stringContaining('Content-Type'),
  });
});

test('rejects other methods and lists the supported ones', async () => {
  const response = await app.inject({ method: 'DELETE', url: `/api/nlweb/${workspace.id}/ask` });
  expect([response.statusCode, response.headers.allow]).toEqual([405, 'GET, OPTIONS, POST']);
});
