import { describe, expect, test } from 'vitest';
import {
  AuthenticationError,
  ConnectionError,
  InvalidRequestError,
  identityHash,
  NotFoundError,
  Parley,
  PermissionError,
  VerificationRequiredError,
} from '../../../server/client/index.ts';
import { openStreamServer, question } from '../../helpers/servers/open-stream-server.ts';

const server = await openStreamServer();
const { address, workspace, operate } = server;
const parley = new Parley({ apiKey: workspace.key, baseUrl: `${address}/` });

async function makeKey(scopes: readonly string[]) {
  const path = `/workspaces/${workspace.id}/keys`;
  const { key } = (await operate('POST', path, { name: 'Help desk', scopes })).json();
  return new Parley({ apiKey: key, baseUrl: address, workspaceId: workspace.id });
}

describe('a question', () => {
  test('returns the answer with its sources, in camel case, with the limits of the key', async () => {
    const { answer, sources, conversationId, requestId, rateLimit } = await parley.query({ query: question });
    expect(answer).toContain('three working days');
    expect(sources[0]?.chunkText).toContain('three working days');
    expect(conversationId).toMatch(/^conv_/);
    expect(requestId).not.toBe('');
    expect(rateLimit?.limitMinute).toBe(1_000);
    expect(rateLimit?.resetsAt.getTime()).toBeGreaterThan(Date.now());
  });

  test('keeps the names of metadata, and continues a conversation', async () => {
    const metadata = { page_url: 'https://shop.example', cartValue: 12, nested: { item_id: 'a' } };
    const { conversationId } = await parley.query({ query: question, metadata, sessionId: 's-1' });
    await parley.query({ query: 'Thanks!', conversationId, sessionId: 's-1' });
    const stored = await parley.conversations.get(conversationId);
    expect(stored).toMatchObject({ metadata, sessionId: 's-1', messageCount: 4 });
  });

  test('proves who asks with each question', async () => {
    const user = parley.withUser({
      userId: 'customer-7',
      identitySecret: workspace.identitySecret,
      email: 'ann@shop.example',
    });
    const { conversationId } = await user.query({ query: question });
    const { final } = { final: await user.stream({ query: 'Thanks!', conversationId }).final() };
    expect(final.conversationId).toBe(conversationId);
    const stored = await parley.conversations.get(conversationId);
    expect(stored).toMatchObject({ userId: 'customer-7', userVerified: true });
    expect(stored.customer).toMatchObject({ email: 'ann@shop.example', emailVerified: true });
    const hash = await identityHash(workspace.identitySecret, 'customer-8');
    await parley.query({ query: question, user: { userId: 'customer-8', hash } });
    const wrong = parley.query({ query: question, user: { userId: 'customer-9', hash } });
    await expect(wrong).rejects.toThrow(VerificationRequiredError);
  });
});

describe('a stream', () => {
  test('yields stages, then tokens that make the answer, then everything about it', async () => {
    const stream = parley.stream({ query: question });
    const kinds = new Set<string>();
    let text = '';
    for await (const frame of stream) {
      kinds.add(frame.type);
      if (frame.type === 'token') text += frame.token;
    }
    const final = await stream.final();
    expect([...kinds]).toEqual(['status', 'token', 'final']);
    expect(text).toBe(final.answer);
    expect(final.sources[0]?.documentName).not.toBe('');
    expect(stream.text).toBe(text);
  });

  test('is read by its tokens, or at once', async () => {
    const tokens = [];
    for await (const token of parley.stream({ query: question }).tokens()) tokens.push(token);
    const { answer } = await parley.stream({ query: question }).final();
    expect(tokens.join('')).toBe(answer);
  });

  test('sends nothing before it is read, and nothing once it is cancelled', async () => {
    const before = await parley.me();
    parley.stream({ query: question }).cancel();
    const cancelled = parley.stream({ query: question });
    cancelled.cancel();
    await expect(cancelled.final()).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    expect((await parley.me()).usage.messages).toBe(before.usage.messages);
  });

  test('a loop that is left ends the answer', async () => {
    const stream = parley.stream({ query: question });
    for await (const frame of stream) {
      expect(frame.type).toBe('status');
      break;
    }
    await expect(stream.final()).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  });

  test('becomes a response whose events a page reads', async () => {
    const response = parley.stream({ query: question }).toResponse();
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const frames = (await response.text()).trim().split('\n\n');
    expect(JSON.parse(frames.at(-1)?.slice('data: '.length) ?? '')).toMatchObject({
      type: 'final',
      answer: expect.stringContaining('three working days'),
    });
  });

  test('an error is the last event of such a response', async () => {
    const missing = parley.stream({ query: question, conversationId: 'conv_missing' }).toResponse();
    expect(await missing.text()).toContain('"code":"conversation_not_found"');
  });
});

