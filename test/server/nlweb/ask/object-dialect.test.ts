import { createParser } from 'eventsource-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import { ingestDocument } from '../../../../core/knowledge/indexing/ingest-document.ts';
import { openPublicServer } from '../../../helpers/servers/open-public-server.ts';

const { askPublicly, openWorkspace, addDocument, runtime, messagesOf } = await openPublicServer();

const text = 'How many working days until parcels arrive?';
const workspace = await openWorkspace({ name: 'Garden shop' });

beforeAll(async () => {
  await addDocument(workspace.id, 'Parcels arrive within three working days.');
  await addDocument(workspace.id, 'Sharpening a pair of shears costs 14 euros.');
  const added = await runtime.documents.add({
    workspaceId: workspace.id,
    bytes: Buffer.from('Parcels to islands arrive within six working days.'),
    url: 'https://shop.example/islands',
  });
  await ingestDocument({ ...runtime, database: runtime.database.kysely }, added.id);
});

const whole = { streaming: false } as const;

async function ask(fields: object = {}) {
  const response = await askPublicly(workspace.id, { query: { text }, prefer: whole, ...fields });
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}

describe('a question in an object', () => {
  test('returns passages as results and as text, in the format of the protocol', async () => {
    const answer = await ask();
    expect(answer).toEqual({
      _meta: { response_type: 'Answer', version: '0.54', request_id: expect.stringMatching(/^req_/) },
      results: [
        {
          '@context': 'https://schema.org',
          '@type': 'CreativeWork',
          '@id': expect.stringMatching(/^urn:parley:document:doc_/),
          url: expect.any(String),
          name: expect.any(String),
          site: 'Garden shop',
          score: expect.any(Number),
          description: 'Parcels arrive within three working days.',
          grounding: { source_urls: [] },
        },
        expect.objectContaining({
          url: 'https://shop.example/islands',
          site: 'shop.example',
          grounding: { source_urls: ['https://shop.example/islands'] },
        }),
      ],
      content: [
        { type: 'text', text: expect.stringContaining('three working days') },
        { type: 'text', text: expect.stringContaining('six working days') },
      ],
      structuredData: answer.results,
    });
  });

  test('returns only the preferred format', async () => {
    const searching = await ask({ prefer: { ...whole, response_format: 'conv_search' } });
    expect(Object.keys(searching)).toEqual(['_meta', 'results']);
    expect(searching._meta.response_format).toBe('conv_search');
    const chatting = await ask({ prefer: { ...whole, response_format: 'chatgpt_app' } });
    expect(Object.keys(chatting)).toEqual(['_meta', 'content', 'structuredData']);
  });

  test.each([
    ['generate', 'Answer'],
    ['summarize', 'Summary'],
    ['list, summary', 'Summary'],
  ])('returns a generated text with mode %s', async (mode, type) => {
    const { results, content } = await ask({ prefer: { ...whole, mode } });
    expect(results[0]).toEqual({
      '@type': type,
      text: expect.stringContaining('three working days'),
      ...{ tier: 'answer', probability: expect.any(Number) },
    });
    expect(results[1]).toMatchObject({ '@type': 'CreativeWork' });
    expect(content).toEqual([{ type: 'text', text: expect.stringContaining('three working days') }]);
  });

  test('continues the conversation of its session context', async () => {
    const prefer = { ...whole, mode: 'generate' };
    const first = await ask({ query: { text: 'Do you offer sharpening of shears?' }, prefer });
    const { session_context } = first._meta;
    const second = await ask({
      query: { text: 'And how much does that cost?' },
      prefer,
      meta: { session_context },
    });
    expect(second._meta.session_context).toEqual(session_context);
    expect(second.content[0].text).toBe('Sharpening a pair of shears costs 14 euros.');
  });

  test('uses the earlier questions of its context', async () => {
    const { content } = await ask({
      query: { text: 'And how much does that cost?' },
      context: { prev: ['Do you offer sharpening of shears?'] },
      prefer: { ...whole, mode: 'generate' },
    });
    expect(content[0].text).toBe('Sharpening a pair of shears costs 14 euros.');
  });

  test('returns at most the requested number and no lower scores than requested', async () => {
    expect((await ask({ query: { text, max_results: 1 } })).results).toHaveLength(1);
    const { results, content } = await ask({ query: { text, min_score: 100 } });
    expect(results).toEqual([]);
    expect(content).toHaveLength(1);
  });

  test('returns a sentence if nothing is found', async () => {
    const { results, content } = await ask({ query: { text: 'What is the capital of Peru?' } });
    expect([results, content.length, content[0].text.length > 0]).toEqual([[], 1, true]);
  });

  test('returns events by default: the metadata, then the answer', async () => {
    const response = await askPublicly(workspace.id, { query: { text } });
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const frames: unknown[] = [];
    createParser({ onEvent: ({ data }) => frames.push(JSON.parse(data)) }).feed(response.body);
    expect(frames).toEqual([
      { _meta: expect.objectContaining({ response_type: 'Answer', version: '0.54' }) },
      expect.objectContaining({ results: expect.any(Array), content: expect.any(Array) }),
    ]);
  });

  test('counts as one message of the owner', async () => {
    const before = await messagesOf(workspace.owner);
    await ask();
    expect(await messagesOf(workspace.owner)).toBe(before + 1);
  });
});

describe('an invalid field', () => {
  const longest = 'x'.repeat(4_001);

  test.each([
    [{ query: {} }, 422, 'invalid_query'],
    [{ query: { text: ' ' } }, 400, 'missing_field'],
    [{ query: { text: longest } }, 400, 'message_too_long'],
    [{ context: 5 }, 422, 'invalid_context'],
    [{ context: { prev: [5] } }, 422, 'invalid_context'],
    [{ prefer: 'fast' }, 422, 'invalid_prefer'],
    [{ prefer: { mode: 'chat' } }, 422, 'invalid_prefer'],
    [{ prefer: { streaming: 'maybe' } }, 422, 'invalid_prefer'],
    [{ meta: [] }, 422, 'invalid_meta'],
    [{ meta: { session_context: 'x' } }, 422, 'invalid_meta'],
  ])('is rejected with its own code, case %#', async (fields, status, code) => {
    const response = await askPublicly(workspace.id, { query: { text }, ...fields });
    expect([response.statusCode, response.json().code]).toEqual([status, code]);
  });

  test('is reported with its path', async () => {
    const response = await askPublicly(workspace.id, { query: { text: '' } });
    expect(response.json().detail).toBe('query.text is required.');
  });
});
