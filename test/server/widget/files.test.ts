import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { VisitorRateLimit } from '../../../core/limits/visitor-rate.ts';
import { fileLimits } from '../../../core/visitors/visitor-files.ts';
import { runMaintenance } from '../../../workers/maintenance/worker.ts';
import { openWidgetServer } from '../../helpers/servers/open-widget-server.ts';
import { type Frame, readEvents, textOf } from '../../helpers/servers/questions/read-events.ts';

const question = 'How many working days until parcels arrive?';
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const dayMs = 24 * 60 * 60 * 1_000;
const on = { attachments: true };

const server = await openWidgetServer();
const { runtime, operate } = server;
type Shop = Awaited<ReturnType<typeof server.openShop>>;

const handedIn = z.object({ id: z.string(), name: z.string(), content_type: z.string(), bytes: z.number() });

function handIn(shop: Shop, session: string, name: string, bytes: Uint8Array, origin?: string) {
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(bytes)]), name);
  return fetch(`${shop.base}/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session}`, ...(origin !== undefined && { origin }) },
    body,
  });
}

async function handedInBy(shop: Shop, session: string, name = 'broken pot.png', bytes: Uint8Array = png) {
  return handedIn.parse(await (await handIn(shop, session, name, bytes)).json());
}

async function codeOf(response: Response): Promise<unknown> {
  return [response.status, z.object({ code: z.string() }).parse(await response.json()).code];
}

function send(shop: Shop, session: string, body: object) {
  return shop.send('/ask', { method: 'POST', session, body });
}

async function framesOf({ body }: Response): Promise<Frame[]> {
  const frames: Frame[] = [];
  if (body !== null) for await (const frame of readEvents(body)) frames.push(frame);
  return frames;
}

async function sentBy(shop: Shop, session: string, query = question) {
  const { id } = await handedInBy(shop, session);
  const frames = await framesOf(await send(shop, session, { query, files: [id] }));
  return { id, frames, conversation: String(frames.at(-1)?.conversation_id) };
}

/** The first file of the first message, as an operator's client downloads it. */
async function fetchAsAgent(shop: Shop, conversation: string) {
  const messages = await server.app.inject({
    method: 'GET',
    url: `/v1/conversations/${conversation}/messages`,
    headers: { authorization: `Bearer ${shop.key}` },
  });
  const said = z
    .object({ messages: z.array(z.looseObject({ id: z.string(), role: z.string() })) })
    .parse(messages.json())
    .messages.filter(({ role }) => role === 'user');
  const path = `/workspaces/${shop.id}/conversations/${conversation}/messages/${said[0]?.id}/attachments/0`;
  return { said, answer: await operate('GET', path) };
}

function countFiles(shop: Shop) {
  return runtime.database.kysely
    .selectFrom('visitor_file')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', shop.id)
    .executeTakeFirstOrThrow()
    .then(({ count }) => Number(count));
}

function house(at: Date) {
  return runMaintenance({ ...runtime, clock: { now: () => at } }, new AbortController().signal);
}

