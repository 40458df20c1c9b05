import { describe, expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { operate, query, makeWorkspace, addDocument } = await openTestServer();
const workspace = await makeWorkspace({ settings: { audiences: ['staff', 'trade'] } });
const documents = `/workspaces/${workspace.id}/documents`;

const shape = {
  id: expect.stringMatching(/^doc_\w+$/),
  workspace_id: workspace.id,
  title: 'Delivery',
  url: 'https://example.org/delivery',
  file_name: null,
  content_type: 'text/markdown',
  audience: ['staff'],
  status: 'queued',
  progress: 0,
  failure: null,
  origin: 'text',
  source_id: null,
  answering: false,
  bytes: 15,
  chunks: 0,
  created_at: expect.any(String),
  updated_at: expect.any(String),
  indexed_at: null,
};
const wanted = {
  title: 'Delivery',
  url: 'https://example.org/delivery',
  content: 'Three days. ✓',
  content_type: 'text/markdown',
  audience: ['staff'],
};

describe('POST …/documents', () => {
  test('202: returns the queued document with all its fields', async () => {
    const response = await operate('POST', documents, wanted);
    expect([response.statusCode, response.json()]).toEqual([202, shape]);
  });

  test('202: replaces the document with the same URL', async () => {
    const first = (await operate('POST', documents, wanted)).json();
    const second = (await operate('POST', documents, { ...wanted, content: 'Four days.' })).json();
    expect(second.id).toBe(first.id);
  });

  test('202: accepts content without other fields', async () => {
    const response = await operate('POST', documents, { content: 'Three days.' });
    expect(response.json()).toMatchObject({ title: 'Untitled', url: null, content_type: null, audience: [] });
  });

  test('202: records content that is larger than a document may be as failed, with the reason', async () => {
    const response = await operate('POST', documents, { title: 'Huge', content: 'x'.repeat(26 * 2 ** 20) });
    expect([response.statusCode, response.json()]).toEqual([
      202,
      expect.objectContaining({
        status: 'failed',
        failure: { code: 'too_large', reason: expect.stringContaining('25 MB') },
      }),
    ]);
  });

  test('400: requires content', async () => {
    const response = await operate('POST', documents, { title: 5 });
    expect([response.statusCode, response.json().code]).toEqual([400, 'missing_field']);
    expect(response.json().detail).toBe('content is required.');
  });

  test('413: rejects a body far larger than a document may be', async () => {
    const response = await operate('POST', documents, { content: 'x'.repeat(31 * 2 ** 20) });
    expect([response.statusCode, response.json().code]).toEqual([413, 'payload_too_large']);
  });

  test.each([
    ['title', ['', ' ', 5, 'x'.repeat(501)]],
    [
      'url',
      [
        '',
        'example.org',
        'ftp://example.org',
        'javascript:alert(1)',
        `https://example.org/${'é'.repeat(1_000)}`,
      ],
    ],
    ['content', ['', 5]],
    ['content_type', ['application/pdf', '', 5]],
    ['audience', ['staff', ['unknown'], [5]]],
    ['file', ['text', { bytes: 'x' }]],
  ])('422: reports an invalid %s with its own code', async (field, values) => {
    for (const value of values) {
      const response = await operate('POST', documents, { content: 'Three days.', [field]: value });
      expect([response.statusCode, response.json().code], JSON.stringify(value)).toEqual([
        422,
        `invalid_${field}`,
      ]);
    }
  });

  test('422: rejects an invalid wait', async () => {
    const response = await operate('POST', `${documents}?wait=yes`, { content: 'Three days.' });
    expect([response.statusCode, response.json().code]).toEqual([422, 'invalid_wait']);
  });
});

describe('GET …/documents', () => {
  test('200: returns only the documents of this workspace, newest first, in pages', async () => {
    const other = await makeWorkspace();
    const made = [];
    for (const content of ['One.', 'Two.', 'Three.']) {
      made.unshift((await operate('POST', `/workspaces/${other.id}/documents`, { content })).json().id);
    }
    const first = (await operate('GET', `/workspaces/${other.id}/documents?limit=2`)).json();
    const { next_cursor } = first.pagination;
    const second = (
      await operate('GET', `/workspaces/${other.id}/documents?limit=2&cursor=${next_cursor}`)
    ).json();
    expect([...first.documents, ...second.documents].map(({ id }: { id: string }) => id)).toEqual(made);
    expect(second.pagination).toEqual({ next_cursor: null, has_more: false });
  });

  test('200: returns a document by its id', async () => {
    const { id } = await addDocument(workspace.id, 'Gift cards are valid for two years.');
    const response = await operate('GET', `${documents}/${id}`);
    expect([response.statusCode, response.json()]).toEqual([
      200,
      expect.objectContaining({
        id,
        status: 'indexed',
        progress: 100,
        chunks: 1,
        indexed_at: expect.any(String),
      }),
    ]);
  });

  test('404: rejects a document that is unknown or of another workspace', async () => {
    const other = await makeWorkspace();
    const foreign = await addDocument(other.id, 'Foreign.');
    for (const id of [foreign.id, 'doc_unknown', '%00', 'a%20b', `doc_${'x'.repeat(2_000)}`]) {
      const response = await operate('GET', `${documents}/${id}`);
      expect([response.statusCode, response.json().code], id).toEqual([404, 'document_not_found']);
    }
  });
});

describe('DELETE …/documents/{doc_id}', () => {
  test('204: answers no longer use the document', async () => {
    const { id } = await addDocument(workspace.id, 'The desk closes at half past seven in the evening.');
    const question = { query: 'When does the desk close in the evening?' };
    expect((await query(workspace.key, question)).json().answer).toContain('half past seven');
    const response = await operate('DELETE', `${documents}/${id}`);
    expect([response.statusCode, response.body]).toEqual([204, '']);
    expect((await query(workspace.key, question)).json().answer).not.toContain('half past seven');
    expect((await operate('GET', `${documents}/${id}`)).statusCode).toBe(404);
    expect((await operate('DELETE', `${documents}/${id}`)).json().code).toBe('document_not_found');
  });
});
