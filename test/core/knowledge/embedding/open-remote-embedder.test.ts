import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openRemoteEmbedder } from '../../../../core/knowledge/embedding/remote-embedder.ts';
import { freePort } from '../../../helpers/servers/network/free-port.ts';

const requestSchema = z.looseObject({ input: z.union([z.string(), z.array(z.string())]) });
const requests: z.output<typeof requestSchema>[] = [];

/** Returns a vector of length 2 along a different axis for each text. */
const vectorOf = (input: string): number[] => {
  const axis = ['Hello', 'first', 'second'].indexOf(input);
  return Array.from({ length: input === 'short' ? 8 : 384 }, (_, index) => (index === axis ? 2 : 0));
};
const encoded = (vector: number[], format: unknown) =>
  format === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector;

/** Status of the next responses. */
const refusals: number[] = [];

const provider = createServer(async (request, response) => {
  const body = requestSchema.parse(JSON.parse(await text(request)));
  requests.push(body);
  const refusal = refusals.shift();
  if (refusal !== undefined) {
    response.writeHead(refusal, { 'content-type': 'application/json', 'retry-after': '0' }).end('{}');
    return;
  }
  const inputs = [body.input].flat();
  response.writeHead(inputs.includes('broken') ? 500 : 200, { 'content-type': 'application/json' });
  const data = inputs.map((input, index) => ({
    index,
    embedding: encoded(vectorOf(input), body.encoding_format),
  }));
  response.end(JSON.stringify({ data, model: 'small' }));
});
const port = await freePort();
await new Promise<void>((resolve) => provider.listen(port, '127.0.0.1', resolve));
afterAll(() => {
  provider.closeAllConnections();
  provider.close();
});
const address = `http://127.0.0.1:${port}/v1`;

const warned: unknown[] = [];
const log = { warn: (...line: unknown[]) => void warned.push(line) };
const open = (baseUrl = address, options: { isOriginal?: boolean; dimensions?: number } = {}) =>
  openRemoteEmbedder({
    choice: { provider: 'openai', model: 'small' },
    settings: { apiKey: 'k', baseUrl, api: 'openai', isOriginal: options.isOriginal ?? true },
    ...(options.dimensions !== undefined && { dimensions: options.dimensions }),
    log,
  });

test("returns unit vectors of the model's dimensions, in order", async () => {
  const embedder = await open();
  const [first, second] = await embedder.embedPassages(['first', 'second']);
  expect([first?.[1], second?.[2]]).toEqual([1, 1]);
  expect((await embedder.embedQuery('second'))[2]).toBe(1);
  expect(embedder).toMatchObject({ model: 'openai:small', dimensions: 384, engine: 'remote' });
});

test('requests stored dimensions from OpenAI but not from other servers', async () => {
  await open();
  expect(requests.at(-1)).not.toHaveProperty('dimensions');
  await open(address, { dimensions: 384 });
  expect(requests.at(-1)).toMatchObject({ dimensions: 384 });
  await open(address, { dimensions: 384, isOriginal: false });
  expect(requests.at(-1)).not.toHaveProperty('dimensions');
});

test('rejects vectors with other dimensions than the stored ones and suggests a remedy', async () => {
  const embedder = await open();
  await expect(embedder.embedQuery('short')).rejects.toThrow(
    'openai:small returns vectors with 8 dimensions, but its stored ones have 384.',
  );
  await expect(open(address, { dimensions: 8, isOriginal: false })).rejects.toThrow(
    'returns vectors with 384 dimensions, but its stored ones have 8.',
  );
});

test("reports a provider's failure like that of a language model", async () => {
  const embedder = await open();
  await expect(embedder.embedQuery('broken')).rejects.toMatchObject({ code: 'model_provider_error' });
});

test('an unreachable provider at the start may be reachable later', async () => {
  const before = warned.length;
  const embedder = await open(`http://127.0.0.1:${await freePort()}/v1`);
  expect(warned).toHaveLength(before + 1);
  await expect(embedder.embedQuery('first')).rejects.toMatchObject({ code: 'provider_down', status: 503 });
});

test('check reports the state of the circuit breaker without a call', async () => {
  const embedder = await open();
  const before = requests.length;
  await embedder.check();
  expect(requests.length).toBe(before);
  refusals.push(401);
  await expect(embedder.embedQuery('first')).rejects.toMatchObject({ code: 'model_provider_error' });
  await expect(embedder.check()).rejects.toMatchObject({ code: 'provider_down' });
  expect(requests.length).toBe(before + 1);
  expect(warned.at(-1)).toMatchObject([
    { model: 'openai:small', failure: 'misconfigured' },
    expect.anything(),
  ]);
});

test('counts every call by outcome', async () => {
  const counted: string[] = [];
  const embedder = await openRemoteEmbedder({
    ...{ choice: { provider: 'openai', model: 'small' }, log },
    settings: { apiKey: 'k', baseUrl: address, api: 'openai', isOriginal: true },
    count: (model, outcome) => void counted.push(`${model} ${outcome}`),
  });
  refusals.push(400);
  await expect(embedder.embedQuery('first')).rejects.toMatchObject({ code: 'model_provider_error' });
  expect(counted).toEqual(['openai:small answered', 'openai:small refused']);
});

test('an aborted document causes no further requests', async () => {
  const embedder = await open();
  const signal = AbortSignal.abort(new RangeError('deleted'));
  await expect(embedder.embedPassages(['first'], { signal })).rejects.toThrow('deleted');
});

test('documents wait for an unavailable provider, questions do not', async () => {
  const embedder = await open();
  refusals.push(429, 503, 429);
  const [first] = await embedder.embedPassages(['first']);
  expect([first?.[1], refusals]).toEqual([1, []]);
  refusals.push(429);
  await expect(embedder.embedQuery('first')).rejects.toMatchObject({ code: 'model_provider_error' });
});

test('a document that the provider refuses is not retried forever', async () => {
  const embedder = await open();
  refusals.push(400);
  await expect(embedder.embedPassages(['first'])).rejects.toMatchObject({ code: 'model_provider_error' });
  expect(refusals).toEqual([]);
});

test('an abort does not wait for the provider', async () => {
  const embedder = await open();
  const ending = new AbortController();
  refusals.push(...Array.from({ length: 20 }, () => 429));
  const embedding = embedder.embedPassages(['first'], { signal: ending.signal });
  ending.abort(new RangeError('the process ends'));
  await expect(embedding).rejects.toThrow('the process ends');
  refusals.length = 0;
});
