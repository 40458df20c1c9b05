import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { query, makeWorkspace, addDocument, runtime } = await openTestServer();

const question = 'How many working days until parcels arrive?';
const workspace = await makeWorkspace({ settings: { audiences: ['staff', 'trade'] } });

beforeAll(async () => {
  await addDocument(
    workspace.id,
    'Parcels arrive within three working days.\n\nOrders can be changed until dispatch.',
  );
});

async function ask(fields: object = {}) {
  const response = await query(workspace.key, { query: question, ...fields });
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}

const customerOf = async (conversationId: string) =>
  runtime.database.kysely
    .selectFrom('conversation')
    .select(['customer_name', 'customer_email', 'customer_user_id', 'session_id', 'channel', 'message_count'])
    .where('id', '=', conversationId)
    .executeTakeFirstOrThrow();

describe('an answer', () => {
  test('has every field of both documented variants', async () => {
    expect(await ask()).toEqual({
      answer: expect.stringContaining('three working days'),
      sources: expect.any(Array),
      citations: expect.any(Array),
      conversation_id: expect.stringMatching(/^conv_\w+$/),
      message_id: expect.stringMatching(/^msg_\w+$/),
      query_id: expect.any(String),
      tokens_used: expect.any(Number),
      skills_fired: expect.arrayContaining(['knowledge_search']),
      latency_ms: expect.any(Number),
      confidence: expect.stringMatching(/^(high|medium)$/),
      tier: 'answer',
      probability: expect.any(Number),
      ai_generated: false,
      quoted: true,
      lead: 'Parcels arrive within three working days.',
    });
  });

  test('shows the same section whatever top_k is', async () => {
    const items = Array.from({ length: 40 }, (_, index) => `- Spare part ${index} fits the mill of oak.`);
    await addDocument(workspace.id, `## Spare parts for mills\n\n${items.join('\n')}`);
    const query = 'Which spare part fits the mill of oak?';
    const [narrow, wide] = [await ask({ query, top_k: 1 }), await ask({ query, top_k: 20 })];
    expect(narrow.answer).toContain('Spare part 0 ');
    expect(narrow.answer).toContain('Spare part 39 ');
    expect(narrow.answer).toBe(wide.answer);
    expect(narrow.citations).toEqual(wide.citations);
  });

  test('names a source with the fields of both variants and equal values', async () => {
    const { sources } = await ask();
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) {
      expect(source).toEqual({
        document_id: expect.stringMatching(/^doc_\w+$/),
        chunk_id: expect.any(String),
        title: source.document_name,
        document_name: expect.any(String),
        headings: [],
        changed_at: expect.stringMatching(/^\d{4}-.*Z$/),
        url: null,
        chunk: source.chunk_text,
        chunk_text: expect.any(String),
        place: null,
        score: source.relevance_score,
        relevance_score: expect.any(Number),
      });
    }
  });

  test('has a query_id equal to its message_id', async () => {
    const answer = await ask();
    expect(answer.query_id).toBe(answer.message_id);
  });

  test('is the fallback message of the workspace with low confidence if the documents contain no answer', async () => {
    const other = await makeWorkspace({ settings: { fallback_message: 'Ask the desk.' } });
    const response = await query(other.key, { query: question });
    expect(response.json()).toMatchObject({ answer: 'Ask the desk.', confidence: 'low', sources: [] });
  });

  test('is the fallback message of the workspace for the language of the question', async () => {
    const settings = {
      fallback_messages: { de: 'Fragen Sie am Tresen.' },
      fallback_message: 'Ask the desk.',
    };
    const other = await makeWorkspace({ settings });
    const asked = async (text: string) => (await query(other.key, { query: text })).json().answer;
    expect(await asked('Wann öffnet der Laden am Sonntag?')).toBe('Fragen Sie am Tresen.');
    expect(await asked('Quand ouvrez-vous le dimanche matin ?')).toBe('Ask the desk.');
    const german = await makeWorkspace({ settings: { fallback_messages: { de: 'Fragen Sie am Tresen.' } } });
    const french = await query(german.key, { query: 'Quand ouvrez-vous le dimanche matin ?' });
    expect(french.json().answer).toContain("Je n'ai pas trouvé de réponse");
  });

  test('ignores unknown fields', async () => {
    await ask({ colour: 'blue', stream: true });
  });

  test('accepts text that JSON allows and a database does not', async () => {
    const odd = 'parcels\u0000 arrive \ud83d when';
    const answer = await ask({ query: odd, session_id: odd, metadata: { [odd]: [odd] } });
    expect((await customerOf(answer.conversation_id)).session_id).toBe('parcels arrive \ufffd when');
  });
});

