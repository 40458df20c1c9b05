import { describe, expect, test } from 'vitest';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

const { operate, makeWorkspace, addDocument } = await openTestServer();
const workspace = await makeWorkspace({ settings: { audiences: ['staff'] } });
const open = await addDocument(workspace.id, 'Parcels arrive within three working days.');
const closed = await addDocument(workspace.id, 'Parcels of the staff arrive on the same day.', ['staff']);
const search = `/workspaces/${workspace.id}/search`;
const question = { query: 'When do parcels arrive?' };

async function find(fields: object = {}) {
  const response = await operate('POST', search, { ...question, ...fields });
  expect(response.statusCode, response.body).toBe(200);
  const { results } = response.json();
  return results;
}

const documentsOf = (results: { document_id: string }[]) => results.map(({ document_id }) => document_id);

describe('POST …/search', () => {
  test('200: returns the ranked chunks with their scores and the parts of the scores', async () => {
    const [best] = await find();
    const number = expect.any(Number);
    expect(best).toEqual({
      document_id: open.id,
      chunk_id: expect.any(String),
      title: expect.any(String),
      url: null,
      chunk: 'Parcels arrive within three working days.',
      score: number,
      read: expect.any(Boolean),
      parts: { bm25: number, coverage: number, cosine: number, fused: number },
    });
  });

  test('200: returns the best first, at most top_k', async () => {
    const all = await find({ audience: ['staff'] });
    const scores = all.map(({ score }: { score: number }) => score);
    expect(scores).toEqual([...scores].sort((one, other) => other - one));
    expect(all).toHaveLength(2);
    expect(await find({ audience: ['staff'], top_k: 1 })).toHaveLength(1);
  });

  test('200: returns only chunks for the audience and of the given documents', async () => {
    expect(documentsOf(await find())).toEqual([open.id]);
    expect(documentsOf(await find({ audience: ['staff'], document_ids: [closed.id] }))).toEqual([closed.id]);
  });

  test('200: returns nothing in an empty workspace', async () => {
    const { id } = await makeWorkspace();
    expect((await operate('POST', `/workspaces/${id}/search`, question)).json()).toEqual({ results: [] });
  });

  test('400: requires a query', async () => {
    expect((await operate('POST', search, {})).json().code).toBe('missing_field');
  });

  test('404: rejects a document that does not exist', async () => {
    expect((await operate('POST', search, { ...question, document_ids: ['doc_unknown'] })).json().code).toBe(
      'document_not_found',
    );
  });

  test.each([
    ['query', 5],
    ['top_k', 21],
    ['audience', ['unknown']],
    ['document_ids', 'doc_1'],
  ])('422: reports an invalid %s with its own code', async (field, value) => {
    const response = await operate('POST', search, { ...question, [field]: value });
    expect([response.statusCode, response.json().code]).toEqual([422, `invalid_${field}`]);
  });
});
