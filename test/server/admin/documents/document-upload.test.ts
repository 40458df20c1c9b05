import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runIngestWorker } from '../../../../workers/ingest/worker.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { app, runtime, query, makeWorkspace } = await openTestServer();
const workspace = await makeWorkspace({ settings: { audiences: ['staff', 'trade'] } });
const address = await app.listen({ port: 0 });

let stop = async () => {};
beforeAll(async () => {
  stop = await runIngestWorker(runtime);
});
afterAll(() => stop());

const answered = z.object({ status: z.string(), code: z.string(), failure: z.unknown() }).partial().loose();
const codeOf = async (response: Response) => answered.parse(await response.json()).code;

async function post(body: FormData | string, search = '?wait=true', headers: Record<string, string> = {}) {
  const response = await fetch(`${address}/admin/v1/workspaces/${workspace.id}/documents${search}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${runtime.installation.adminToken}`, ...headers },
    body,
  });
  return { status: response.status, body: answered.parse(await response.json()) };
}

function form(fields: readonly (readonly [string, string | File])[]): FormData {
  const data = new FormData();
  for (const [name, value] of fields) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, value, value.name);
  }
  return data;
}

const markdown = new File(['# Opening hours\n\nThe workshop opens at nine in the morning.'], 'öffnung ✓.md', {
  type: 'text/markdown',
});

describe('a file of a form', () => {
  test('is indexed before a response with wait, and answers questions', async () => {
    const { status, body } = await post(form([['file', markdown]]));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'indexed',
      file_name: 'öffnung ✓.md',
      content_type: 'text/markdown',
    });
    const answer = await query(workspace.key, { query: 'When does the workshop open in the morning?' });
    expect(answer.json().answer).toContain('nine in the morning');
  });

  test('may precede or follow its fields, and audience may be repeated', async () => {
    const fields = [
      ['title', 'Hours'],
      ['file', markdown],
      ['audience', 'trade'],
      ['audience', 'staff'],
      ['url', 'https://example.org/hours'],
    ] as const;
    const { status, body } = await post(form(fields));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      title: 'Hours',
      url: 'https://example.org/hours',
      audience: ['staff', 'trade'],
    });
  });

  test('is queued without wait, 202', async () => {
    const { status, body } = await post(
      form([
        ['file', markdown],
        ['url', 'https://example.org/queued'],
      ]),
      '',
    );
    expect(status).toBe(202);
    expect(body).toMatchObject({ status: 'queued' });
  });

  test('is recorded as failed with the reason if it is unreadable', async () => {
    const signature = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const file = new File([signature, new Uint8Array(200)], 'logo.png', { type: 'image/png' });
    const { status, body } = await post(form([['file', file]]));
    expect([status, body.status]).toEqual([200, 'failed']);
    expect(body.failure).toEqual({
      code: 'no_text_layer',
      reason: expect.stringContaining('OCR=tesseract'),
    });
  });

  test('is read to its end and recorded as failed, not rejected, if it is larger than a document may be', async () => {
    const file = new File([new Uint8Array(27 * 2 ** 20)], 'huge.pdf', { type: 'application/pdf' });
    const { status, body } = await post(
      form([
        ['file', file],
        ['title', 'Huge'],
      ]),
      '',
    );
    expect(status).toBe(202);
    expect(body).toMatchObject({
      status: 'failed',
      title: 'Huge',
      failure: { code: 'too_large', reason: expect.stringContaining('25 MB') },
    });
  });

  test('may be text in a field instead', async () => {
    const { status, body } = await post(
      form([
        ['content', 'Plain words.'],
        ['title', 'Words'],
      ]),
    );
    expect([status, body.status]).toEqual([200, 'indexed']);
  });
});

describe('an invalid form', () => {
  test('400: without a file', async () => {
    const { status, body } = await post(form([['title', 'Nothing']]));
    expect([status, body.code]).toEqual([400, 'missing_field']);
  });

  test('400: that is truncated', async () => {
    const text = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nHello';
    const { status, body } = await post(text, '', { 'content-type': 'multipart/form-data; boundary=x' });
    expect([status, body.code]).toEqual([400, 'invalid_multipart']);
  });

  test('400: without a boundary', async () => {
    const { status, body } = await post('x', '', { 'content-type': 'multipart/form-data' });
    expect([status, body.code]).toEqual([400, 'invalid_multipart']);
  });

  test('422: with an empty file, or with two', async () => {
    const empty = await post(form([['file', new File([], 'empty.txt')]]));
    const two = await post(
      form([
        ['file', markdown],
        ['file', markdown],
      ]),
    );
    expect([empty.status, empty.body.code]).toEqual([422, 'invalid_file']);
    expect([two.status, two.body.code]).toEqual([422, 'invalid_file']);
  });

  test('422: with invalid fields, each with its own code', async () => {
    const file = ['file', markdown] as const;
    const codes = [];
    for (const field of [
      ['title', ''],
      ['url', 'nowhere'],
      ['audience', 'unknown'],
    ] as const) {
      codes.push((await post(form([file, field]))).body.code);
    }
    expect(codes).toEqual(['invalid_title', 'invalid_url', 'invalid_audience']);
  });

  test('415: a body that is not a form, on the route for files', async () => {
    const response = await fetch(`${address}/admin/v1/workspaces/${workspace.id}/documents/upload`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${runtime.installation.adminToken}`,
        'content-type': 'application/json',
      },
      body: '{"content":"Three days."}',
    });
    expect([response.status, await codeOf(response)]).toEqual([415, 'unsupported_media_type']);
  });

  test('415: on a route that accepts no forms', async () => {
    const response = await fetch(`${address}/v1/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${workspace.key}` },
      body: form([['query', 'Do you sell socks?']]),
    });
    expect([response.status, await codeOf(response)]).toEqual([415, 'unsupported_media_type']);
  });
});
