import { createParser } from 'eventsource-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import { ingestDocument } from '../../../../core/knowledge/indexing/ingest-document.ts';
import { openPublicServer } from '../../../helpers/servers/open-public-server.ts';

const { app, askPublicly, askByAddress, openWorkspace, runtime, messagesOf } = await openPublicServer();

const query = 'How many working days until parcels arrive?';
const workspace = await openWorkspace({ name: 'Garden shop' });
const { id } = workspace;

async function add(content: string, url?: string): Promise<string> {
  const document = await runtime.documents.add({
    workspaceId: id,
    bytes: Buffer.from(content),
    url,
    title: 'Help',
  });
  await ingestDocument({ ...runtime, database: runtime.database.kysely }, document.id);
  return document.id;
}

beforeAll(async () => {
  await add('Parcels arrive within three working days.', 'https://shop.example/help/delivery');
});

/** The messages of an answer in events. */
function messagesIn(body: string) {
  const messages: { message_type: string; query_id: string; [field: string]: unknown }[] = [];
  createParser({ onEvent: ({ data }) => messages.push(JSON.parse(data)) }).feed(body);
  return messages;
}

const result = {
  url: 'https://shop.example/help/delivery',
  name: 'Help',
  site: 'shop.example',
  score: expect.any(Number),
  description: 'Parcels arrive within three working days.',
  schema_object: expect.objectContaining({
    '@type': 'CreativeWork',
    name: 'Help',
    url: 'https://shop.example/help/delivery',
  }),
};

const certainty = { tier: 'answer', probability: expect.any(Number) };

describe('without streaming, the answer is one object', () => {
  const answerOf = async (parameters: Record<string, string>) => {
    const response = await askByAddress(id, { query, streaming: 'false', ...parameters });
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    return response.json();
  };

  test('a list of results by default', async () => {
    expect(await answerOf({})).toEqual({ query_id: expect.stringMatching(/^\S+$/), results: [result] });
  });

  test('with a summary in mode summarize', async () => {
    expect(await answerOf({ mode: 'summarize' })).toEqual({
      query_id: expect.any(String),
      results: [result],
      summary: expect.stringContaining('three working days'),
      ...certainty,
    });
  });

  test('with an answer and its passages in mode generate', async () => {
    expect(await answerOf({ mode: 'generate' })).toEqual({
      query_id: expect.any(String),
      results: [result],
      answer: expect.stringContaining('three working days'),
      items: [result],
      ...certainty,
    });
  });

  test.each([{ generate_mode: 'summarize' }, { mode: 'Summarize' }])(
    'accepts other spellings of the mode: %j',
    async (parameters) => {
      expect(await answerOf(parameters)).toHaveProperty('summary');
    },
  );

  test('with the query_id of the client', async () => {
    expect(await answerOf({ query_id: 'mine-1' })).toMatchObject({ query_id: 'mine-1' });
  });

  test('scored from 0 to 100, best first', async () => {
    const { results } = await answerOf({});
    expect(results[0].score).toBeGreaterThan(50);
    expect(results[0].score).toBeLessThanOrEqual(100);
  });

  test('without results if nothing is related to the question', async () => {
    const other = await openWorkspace();
    const response = await askByAddress(other.id, { query, streaming: '0' });
    expect(response.json()).toEqual({ query_id: expect.any(String), results: [] });
  });
});

describe('as events, the default', () => {
  const messagesOfMode = async (mode?: string) => {
    const response = await askByAddress(id, {
      query,
      query_id: 'q1',
      ...(mode === undefined ? {} : { mode }),
    });
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    return messagesIn(response.body);
  };
  const complete = { message_type: 'complete', query_id: 'q1' };
  const batch = { message_type: 'result_batch', results: [result], query_id: 'q1' };

  test('a list arrives as a batch of results', async () => {
    expect(await messagesOfMode()).toEqual([batch, complete]);
  });

  test('a summary follows its results', async () => {
    const message = expect.stringContaining('three working days');
    expect(await messagesOfMode('summarize')).toEqual([
      batch,
      { message_type: 'summary', message, ...certainty, query_id: 'q1' },
      complete,
    ]);
  });

  test('a generated answer arrives with its items', async () => {
    const answer = expect.stringContaining('three working days');
    expect(await messagesOfMode('generate')).toEqual([
      { message_type: 'nlws', answer, items: [result], ...certainty, query_id: 'q1' },
      complete,
    ]);
  });
});

describe('earlier questions', () => {
  const listed = async (parameters: Record<string, string>) =>
    (await askByAddress(id, { streaming: 'false', ...parameters }))
      .json()
      .results.map(({ description }: { description: string }) => description);

  beforeAll(async () => {
    await add('Engraving a spade costs 30 euros.');
    await add('Sharpening a pair of shears costs 14 euros.');
  });

  test.each([
    'Which tools do you sharpen, Do you sharpen shears?',
    '["Which tools do you sharpen?", "Do you sharpen shears?"]',
  ])('give a follow-up its topic: %s', async (prev) => {
    expect((await listed({ query: 'And how much does that cost?', prev }))[0]).toContain('14 euros');
  });

  test('are ignored if the client sends a complete question', async () => {
    const found = await listed({
      query: 'And that?',
      prev: 'When do parcels arrive?',
      decontextualized_query: 'What does sharpening a pair of shears cost?',
    });
    expect(found[0]).toContain('14 euros');
  });

  test('a document without a URL is named by its id', async () => {
    const response = await askByAddress(id, {
      query: 'What does sharpening shears cost?',
      streaming: 'false',
    });
    expect(response.json().results[0]).toMatchObject({
      url: expect.stringMatching(/^urn:parley:document:doc_\w+$/),
      site: 'Garden shop',
    });
  });
});

describe('a body', () => {
  test.each([
    { mode: 'list' },
    { prev: [] },
    { query_id: 'x' },
    { streaming: true },
    { generate_mode: 'list' },
    { decontextualized_query: query },
  ])('with a parameter of the NLWeb protocol is answered in that format: %j', async (fields) => {
    const response = await askPublicly(id, { query, ...fields });
    expect(messagesIn(response.body).at(-1)).toMatchObject({ message_type: 'complete' });
  });

  test('accepts booleans and turns of a thread', async () => {
    const previous_responses = [{ role: 'user', content: 'Do you sharpen shears?' }];
    const response = await askPublicly(id, {
      query: 'And how much does that cost?',
      mode: 'summarize',
      streaming: false,
      previous_responses,
    });
    expect(response.json().summary).toContain('14 euros');
  });
});

test('every mode counts as one message of the owner', async () => {
  for (const mode of ['list', 'summarize', 'generate']) {
    const before = await messagesOf(workspace.owner);
    await askByAddress(id, { query, mode });
    expect(await messagesOf(workspace.owner), mode).toBe(before + 1);
  }
});

test('HEAD does not ask a question', async () => {
  const before = await messagesOf(workspace.owner);
  const response = await app.inject({ method: 'HEAD', url: `/api/nlweb/${id}/ask?query=Hello` });
  expect(response.statusCode).toBe(405);
  expect(await messagesOf(workspace.owner)).toBe(before);
});