describe('conversations', () => {
  test('are walked over all pages, changed, noted and deleted', async () => {
    const sessionId = 'walk';
    const ids = [];
    for (let index = 0; index < 3; index += 1) {
      ids.unshift((await parley.query({ query: question, sessionId })).conversationId);
    }
    const found = [];
    for await (const { id } of parley.conversations.list({ sessionId, limit: 1 })) found.push(id);
    expect(found).toEqual(ids);
    const [first = '', second = ''] = ids;
    const changed = await parley.conversations.update(first, { tags: ['vip'], metadata: { orderId: 'A-7' } });
    expect(changed).toMatchObject({ tags: ['vip'], metadata: { orderId: 'A-7' } });
    const note = await parley.conversations.addNote(first, {
      content: 'Call back',
      authorEmail: 'ben@shop.example',
    });
    expect(note.author).toBe('ben@shop.example');
    const roles = [];
    for await (const { role } of parley.conversations.messages(first, { limit: 1 })) roles.push(role);
    expect(roles).toEqual(['user', 'assistant']);
    const tagged = [];
    for await (const { id } of parley.conversations.list({ tag: ['vip'], metadata: { orderId: 'A-7' } }))
      tagged.push(id);
    expect(tagged).toEqual([first]);
    await parley.conversations.delete(second);
    await expect(parley.conversations.get(second)).rejects.toThrow(NotFoundError);
  });

  test('take a rating, and its withdrawal', async () => {
    const answer = await parley.query({ query: question });
    const rated = await parley.feedback(answer, 'down', { comment: 'Not mine' });
    expect(rated.feedback).toMatchObject({ value: 'down', comment: 'Not mine' });
    expect((await parley.feedback(answer, null)).feedback).toBeNull();
  });

  test('are answered as a person by a key with the scope, once for a key of idempotency', async () => {
    const { conversationId } = await parley.query({ query: question });
    const reply = { content: 'Hello from Ben', authorEmail: 'ben@shop.example' };
    await expect(parley.conversations.reply(conversationId, reply)).rejects.toThrow(PermissionError);
    const desk = await makeKey(['conversations:read', 'conversations:reply']);
    const idempotencyKey = 'reply-1';
    const sent = await desk.conversations.reply(conversationId, reply, { idempotencyKey });
    const again = await desk.conversations.reply(conversationId, reply, { idempotencyKey });
    expect([again.id, again.author]).toEqual([sent.id, 'ben@shop.example']);
  });
});

test('documents are added, uploaded, found, listed and deleted', async () => {
  const keeper = await makeKey(['documents:read', 'documents:write', 'search']);
  const url = 'https://shop.example/returns';
  const added = await keeper.documents.upsert({
    title: 'Returns',
    url,
    content: 'Boxes return within 30 days.',
  });
  const replaced = await keeper.documents.upsert({
    title: 'Returns',
    url,
    content: 'Boxes return within 40 days.',
  });
  expect(replaced.id).toBe(added.id);
  const file = new Blob(['# Opening\n\nThe shop opens at nine.'], { type: 'text/markdown' });
  const uploaded = await keeper.documents.upload(file, { name: 'opening.md', title: 'Opening' });
  expect(uploaded).toMatchObject({ title: 'Opening', fileName: 'opening.md' });
  const titles = [];
  for await (const { title } of keeper.documents.list({ limit: 1 })) titles.push(title);
  expect(titles.slice(0, 2).sort()).toEqual(['Opening', 'Returns']);
  const { results } = await keeper.search({ query: 'How many working days until parcels arrive?', topK: 1 });
  expect(results[0]?.chunk).toContain('three working days');
  await keeper.documents.delete(uploaded.id);
  await expect(keeper.documents.get(uploaded.id)).rejects.toThrow(NotFoundError);
});

describe('errors', () => {
  test('are classes that carry code, detail and the id of the request', async () => {
    const failure = await parley.query({ query: '' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(InvalidRequestError);
    expect(failure).toMatchObject({
      code: 'missing_field',
      status: 400,
      requestId: expect.stringMatching(/./),
    });
    const unknown = new Parley({ apiKey: 'pk_unknown', baseUrl: address });
    await expect(unknown.query({ query: question })).rejects.toThrow(AuthenticationError);
  });

  test('an address where nothing listens, and one of another service, are told apart', async () => {
    const gone = new Parley({ apiKey: 'pk_1', baseUrl: 'http://127.0.0.1:1', maxRetries: 0 });
    await expect(gone.me()).rejects.toThrow(ConnectionError);
    const other = new Parley({ apiKey: 'pk_1', baseUrl: `${address}/docs`, maxRetries: 0 });
    await expect(other.me()).rejects.toMatchObject({ status: 404 });
  });

  test('are simulated for a test key', async () => {
    const { key } = (
      await operate('POST', `/workspaces/${workspace.id}/keys`, { name: 'CI', mode: 'test' })
    ).json();
    const tested = new Parley({ apiKey: key, baseUrl: address, maxRetries: 0 });
    const down = tested.query({ query: question }, { simulate: 'provider_down' });
    await expect(down).rejects.toMatchObject({ status: 503, code: 'provider_down', retryAfter: 1 });
    const dropped = tested.stream({ query: question }, { simulate: 'drop_stream' });
    await expect(dropped.final()).rejects.toThrow(ConnectionError);
    expect(dropped.text).not.toBe('');
  });

  test('an aborted request fails with the reason of its signal', async () => {
    const stop = new AbortController();
    const asked = parley.query({ query: question }, { signal: stop.signal });
    stop.abort(new RangeError('enough'));
    await expect(asked).rejects.toThrow(RangeError);
  });
});
