import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../../core/config/config.ts';
import type { RankedChunk } from '../../../../core/knowledge/passage.ts';
import { Reranker, type RerankOutcome } from '../../../../core/knowledge/ranking/reranker.ts';
import { findRerankModel } from '../../../../core/models/provider-settings.ts';

interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

type Respond = (asked: Asked) => { readonly status?: number; readonly body: string } | null;

/** A provider whose responses a test decides; null leaves the request open. */
async function startProvider(respond: Respond) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const body: Asked['body'] = JSON.parse(await text(request));
    const one = { path: request.url ?? '', headers: request.headers, body };
    asked.push(one);
    const said = respond(one);
    if (said === null) return;
    response.writeHead(said.status ?? 200, { 'content-type': 'application/json' }).end(said.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { asked, url: `http://127.0.0.1:${port}` };
}

interface Opened {
  readonly model: string;
  readonly respond: Respond;
  readonly timeoutMs?: number;
}

async function open({ model, respond, timeoutMs = 10_000 }: Opened) {
  const { asked, url } = await startProvider(respond);
  const [provider = ''] = model.split(':');
  const name = provider === 'lab' ? '_LAB' : '';
  const prefix = provider === 'lab' ? 'OPENAI_COMPATIBLE' : provider.toUpperCase().replaceAll('-', '_');
  const found = findRerankModel(
    readConfig({
      RERANK_MODEL: model,
      [`${prefix}_BASE_URL${name}`]: `${url}/v9`,
      [`${prefix}_API_KEY${name}`]: 'the-secret-key',
    }),
  );
  if (found === null) throw new TypeError('no reranker is configured');
  const logged: unknown[] = [];
  const outcomes: RerankOutcome[] = [];
  const calls: string[] = [];
  let now = 0;
  const reranker = new Reranker({
    ...found,
    timeoutMs,
    clock: { now: () => new Date(now) },
    log: { warn: (facts: unknown) => void logged.push(facts) },
    count: (called, outcome) => void calls.push(`${called} ${outcome}`),
    measure: (outcome) => void outcomes.push(outcome),
  });
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { reranker, asked, logged, outcomes, calls, pass };
}

const parts = { bm25: 0, coverage: 0, exact: 0, pairs: 0, cosine: 0, sentence: 0, fused: 0, lead: 0 };

/** Passages in the order of their scores. */
const passages: readonly RankedChunk[] = ['first', 'second', 'third'].map((body, index) => ({
  chunkId: body,
  documentId: 'd',
  ordinal: index,
  title: 'Tools',
  headings: ['Prices'],
  body,
  bm25: 0,
  cosine: null,
  unitCosines: null,
  score: 0.9 - index / 10,
  parts,
}));

const bodies = (ranked: readonly RankedChunk[]) => ranked.map(({ body }) => body);

/** The scores by which the order is the reverse of the request's. */
const reversed = ({ body }: Asked, field: string) =>
  [body.documents ?? body.texts].flat().map((_, index) => ({ index, [field]: index / 10 }));
const asResults: Respond = (asked) => ({
  body: JSON.stringify({ results: reversed(asked, 'relevance_score').reverse() }),
});
const documents = ['first', 'second', 'third'].map((body) => `Tools > Prices\n${body}`);
const query = 'What do tools cost?';

test.each<readonly [model: string, respond: Respond, body: object]>([
  ['cohere:rerank-v3.5', asResults, { model: 'rerank-v3.5', query, documents, top_n: 3 }],
  ['lab:bge-reranker', asResults, { model: 'bge-reranker', query, documents, top_n: 3 }],
  ['openai-compatible:bge', asResults, { model: 'bge', query, documents, top_n: 3 }],
  ['jina:jina-v2', asResults, { model: 'jina-v2', query, documents, top_n: 3, return_documents: false }],
  [
    'voyage:rerank-2.5',
    (asked) => ({ body: JSON.stringify({ object: 'list', data: reversed(asked, 'relevance_score') }) }),
    { model: 'rerank-2.5', query, documents, top_k: 3 },
  ],
  [
    'tei:bge-reranker',
    (asked) => ({ body: JSON.stringify(reversed(asked, 'score')) }),
    { query, texts: documents, truncate: true },
  ],
])('%s orders passages, whose scores stay as they are', async (model, respond, body) => {
  const { reranker, asked, outcomes, calls } = await open({ model, respond });
  const ordered = await reranker.order(query, passages);
  expect(bodies(ordered)).toEqual(['third', 'second', 'first']);
  expect(ordered.map(({ score }) => score)).toEqual([0.7, 0.8, 0.9]);
  expect(asked).toEqual([{ path: '/v9/rerank', headers: expect.anything(), body }]);
  expect(asked[0]?.headers.authorization).toBe('Bearer the-secret-key');
  expect([outcomes, calls]).toEqual([['ordered'], [`${model} answered`]]);
  expect(await reranker.check()).toBeNull();
});