describe('a file of a visitor', () => {
  test('reaches the agents with its question, as a plain download', async () => {
    const shop = await server.openShop(on);
    const session = await shop.openSession();
    const { frames, conversation } = await sentBy(shop, session);
    expect(textOf(frames)).toContain('three working days');
    expect(textOf(frames)).toMatch(/\n\nI have not seen what you attached: .+ yet\.$/);
    const { said, answer } = await fetchAsAgent(shop, conversation);
    expect(said[0]).toMatchObject({
      content: question,
      attachments: [{ kind: 'image', name: 'broken pot.png', content_type: 'image/png', bytes: png.length }],
    });
    expect(answer.rawPayload.equals(png)).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
    });
    expect(String(answer.headers['content-disposition'])).toMatch(/^attachment; filename="broken pot\.png"/);
    const [, mine] = (await shop.history(session)).messages;
    expect(mine).toMatchObject({
      content: question,
      attachments: [{ name: 'broken pot.png', content_type: 'image/png', bytes: png.length }],
    });
  });

  test("without text is answered with a sentence in the browser's language, and costs no message", async () => {
    const shop = await server.openShop(on);
    const session = await shop.openSession();
    const { id } = await handedInBy(shop, session);
    const response = await fetch(`${shop.base}/ask`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${session}`,
        'content-type': 'application/json',
        'accept-language': 'de-AT',
      },
      body: JSON.stringify({ query: '', files: [id] }),
    });
    const frames = await framesOf(response);
    expect(textOf(frames)).toMatch(/^Bilder, Aufnahmen und Dateien/);
    expect(frames.at(-1)).toMatchObject({ done: true, sources: [] });
    const { messages } = await shop.history(session);
    expect(messages.map(({ content }) => content)).toEqual([textOf(frames), '']);
    const used = await runtime.database.kysely
      .selectFrom('owner_usage')
      .select('messages')
      .where('owner_id', '=', shop.owner)
      .executeTakeFirst();
    expect(used?.messages ?? 0).toBe(0);
  });

  test('is stored for the agent who handles the conversation', async () => {
    const shop = await server.openShop(on);
    const session = await shop.openSession();
    const first = (await shop.say(session, question)).at(-1);
    await shop.reply(first?.conversation_id, 'Which pot is it?');
    const { frames } = await sentBy(shop, session, 'This one.');
    expect(frames).toEqual([expect.objectContaining({ kept: true })]);
    const path = `/workspaces/${shop.id}/conversations/${first?.conversation_id}/messages/${frames[0]?.message_id}/attachments/0`;
    expect((await operate('GET', path)).rawPayload.equals(png)).toBe(true);
  });

  test('is accepted if the setting allows it, from allowed pages, with a session', async () => {
    const [off, shop] = [await server.openShop(), await server.openShop(on)];
    expect(await codeOf(await handIn(off, await off.openSession(), 'a.png', png))).toEqual([
      403,
      'attachments_off',
    ]);
    const session = await shop.openSession();
    expect(await codeOf(await handIn(shop, session, 'a.png', png, 'https://thief.example'))).toEqual([
      403,
      'origin_not_allowed',
    ]);
    expect(await codeOf(await handIn(shop, 'guessed', 'a.png', png))).toEqual([401, 'invalid_session']);
    const looks = await Promise.all([off, shop].map(async ({ send }) => (await send('/config')).json()));
    expect(looks).toMatchObject([
      { attachments: null },
      { attachments: { max_bytes: fileLimits.bytes, max_files: fileLimits.ofMessage } },
    ]);
  });

  test.each([
    ['a picture with scripts', 'pot.png', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'],
    [
      'the same with an XML header',
      'pot.svg',
      '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>',
    ],
    ['a page', 'pot.txt', '\n <!doctype html><title>Pot</title>'],
    ['a program', 'pot.pdf', Buffer.from('4d5a90000300000004000000ffff0000', 'hex')],
    ['an archive', 'pot.png', Buffer.from('504b0304140000000000', 'hex')],
    ['binary data', 'pot.txt', Buffer.from([0xff, 0xfe, 0x00, 0x41])],
  ])('is rejected by its content, whatever its name: %s', async (_what, name, content) => {
    const shop = await server.openShop(on);
    const session = await shop.openSession();
    expect(await codeOf(await handIn(shop, session, name, Buffer.from(content)))).toEqual([
      415,
      'unsupported_media_type',
    ]);
    expect(await countFiles(shop)).toBe(0);
  });

  test.each([
    ['pot.html', png, 'pot.html.png'],
    ['../../etc/pot.JPEG.png', png, 'pot.JPEG.png'],
    ['pot\u202egnp.exe', Buffer.from('Plain words.'), 'potgnp.exe.txt'],
    ['.png', png, 'file.png'],
  ])('gets an extension of its type: %s', async (name, bytes, kept) => {
    const shop = await server.openShop(on);
    expect((await handedInBy(shop, await shop.openSession(), name, bytes)).name).toBe(kept);
  });

  test('is rejected if it is empty or too large, and accepted at the maximum size', async () => {
    const shop = await server.openShop(on);
    const session = await shop.openSession();
    const sized = (bytes: number) => Buffer.alloc(bytes, 'a');
    expect(await codeOf(await handIn(shop, session, 'a.txt', sized(0)))).toEqual([422, 'invalid_file']);
    expect(await codeOf(await handIn(shop, session, 'a.txt', sized(fileLimits.bytes + 1)))).toEqual([
      413,
      'payload_too_large',
    ]);
    expect((await handIn(shop, session, 'a.txt', sized(fileLimits.bytes))).status).toBe(201);
  });

  test('is limited to twenty per day', async () => {
    const shop = await server.openShop(on);
    const session = await shop.openSession();
    for (let number = 0; number < fileLimits.ofVisitorADay; number += 1) await handedInBy(shop, session);
    const refused = await handIn(shop, session, 'a.png', png);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000);
    expect(await codeOf(refused)).toEqual([429, 'rate_limit_day']);
    expect((await handIn(shop, await shop.openSession(), 'a.png', png)).status).toBe(201);
  });

  test("is rejected if the workspace's storage is full", async () => {
    const shop = await server.openShop(on);
    const session = await shop.openSession();
    const { id } = await handedInBy(shop, session);
    await runtime.database.kysely
      .updateTable('visitor_file')
      .set({ size: fileLimits.bytesOfWorkspace })
      .where('id', '=', id)
      .execute();
    expect(await codeOf(await handIn(shop, session, 'a.png', png))).toEqual([409, 'too_many_files']);
  });

  test('can be sent once, and only by its visitor', async () => {
    const shop = await server.openShop(on);
    const [mine, his] = [await shop.openSession(), await shop.openSession()];
    const { id } = await handedInBy(shop, his);
    expect(await codeOf(await send(shop, mine, { query: question, files: [id] }))).toEqual([
      404,
      'attachment_not_found',
    ]);
    await framesOf(await send(shop, his, { query: question, files: [id] }));
    expect(await codeOf(await send(shop, his, { query: question, files: [id] }))).toEqual([
      404,
      'attachment_not_found',
    ]);
    expect((await shop.history(mine)).messages).toEqual([]);
  });

  test('can be deleted only by its visitor and before it is sent', async () => {
    const shop = await server.openShop(on);
    const [mine, his] = [await shop.openSession(), await shop.openSession()];
    const [{ id }, sent] = [await handedInBy(shop, his), await sentBy(shop, his)];
    const takeBack = async (session: string, file: string) =>
      (await shop.send(`/files/${file}`, { method: 'DELETE', session })).status;
    expect([await takeBack(mine, id), await countFiles(shop)]).toEqual([404, 2]);
    expect([await takeBack(his, id), await takeBack(his, id), await countFiles(shop)]).toEqual([204, 404, 1]);
    expect([await takeBack(his, sent.id), await countFiles(shop)]).toEqual([404, 1]);
    const asked = await shop.send(`/files/${id}`, { method: 'OPTIONS', origin: 'http://localhost:4000' });
    expect([asked.status, asked.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, POST, DELETE',
    ]);
  });

  test('is limited per IP address, whatever the session', async () => {
    const strict = await openWidgetServer({
      alter: (opened) => ({
        visitorRate: new VisitorRateLimit({
          ...opened,
          database: opened.database.kysely,
          rates: { filesOfAddress: 2 },
        }),
      }),
    });
    const shop = await strict.openShop(on);
    const statuses = [];
    for (let file = 0; file < 3; file += 1) {
      const answer = await handIn(shop, await shop.openSession(), 'pot.png', png);
      statuses.push([answer.status, answer.headers.has('retry-after')]);
    }
    expect(statuses).toEqual([
      [201, false],
      [201, false],
      [429, true],
    ]);
  });

  test('is limited to five per question, and not accepted with an empty list', async () => {
    const shop = await server.openShop(on);
    const session = await shop.openSession();
    const six = Array.from({ length: fileLimits.ofMessage + 1 }, () => 'file_x');
    expect(await codeOf(await send(shop, session, { query: question, files: six }))).toEqual([
      422,
      'invalid_files',
    ]);
    expect(await codeOf(await send(shop, session, { query: ' ', files: [] }))).toEqual([
      400,
      'missing_field',
    ]);
  });

  test('is hidden from the operator of another workspace', async () => {
    const [shop, other] = [await server.openShop(on), await server.openShop(on)];
    const { conversation } = await sentBy(shop, await shop.openSession());
    const { said } = await fetchAsAgent(shop, conversation);
    const path = `/workspaces/${other.id}/conversations/${conversation}/messages/${said[0]?.id}/attachments/0`;
    expect((await operate('GET', path)).statusCode).toBe(404);
  });

  test('that was uploaded anonymously belongs to the verified visitor afterwards', async () => {
    const shop = await server.openShop(on);
    const before = await shop.openSession();
    const { id } = await handedInBy(shop, before);
    const hash = createHmac('sha256', shop.identitySecret).update('u-1').digest('hex');
    const session = await shop.openSession({ user: { user_id: 'u-1', hash }, previous_session: before });
    const frames = await framesOf(await send(shop, session, { query: question, files: [id] }));
    const { answer } = await fetchAsAgent(shop, String(frames.at(-1)?.conversation_id));
    expect(answer.rawPayload.equals(png)).toBe(true);
  });

  test('is deleted after a day if it was not sent', async () => {
    const shop = await server.openShop(on);
    const session = await shop.openSession();
    await handedInBy(shop, session);
    const { conversation } = await sentBy(shop, session);
    await house(new Date(Date.now() + dayMs / 2));
    expect(await countFiles(shop)).toBe(2);
    await house(new Date(Date.now() + dayMs + 60_000));
    expect(await countFiles(shop)).toBe(1);
    expect((await fetchAsAgent(shop, conversation)).answer.statusCode).toBe(200);
  });

  test('is deleted with its conversation, manually or by retention', async () => {
    const [shop, other] = [await server.openShop(on), await server.openShop(on, { retention_days: 2 })];
    const { conversation } = await sentBy(shop, await shop.openSession());
    await sentBy(other, await other.openSession());
    const deleted = await server.app.inject({
      method: 'DELETE',
      url: `/v1/conversations/${conversation}`,
      headers: { authorization: `Bearer ${shop.key}` },
    });
    expect(deleted.statusCode).toBe(204);
    expect(await countFiles(shop)).toBe(0);
    await house(new Date(Date.now() + 3 * dayMs));
    expect(await countFiles(other)).toBe(0);
  });
});
