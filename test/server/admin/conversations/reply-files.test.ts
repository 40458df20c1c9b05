import { describe, expect, test } from 'vitest';
import { runMaintenance } from '../../../../workers/maintenance/worker.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { type SignedIn, sameOrigin, signInPerson } from '../../../helpers/servers/sign-in-person.ts';
import { pngBytes, uploadFile } from '../../../helpers/servers/upload-file.ts';
import { createDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';

const dayMs = 24 * 3_600_000;
const logged: string[] = [];

describe.each(testEngines)('files of agents on %s', async (engine) => {
  const time = { now: new Date() };
  const server = await openTestServer({
    runtime: {
      clock: { now: () => time.now },
      logged: { write: (line) => void logged.push(line) },
      environment: {
        ...{ PUBLIC_URL: 'https://parley.example', LOG_LEVEL: 'info' },
        ...(engine === 'postgres' && { DATABASE_URL: await createDatabase() }),
      },
    },
  });
  const { app, runtime } = server;
  const workspace = await server.makeWorkspace({ name: 'Acme', plan: 'growth' });
  const other = await server.makeWorkspace({ name: 'Other' });
  const { id: workspaceId, owner: ownerId } = workspace;
  const base = `/admin/v1/workspaces/${workspaceId}`;
  const ann = await signInPerson(server, { email: 'ann@acme.example', role: 'agent', ownerId });
  const ben = await signInPerson(server, { email: 'ben@acme.example', role: 'agent', ownerId });
  const eve = await signInPerson(server, { email: 'eve@acme.example', role: 'viewer', ownerId });
  const una = await signInPerson(server, { email: 'una@other.example', role: 'agent', ownerId: other.owner });

  const begun = async (at = workspace) => {
    const answer = await server.query(at.key, { query: 'Is anybody there?' });
    return String(answer.json().conversation_id);
  };
  const filesOf = (conversation: string, at = workspaceId) =>
    `/admin/v1/workspaces/${at}/conversations/${conversation}/files`;
  const upload = (conversation: string, name?: string, bytes?: Uint8Array, { cookie }: SignedIn = ann) =>
    uploadFile(app, {
      url: filesOf(conversation),
      cookie,
      ...(name !== undefined && { name }),
      ...(bytes !== undefined && { bytes }),
    });
  const uploaded = async (conversation: string, name?: string, bytes?: Uint8Array) =>
    (await upload(conversation, name, bytes)).json();
  const reply = (conversation: string, file_ids: readonly string[], content = '', by: SignedIn = ann) =>
    by.call('POST', `${base}/conversations/${conversation}/reply`, { content, file_ids });
  const open = (url: string) => app.inject({ url: url.replace('https://parley.example', '') });
  const count = async () =>
    Number(
      (
        await runtime.database.kysely
          .selectFrom('agent_file')
          .select(({ fn }) => fn.countAll().as('count'))
          .executeTakeFirstOrThrow()
      ).count,
    );

  test('a file is sent with its reply, which needs no text, and shows in every view of the message', async () => {
    const id = await begun();
    const file = await uploaded(id, 'Plan of the garden.png');
    expect(file).toEqual({
      id: expect.stringMatching(/^file_/),
      name: 'Plan of the garden.png',
      content_type: 'image/png',
      byte_count: pngBytes.byteLength,
      url: expect.stringMatching(
        /^https:\/\/parley\.example\/files\/[\w-]{43}\/Plan%20of%20the%20garden\.png$/,
      ),
    });
    expect((await ann.call('GET', filesOf(id))).json().files).toEqual([file]);
    expect((await ben.call('GET', filesOf(id))).json().files).toEqual([]);
    const sent = await reply(id, [file.id]);
    const attachments = [
      {
        ...{ kind: 'image', name: file.name, content_type: 'image/png', bytes: file.byte_count },
        url: file.url,
      },
    ];
    expect([sent.statusCode, sent.json()]).toMatchObject([201, { content: '', attachments }]);
    expect((await ann.call('GET', filesOf(id))).json().files).toEqual([]);
    const { entries } = (await ann.call('GET', `${base}/conversations/${id}/messages`)).json();
    expect(entries.find(({ kind }: { kind: string }) => kind === 'message').message).toMatchObject({
      attachments,
    });
    const read = await app.inject({
      url: `/v1/conversations/${id}/messages?order=desc`,
      headers: { authorization: `Bearer ${workspace.key}` },
    });
    expect(read.json().messages[0]).toMatchObject({ role: 'agent', attachments });
    const path = `${base}/conversations/${id}/messages/${sent.json().id}/attachments/0`;
    expect((await eve.call('GET', path)).rawPayload).toEqual(pngBytes);
  });

  test('a repeated request with its key sends the files once, and another choice of files is refused', async () => {
    const id = await begun();
    const [one, two] = [await uploaded(id), await uploaded(id)];
    const send = (file_ids: string[]) =>
      app.inject({
        method: 'POST',
        url: `${base}/conversations/${id}/reply`,
        headers: { authorization: `Bearer ${runtime.installation.adminToken}`, 'idempotency-key': 'k' },
        payload: { author_email: 'ann@acme.example', content: 'Here', file_ids },
      });
    const token = runtime.installation.adminToken;
    const mine = (await uploadFile(app, { url: filesOf(id), token })).json();
    const first = await send([mine.id]);
    const second = await send([mine.id]);
    expect([first.statusCode, second.statusCode, second.json().id]).toEqual([201, 201, first.json().id]);
    expect((await send([])).json().code).toBe('duplicate_request_id');
    expect((await reply(id, [one.id, two.id])).statusCode).toBe(201);
  });

  test('a reply is sent again with copies of its files, once for its key, and leaves the draft alone', async () => {
    const conversation = await begun();
    const path = `${base}/conversations/${conversation}`;
    const [one, two] = [
      await uploaded(conversation),
      await uploaded(conversation, 'list.txt', Buffer.from('Peas')),
    ];
    const first = (await reply(conversation, [two.id, one.id], 'See:')).json();
    await ann.call('PUT', `${path}/draft`, { kind: 'reply', content: 'Dear' });
    const resend = (by: SignedIn = ann, of = first.id, at = path) =>
      app.inject({
        method: 'POST',
        url: `${at}/reply`,
        headers: { cookie: by.cookie, ...sameOrigin, 'idempotency-key': 'again-1' },
        payload: { resend_of: of },
      });
    const again = (await resend(ben)).json();
    expect((await resend(ben)).json().id).toBe(again.id);
    expect(again).toMatchObject({ content: 'See:', author: 'ben@acme.example' });
    expect(again.id).not.toBe(first.id);
    expect(again.attachments.map(({ name }: { name: string }) => name)).toEqual(['list.txt', 'plan.png']);
    expect(again.attachments[0].url).not.toBe(first.attachments[0].url);
    expect((await open(again.attachments[0].url)).body).toBe('Peas');
    expect((await ann.call('GET', path)).json().drafts[0]).toMatchObject({ content: 'Dear' });
    const elsewhere = `${base}/conversations/${await begun()}`;
    expect((await resend(ann, first.id, elsewhere)).json().code).toBe('message_not_found');
    const both = await ann.call('POST', `${path}/reply`, { resend_of: first.id, content: 'And more' });
    expect(both.json().code).toBe('invalid_content');
    await runtime.database.kysely.deleteFrom('agent_file').where('id', '=', one.id).execute();
    const missing = await ann.call('POST', `${path}/reply`, { resend_of: first.id });
    expect(missing.json().code).toBe('attachment_not_found');
  });

  test('webhooks name the files', async () => {
    const hook = await server.operate('POST', `/workspaces/${workspaceId}/webhooks`, {
      url: 'https://hooks.example/x',
      events: ['message.created'],
    });
    expect(hook.statusCode).toBe(201);
    const id = await begun();
    const file = await uploaded(id);
    await reply(id, [file.id], 'Here');
    await reply(id, [], 'No file');
    const rows = await runtime.database.kysely
      .selectFrom('webhook_delivery')
      .select('data')
      .where('conversation_id', '=', id)
      .orderBy('id')
      .execute();
    const seen = rows
      .map(({ data }) => (typeof data === 'string' ? JSON.parse(data) : data))
      .filter(({ role }) => role === 'agent');
    expect(seen.map(({ attachments }) => attachments)).toEqual([
      [{ kind: 'image', name: 'plan.png', content_type: 'image/png', bytes: file.byte_count, url: file.url }],
      null,
    ]);
    await server.operate('DELETE', `/workspaces/${workspaceId}/webhooks/${hook.json().id}`);
  });

  test('10 MB a file, 5 files and 25 MB a reply, and 20 waiting files are the limits', async () => {
    const id = await begun();
    const megabytes = (size: number) => new Uint8Array(size * 2 ** 20).fill(1);
    const large = await upload(id, 'large.bin', new Uint8Array(10 * 2 ** 20 + 1));
    expect([large.statusCode, large.json().code]).toEqual([413, 'payload_too_large']);
    const full = await Promise.all([1, 2, 3].map(() => uploaded(id, 'full.bin', megabytes(10))));
    const ids = full.map((file) => file.id);
    expect((await reply(id, ids)).json().code).toBe('too_many_reply_files');
    const small = [];
    for (let made = 0; made < 6; made += 1) small.push((await uploaded(id)).id);
    expect((await reply(id, small)).json().code).toBe('too_many_reply_files');
    expect((await reply(id, small.slice(1))).statusCode).toBe(201);
    expect((await reply(id, ids.slice(1))).statusCode).toBe(201);
    for (let made = 2; made < 20; made += 1) await uploaded(id);
    const refused = await upload(id);
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'too_many_reply_files']);
    const empty = await upload(id, 'empty.txt', new Uint8Array());
    expect([empty.statusCode, empty.json().code]).toEqual([422, 'invalid_file']);
  }, 60_000);

  test('a reply needs text or a file', async () => {
    expect((await reply(await begun(), [], '   ')).json().code).toBe('invalid_content');
  });

  test('only people who may reply upload files, and only in their own workspaces', async () => {
    const id = await begun();
    expect((await upload(id, undefined, undefined, eve)).json().code).toBe('permission_denied');
    expect((await upload(id, undefined, undefined, una)).statusCode).toBe(404);
    expect((await upload(await begun(other))).json().code).toBe('conversation_not_found');
    expect((await upload('conv_unknown')).json().code).toBe('conversation_not_found');
  });

  test('a file of another workspace, conversation or person cannot be sent, and no file twice', async () => {
    const id = await begun();
    const foreign = await uploadFile(app, {
      url: filesOf(await begun(other), other.id),
      cookie: una.cookie,
    });
    const elsewhere = await uploaded(await begun());
    const mine = await uploaded(id);
    for (const file of [foreign.json().id, elsewhere.id, 'file_unknown'])
      expect((await reply(id, [file])).json().code).toBe('attachment_not_found');
    expect((await reply(id, [mine.id], '', ben)).json().code).toBe('attachment_not_found');
    expect((await reply(id, [mine.id, mine.id])).json().attachments).toHaveLength(1);
    expect((await reply(id, [mine.id])).json().code).toBe('attachment_not_found');
  });

  test('only the uploader deletes a file, before it is sent', async () => {
    const id = await begun();
    const [gone, sent] = [await uploaded(id), await uploaded(id)];
    await reply(id, [sent.id]);
    const path = (file: string) => `${filesOf(id)}/${file}`;
    expect((await ben.call('DELETE', path(gone.id))).json().code).toBe('attachment_not_found');
    expect((await ann.call('DELETE', path(gone.id))).statusCode).toBe(204);
    expect((await ann.call('DELETE', path(gone.id))).statusCode).toBe(404);
    expect((await ann.call('DELETE', path(sent.id))).statusCode).toBe(404);
    expect((await open(gone.url)).statusCode).toBe(404);
    expect((await open(sent.url)).statusCode).toBe(200);
  });

  test('a link opens without signing in, sandboxed, and tells no other site', async () => {
    const id = await begun();
    const { url } = await uploaded(id);
    const { statusCode, headers, rawPayload } = await open(url);
    expect([statusCode, rawPayload]).toEqual([200, pngBytes]);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': expect.stringMatching(/^inline; filename="plan\.png"/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private',
      'referrer-policy': 'no-referrer',
    });
    const guess = `/files/${'A'.repeat(43)}/plan.png`;
    for (const wrong of [guess, '/files/x/plan.png', `${guess}%00`]) {
      const answer = await app.inject({ url: wrong });
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'attachment_not_found']);
    }
    const token = url.split('/').at(-2);
    expect(logged.join('')).toContain('/files/:token/:name');
    expect(logged.join('')).not.toContain(token);
    expect(logged.join('')).not.toContain('A'.repeat(43));
  });

  test.each([
    ['page.html', '<!doctype html><script>alert(1)</script>'],
    ['page.png', '<html><body onload=alert(1)>'],
    ['drawing.svg', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['letter.txt', 'Dear Ann'],
    ['letter.pdf', '%PDF-1.7 …'],
  ])('%s is a download, whatever its name says', async (name, content) => {
    const { url } = await uploaded(await begun(), name, Buffer.from(content));
    const { headers } = await open(url);
    expect(headers['content-disposition']).toMatch(/^attachment; /);
    expect(['application/octet-stream', 'application/pdf']).toContain(headers['content-type']);
  });

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ann\\plan.pdf', 'plan.pdf'],
    ["a'b;(c)*.txt", "a'b;(c)*.txt"],
    ['a"b\r\nc.txt', 'a%22b%0D%0Ac.txt'],
    ['photo\u202Egpj.exe', 'photogpj.exe'],
    ['bell\u0007\u200b.txt', 'bell.txt'],
    [`${'x'.repeat(290)}.tar.gz`, `${'x'.repeat(100)}.gz`],
    ['Größe 10 €.txt', 'Größe 10 €.txt'],
    ['...', 'file'],
    ['.htaccess', 'htaccess'],
  ])('the name %j becomes %j', async (given, name) => {
    const id = await begun();
    const form = await uploaded(id, given, Buffer.from('text'));
    expect(form.name).toBe(name);
    const { headers, statusCode } = await open(form.url);
    expect(statusCode).toBe(200);
    const header = String(headers['content-disposition']);
    expect(header).toMatch(/^attachment; filename="[\w. -]+"; filename\*=UTF-8''[\w.!~%-]+$/);
    expect(decodeURIComponent(header.split("UTF-8''")[1] ?? '')).toBe(name);
  });

  test('connectors read a file by its link while it exists, and no other address', async () => {
    const id = await begun();
    const { id: file, url } = await uploaded(id);
    const { readFile } = runtime.connectorCalls.tools({ id: 'chan_1' }, new AbortController().signal);
    expect((await readFile(url))?.body).toEqual(pngBytes);
    expect(await readFile('https://parley.example/healthz')).toBeNull();
    await ann.call('DELETE', `${filesOf(id)}/${file}`);
    expect(await readFile(url)).toBeNull();
  });

  test('a file that is not sent ends after a day, and a sent one with its conversation', async () => {
    const id = await begun();
    const [left, sent] = [await uploaded(id), await uploaded(id)];
    await reply(id, [sent.id]);
    time.now = new Date(time.now.getTime() + dayMs + 1_000);
    const before = await count();
    await runMaintenance(runtime, new AbortController().signal);
    expect(await count()).toBeLessThan(before);
    expect((await open(left.url)).statusCode).toBe(404);
    expect((await open(sent.url)).statusCode).toBe(200);
    await app.inject({
      method: 'DELETE',
      url: `/v1/conversations/${id}`,
      headers: { authorization: `Bearer ${workspace.key}` },
    });
    expect((await open(sent.url)).statusCode).toBe(404);
  });
});
