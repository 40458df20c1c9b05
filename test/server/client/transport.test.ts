import { expect, test } from 'vitest';
import { ConnectionError, Parley, RateLimitError, ServerError } from '../../../server/client/index.ts';

type Step = Response | Error | (() => Promise<Response>);

const fail = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ code, detail: 'Later.', request_id: 'req_1' }, { status, headers });
const done = () => Response.json({ answer: 'Yes' });
const frames = (...list: readonly object[]) =>
  new Response(list.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(''));

/** A client whose requests get `steps` in turn, with the waits between them. */
function play(steps: readonly Step[], options: { readonly maxRetries?: number } = {}) {
  const [requests, waits]: [RequestInit[], number[]] = [[], []];
  const parley = new Parley({
    ...{ apiKey: 'pk_1', baseUrl: 'https://parley.example', ...options },
    async fetch(_address, init = {}) {
      const step = steps[requests.push(init) - 1];
      if (step === undefined) throw new TypeError('no further request was expected');
      if (step instanceof Error) throw step;
      return typeof step === 'function' ? step() : step;
    },
    wait: async (ms) => void waits.push(ms),
    random: () => 0.5,
  });
  const keys = () => requests.map(({ headers }) => new Headers(headers).get('idempotency-key'));
  return { parley, requests, waits, keys };
}

test('5xx is repeated with growing waits and the same key of idempotency', async () => {
  const { parley, waits, keys } = play([fail(503, 'deploying'), fail(500, 'internal_error'), done()]);
  expect((await parley.query({ query: 'Is it?' })).answer).toBe('Yes');
  expect(waits).toEqual([1_000, 2_000]);
  expect(new Set(keys()).size).toBe(1);
  expect(keys()[0]).toMatch(/^[\da-f-]{36}$/);
});

test('a proxy that answers 502 in HTML is repeated as well', async () => {
  const { parley } = play([new Response('<h1>Bad gateway</h1>', { status: 502 }), done()]);
  expect((await parley.query({ query: 'Is it?' })).answer).toBe('Yes');
});

test('429 waits as long as the service says', async () => {
  const { parley, waits } = play([fail(429, 'rate_limit_minute', { 'retry-after': '7' }), done()]);
  await parley.query({ query: 'Is it?' });
  expect(waits).toEqual([7_000]);
});

test('a wait of hours is left to the caller', async () => {
  const { parley, waits } = play([fail(429, 'quota_exhausted', { 'retry-after': '40000' })]);
  const asked = parley.query({ query: 'Is it?' });
  await expect(asked).rejects.toThrow(RateLimitError);
  await expect(asked).rejects.toMatchObject({ retryAfter: 40_000 });
  expect(waits).toEqual([]);
});

test('other 4xx are never repeated', async () => {
  const { parley, requests } = play([fail(409, 'duplicate_request_id')]);
  await expect(parley.query({ query: 'Is it?' })).rejects.toMatchObject({ code: 'duplicate_request_id' });
  expect(requests).toHaveLength(1);
});

test('attempts end after maxRetries', async () => {
  const { parley, requests } = play([fail(503, 'deploying'), fail(503, 'deploying')], { maxRetries: 1 });
  await expect(parley.query({ query: 'Is it?' })).rejects.toThrow(ServerError);
  expect(requests).toHaveLength(2);
});

test('without a response, only what has one effect is repeated', async () => {
  const lost = new TypeError('fetch failed');
  const asked = play([lost, done()]);
  await asked.parley.query({ query: 'Is it?' });
  expect(asked.requests).toHaveLength(2);
  const noted = play([lost]);
  const note = noted.parley.conversations.addNote('conv_1', { content: 'Once' });
  await expect(note).rejects.toThrow(ConnectionError);
  expect(noted.requests).toHaveLength(1);
});

test('an attempt that takes too long is given up', async () => {
  const never = (signal: AbortSignal | null | undefined) =>
    new Promise<Response>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  const parley = new Parley({
    ...{ apiKey: 'pk_1', baseUrl: 'https://parley.example', timeoutMs: 1, maxRetries: 0 },
    fetch: (_address, init) => never(init?.signal),
  });
  await expect(parley.me()).rejects.toMatchObject({ code: 'client_timeout' });
});

test('a stream is asked for again before its first token, and not after it', async () => {
  const status = { event: 'status', stage: 'searching', text: 'Searching' };
  const error = { error: 'Later.', done: true, code: 'provider_down', request_id: 'req_1' };
  const final = { token: '', done: true, conversation_id: 'conv_1' };
  const early = play([frames(status, error), frames(status, { token: 'Yes', done: false }, final)]);
  expect((await early.parley.stream({ query: 'Is it?' }).final()).answer).toBe('Yes');
  const late = play([frames(status, { token: 'Ye', done: false }, error)]);
  const stream = late.parley.stream({ query: 'Is it?' });
  await expect(stream.final()).rejects.toMatchObject({ code: 'provider_down', requestId: 'req_1' });
  expect(stream.text).toBe('Ye');
});

test('a stream that breaks off says so and keeps what was read', async () => {
  const broken = play([frames({ token: 'Ye', done: false })]);
  const stream = broken.parley.stream({ query: 'Is it?' });
  await expect(stream.final()).rejects.toThrow(ConnectionError);
  expect(stream.text).toBe('Ye');
});

test('a chunk boundary within a character or a line changes nothing', async () => {
  const bytes = new TextEncoder().encode(
    'data: {"token":"größer","done":false}\n\n: alive\n\ndata: {"token":"","done":true}\n\n',
  );
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const { parley } = play([new Response(body)]);
  expect((await parley.stream({ query: 'Is it?' }).final()).answer).toBe('größer');
});