describe('a workspace', () => {
  test('defaults to that of the key', async () => {
    const { conversation_id } = await ask();
    const row = await runtime.database.kysely
      .selectFrom('conversation')
      .select('workspace_id')
      .where('id', '=', conversation_id)
      .executeTakeFirstOrThrow();
    expect(row.workspace_id).toBe(workspace.id);
  });

  test('may be another one of the same owner', async () => {
    const sibling = await makeWorkspace({
      owner: workspace.owner,
      settings: { fallback_message: 'The sibling.' },
    });
    expect(await ask({ workspace_id: sibling.id })).toMatchObject({ answer: 'The sibling.' });
  });
});

describe('a conversation', () => {
  test('starts with a query and continues by its id', async () => {
    const first = await ask();
    const second = await ask({ conversation_id: first.conversation_id });
    expect(second.conversation_id).toBe(first.conversation_id);
    expect(second.message_id).not.toBe(first.message_id);
    expect(await customerOf(first.conversation_id)).toMatchObject({ message_count: 4, channel: 'api' });
  });

  test('keeps the session in which it started', async () => {
    const { conversation_id } = await ask({ session_id: 'one' });
    await ask({ conversation_id, session_id: 'one' });
    expect((await customerOf(conversation_id)).session_id).toBe('one');
  });
});

describe('a verified visitor', () => {
  const user = { user_id: 'u-1', name: 'Ada', email: 'ada@example.org' };
  const hash = createHmac('sha256', workspace.identitySecret).update(user.user_id).digest('hex');
  const token = (claims: object) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(user.user_id)
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode(workspace.identitySecret));

  test('with a hash sets the name and email of the conversation', async () => {
    const { conversation_id } = await ask({ user: { ...user, hash } });
    expect(await customerOf(conversation_id)).toMatchObject({
      customer_name: 'Ada',
      customer_email: 'ada@example.org',
    });
  });

  test('with a token sets them from the claims', async () => {
    const verification_token = await token({ name: 'Grace', email: 'grace@example.org' });
    const { conversation_id } = await ask({ verification_token });
    expect(await customerOf(conversation_id)).toMatchObject({
      customer_name: 'Grace',
      customer_email: 'grace@example.org',
    });
  });

  test('keeps known details if a later request has fewer', async () => {
    const { conversation_id } = await ask({ user: { ...user, hash } });
    await ask({ conversation_id, user: { user_id: user.user_id, hash } });
    expect(await customerOf(conversation_id)).toMatchObject({
      customer_name: 'Ada',
      customer_email: 'ada@example.org',
    });
  });

  test('can continue a conversation that started anonymously', async () => {
    const { conversation_id } = await ask();
    await ask({ conversation_id, user: { ...user, hash } });
    expect(await customerOf(conversation_id)).toMatchObject({ customer_name: 'Ada', message_count: 4 });
    await ask({ conversation_id, verification_token: await token({}) });
  });

  test('without a proof is kept as stated, and is not verified', async () => {
    const { conversation_id } = await ask({ user });
    expect(await customerOf(conversation_id)).toMatchObject({
      ...{ customer_name: 'Ada', customer_email: 'ada@example.org', customer_user_id: null },
    });
  });

  test('is answered if the workspace requires a proof', async () => {
    const strict = await makeWorkspace({ settings: { require_identity_verification: true } });
    const proof = createHmac('sha256', strict.identitySecret).update('u-1').digest('hex');
    const response = await query(strict.key, { query: question, user: { user_id: 'u-1', hash: proof } });
    expect(response.statusCode).toBe(200);
  });

  test('sees documents of their audience claim, which nobody else sees', async () => {
    await addDocument(workspace.id, 'The trade discount on bulk orders is twelve per cent.', ['trade']);
    const discount = { query: 'What is the trade discount on bulk orders?' };
    const verification_token = await token({ audience: ['trade'] });
    expect((await ask({ ...discount, verification_token })).answer).toContain('twelve per cent');
    expect((await ask({ ...discount, audience: ['trade'] })).answer).toContain('twelve per cent');
    expect((await ask(discount)).answer).not.toContain('twelve per cent');
    expect((await ask({ ...discount, audience: ['staff'] })).answer).not.toContain('twelve per cent');
  });
});

describe('document_ids', () => {
  test('restrict the documents of an answer', async () => {
    const only = await addDocument(workspace.id, 'Gift cards are valid for two years.');
    const { sources } = await ask({ query: 'How long are gift cards valid?', document_ids: [only.id] });
    expect(new Set(sources.map((source: { document_id: string }) => source.document_id))).toEqual(
      new Set([only.id]),
    );
    expect((await ask({ document_ids: [only.id] })).answer).not.toContain('three working days');
  });
});
