import { createServer } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { ingestDocument } from '../../../../core/knowledge/indexing/ingest-document.ts';
import { freePort } from '../../../helpers/servers/network/free-port.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const server = await openTestServer({ runtime: { environment: { ALLOW_PRIVATE_WEBHOOKS: 'true' } } });
const { operate, makeWorkspace, addDocument, runtime } = server;
const workspace = await makeWorkspace({ settings: { audiences: ['staff', 'trade'] } });
const path = `/workspaces/${workspace.id}/documents`;
const ann = await signInPerson(server, {
  email: 'ann@acme.example',
  role: 'owner',
  ownerId: workspace.owner,
});
const vic = await signInPerson(server, {
  email: 'vic@acme.example',
  role: 'viewer',
  ownerId: workspace.owner,
});
const text = '# Manual\n\n## Handle\n\nIt is made of wood.\n\n## Spout\n\nIt is made of copper.\n';
const ingest = (id: string) => ingestDocument({ ...runtime, database: runtime.database.kysely }, id);

const pages = createServer((request, response) => {
  if (request.url === '/sitemap.xml') {
    return response.end('<urlset><url><loc>https://acme.example/</loc></url></urlset>');
  }
  const isKnown = request.url === '/hours';
  response.writeHead(isKnown ? 200 : 404, { 'content-type': 'text/html' });
  return response.end(isKnown ? '<title>Hours</title><p>We are open from nine to five.</p>' : '');
});
await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
afterAll(() => pages.close());
const address = pages.address();
const site = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
const nowhere = `http://127.0.0.1:${await freePort()}/`;

describe('what is read of a document', () => {
  test('200: returns the text as read, and its passages page by page', async () => {
    const { id } = await addDocument(workspace.id, text);
    expect((await operate('GET', `${path}/${id}/content`)).json()).toEqual({
      document_id: id,
      text: '# Manual\n\n## Handle\n\nIt is made of wood.\n\n## Spout\n\nIt is made of copper.',
    });
    const first = (await operate('GET', `${path}/${id}/passages?limit=1`)).json();
    const cursor = encodeURIComponent(first.pagination.next_cursor);
    const second = (await operate('GET', `${path}/${id}/passages?limit=1&cursor=${cursor}`)).json();
    expect([first.passages, second.passages, second.pagination.has_more]).toEqual([
      [{ ordinal: 0, headings: ['Handle'], body: 'It is made of wood.', length: 19 }],
      [{ ordinal: 1, headings: ['Spout'], body: 'It is made of copper.', length: 21 }],
      false,
    ]);
  });

  test('200: counts documents by status, with passages and bytes', async () => {
    const own = await makeWorkspace();
    await addDocument(own.id, text);
    const waits = await operate('POST', `/workspaces/${own.id}/documents`, { content: 'Waits.' });
    expect((await operate('GET', `/workspaces/${own.id}/documents/counts`)).json()).toEqual({
      documents: 2,
      statuses: { queued: 1, indexing: 0, indexed: 1, failed: 0 },
      waiting: { documents: 1, oldest_at: waits.json().updated_at },
      chunks: 2,
      bytes: text.length + 6,
    });
  });

  test.each(['content', 'passages'])('404: %s of a document of another workspace', async (part) => {
    const other = await makeWorkspace();
    const { id } = await addDocument(other.id, text);
    const response = await operate('GET', `${path}/${id}/${part}`);
    expect([response.statusCode, response.json().code]).toEqual([404, 'document_not_found']);
  });
});