test('the best twenty passages are put in order, and the others follow', async () => {
  const { reranker, asked } = await open({ model: 'cohere:m', respond: asResults });
  const many = Array.from({ length: 25 }, (_, index) => ({
    ...passages[0],
    body: `${index}`,
  })) as RankedChunk[];
  const ordered = bodies(await reranker.order(query, many));
  expect(ordered).toEqual([
    ...ordered.slice(0, 20).toSorted((a, b) => Number(b) - Number(a)),
    ...['20', '21', '22', '23', '24'],
  ]);
  expect(asked[0]?.body).toMatchObject({ top_n: 20 });
});

test('one passage alone is not sent', async () => {
  const { reranker, asked } = await open({ model: 'cohere:m', respond: asResults });
  expect(bodies(await reranker.order(query, passages.slice(0, 1)))).toEqual(['first']);
  expect(asked).toEqual([]);
});

const results = (...scored: object[]) => JSON.stringify({ results: scored });

test.each([
  ['no JSON', '<html>Bad gateway</html>'],
  ['another shape', '{"ranking": []}'],
  ['too few results', results({ index: 0, relevance_score: 1 })],
  ['an unknown passage', results(...[0, 1, 7].map((index) => ({ index, relevance_score: index })))],
  ['a passage twice', results(...[0, 1, 1].map((index) => ({ index, relevance_score: index })))],
  ['too many results', results(...[0, 1, 2, 2].map((index) => ({ index, relevance_score: index })))],
  ['scores that are no numbers', results(...[0, 1, 2].map((index) => ({ index, relevance_score: '1' })))],
])('passages keep their own order if the provider returns %s', async (_, body) => {
  const { reranker, outcomes, calls } = await open({ model: 'cohere:m', respond: () => ({ body }) });
  expect(await reranker.order(query, passages)).toBe(passages);
  expect([outcomes, calls]).toEqual([['failed'], ['cohere:m failed']]);
});

test('a refused key is logged without the key, and pauses the provider', async () => {
  const { reranker, asked, logged, outcomes, pass } = await open({
    model: 'cohere:m',
    respond: () => ({ status: 401, body: '{"message": "bad key the-secret-key"}' }),
  });
  for (let search = 0; search < 3; search += 1) await reranker.order(query, passages);
  expect(asked).toHaveLength(1);
  expect(outcomes).toEqual(['failed', 'paused', 'paused']);
  expect(logged).toEqual([
    { model: 'cohere:m', failure: 'misconfigured', reason: '401 {"message": "bad key [redacted]"}' },
  ]);
  pass(60_001);
  await reranker.order(query, passages);
  expect(asked).toHaveLength(2);
});

test('a search does not wait longer for the order than the time limit, and after three late ones not at all', async () => {
  const { reranker, asked, outcomes, calls } = await open({
    model: 'tei:slow',
    respond: () => null,
    timeoutMs: 50,
  });
  for (let search = 0; search < 4; search += 1) expect(await reranker.order(query, passages)).toBe(passages);
  expect(asked).toHaveLength(3);
  expect(outcomes).toEqual(['late', 'late', 'late', 'paused']);
  expect(calls).toEqual(Array.from({ length: 3 }, () => 'tei:slow timeout'));
});

test('a visitor who leaves is no fault of the provider', async () => {
  const leaving = new AbortController();
  const reason = new Error('left');
  const { reranker, calls } = await open({
    model: 'cohere:m',
    respond: () => {
      leaving.abort(reason);
      return null;
    },
  });
  await expect(reranker.order(query, passages, leaving.signal)).rejects.toBe(reason);
  expect(calls).toEqual(['cohere:m abandoned']);
});

test('an unknown provider and a missing key are said at the start', () => {
  expect(() => readConfig({ RERANK_MODEL: 'anthropic:x' })).toThrow(/^RERANK_MODEL has the invalid value/);
  expect(() => readConfig({ RERANK_MODEL: 'voyage:x' })).toThrow(
    /^VOYAGE_API_KEY is not set, but RERANK_MODEL/,
  );
  expect(() => readConfig({ RERANK_MODEL: 'tei:x' })).toThrow(/^TEI_BASE_URL is not set/);
  expect(findRerankModel(readConfig({}))).toBeNull();
});