describe('changes of a document', () => {
  test('200: changes title, address and audience, under the name of the person', async () => {
    const { id } = await addDocument(workspace.id, text);
    const wanted = { title: 'Kettles', url: 'https://shop.example/k', audience: ['staff'] };
    const response = await ann.call('PATCH', `/admin/v1${path}/${id}`, wanted);
    expect([response.statusCode, response.json()]).toMatchObject([200, { ...wanted, status: 'queued' }]);
    const { audit_log } = (await operate('GET', `/workspaces/${workspace.id}/audit-log`)).json();
    expect(audit_log[0]).toMatchObject({
      action: 'document_changed',
      actor: 'ann',
      details: { document: id, fields: ['title', 'url', 'audience'] },
    });
  });

  test('422: refuses an audience that the workspace does not have', async () => {
    const { id } = await addDocument(workspace.id, text);
    const response = await operate('PATCH', `${path}/${id}`, { audience: ['nobody'] });
    expect([response.statusCode, response.json().code]).toEqual([422, 'invalid_audience']);
  });

  test('403: refuses a person who may only read', async () => {
    const { id } = await addDocument(workspace.id, text);
    const response = await vic.call('POST', `/admin/v1${path}/${id}/reindex`);
    expect([response.statusCode, response.json().code]).toEqual([403, 'permission_denied']);
  });

  test('202: indexes again', async () => {
    const { id } = await addDocument(workspace.id, text);
    const response = await operate('POST', `${path}/${id}/reindex`);
    expect([response.statusCode, response.json().status]).toEqual([202, 'queued']);
  });

  test('202: replaces the content by text, then by a file, under the same id', async () => {
    const { id } = await addDocument(workspace.id, text, [], { title: 'Kettles' });
    const content = { content: 'Made of glass.', content_type: 'text/plain' };
    const replaced = await operate('PUT', `${path}/${id}/content`, content);
    expect([replaced.statusCode, replaced.json()]).toMatchObject([
      202,
      { id, title: 'Kettles', origin: 'text', content_type: 'text/plain' },
    ]);
    const form = new FormData();
    form.append('file', new Blob(['Made of steel.'], { type: 'text/plain' }), 'steel.txt');
    const response = await ann.call('PUT', `/admin/v1${path}/${id}/content`, form);
    expect([response.statusCode, response.json()]).toMatchObject([
      202,
      { id, title: 'Kettles', origin: 'file', file_name: 'steel.txt' },
    ]);
    await ingest(id);
    const read = (await operate('GET', `${path}/${id}/content`)).json();
    expect(read.text).toContain('Made of steel.');
  });

  test('restores a deletion that was asked to be restorable', async () => {
    const { id } = await addDocument(workspace.id, text);
    expect((await operate('DELETE', `${path}/${id}?restorable=true`)).statusCode).toBe(204);
    expect((await operate('GET', `${path}/${id}`)).statusCode).toBe(404);
    const restored = await operate('POST', `${path}/${id}/restore`);
    expect([restored.statusCode, restored.json().status]).toEqual([200, 'indexed']);
    expect((await operate('POST', `${path}/${id}/restore`)).statusCode).toBe(404);
  });
});

describe('additions without a file', () => {
  test('202: fetches a page; its address identifies it', async () => {
    const response = await operate('POST', `${path}/fetch`, {
      url: `${site}/hours#top`,
      audience: ['staff'],
    });
    expect([response.statusCode, response.json()]).toMatchObject([
      202,
      { url: `${site}/hours`, origin: 'page', audience: ['staff'], status: 'queued' },
    ]);
    const again = await operate('POST', `${path}/fetch`, { url: `${site}/hours` });
    expect(again.json().id).toBe(response.json().id);
  });

  test.each([
    ['that its server refuses', `${site}/unknown`, 'status 404'],
    ['whose server does not answer', nowhere, 'nothing listens there'],
  ])('422: says why for a page %s', async (_, url, why) => {
    const response = await operate('POST', `${path}/fetch`, { url });
    expect([response.statusCode, response.json()]).toEqual([
      422,
      expect.objectContaining({ code: 'page_unavailable', detail: expect.stringContaining(why) }),
    ]);
  });

  test('422: a sitemap is not a document, and the answer says how to add it', async () => {
    const response = await operate('POST', `${path}/fetch`, { url: `${site}/sitemap.xml` });
    expect([response.statusCode, response.json()]).toEqual([
      422,
      expect.objectContaining({
        code: 'list_of_pages',
        detail: expect.stringContaining('Add it as a website source'),
      }),
    ]);
  });

  test('202: adds the demo help centre once', async () => {
    const own = await makeWorkspace();
    const first = (await operate('POST', `/workspaces/${own.id}/documents/demo`)).json();
    const second = (await operate('POST', `/workspaces/${own.id}/documents/demo`)).json();
    expect(first.documents).toHaveLength(18);
    expect(first.documents[0]).toMatchObject({ origin: 'demo' });
    expect(second.documents.map(({ id }: { id: string }) => id)).toEqual(
      first.documents.map(({ id }: { id: string }) => id),
    );
  });
});

test('200: a change of several tells the outcome of each, and one that fails stops none', async () => {
  const [one, two] = [await addDocument(workspace.id, text), await addDocument(workspace.id, `${text}More.`)];
  const ids = [one.id, 'doc_unknown', two.id];
  const call = async (body: object) => {
    const { results } = (await operate('POST', `${path}/bulk`, { ids, ...body })).json();
    return results.map(({ ok, error }: { ok: boolean; error: { code: string } | null }) =>
      ok ? 'ok' : error?.code,
    );
  };
  const outcome = ['ok', 'document_not_found', 'ok'];
  expect(await call({ action: 'set_audience', audience: ['trade'] })).toEqual(outcome);
  expect((await operate('GET', `${path}?audience=trade`)).json().documents).toHaveLength(2);
  expect(await call({ action: 'reindex' })).toEqual(outcome);
  expect(await call({ action: 'delete', restorable: true })).toEqual(outcome);
  expect((await operate('GET', `${path}?audience=trade`)).json().documents).toEqual([]);
  expect(await call({ action: 'restore' })).toEqual(outcome);
});
