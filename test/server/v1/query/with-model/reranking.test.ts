import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { freePort } from '../../../../helpers/servers/network/free-port.ts';
import { openTestServer } from '../../../../helpers/servers/open-test-server.ts';

const requestSchema = z.looseObject({ query: z.string(), documents: z.array(z.string()) });
const asked: z.output<typeof requestSchema>[] = [];
let isOut = false;

/** Prefers passages about Germany. */
const provider = createServer(async (request, response) => {
  const body = requestSchema.parse(await json(request));
  asked.push(body);
  if (isOut) return response.writeHead(500).end();
  const results = body.documents.map((text, index) => ({
    index,
    relevance_score: text.includes('Germany') ? 0.9 : 0.1,
  }));
  return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }));
});
const port = await freePort();
await new Promise<void>((resolve) => provider.listen(port, '127.0.0.1', resolve));
afterAll(() => {
  provider.closeAllConnections();
  provider.close();
});

const server = await openTestServer({
  runtime: {
    environment: {
      RERANK_MODEL: 'lab:bge',
      RERANK_TIMEOUT_MS: '10000',
      OPENAI_COMPATIBLE_BASE_URL_LAB: `http://127.0.0.1:${port}`,
    },
  },
});
const { id, key } = await server.makeWorkspace();
await server.addDocument(id, '# Delivery costs\n\nDelivery costs five pounds for every order.');
await server.addDocument(id, '# Abroad\n\nOrders to Germany take eleven days.');
const query = 'What does delivery cost for an order?';

async function searched(): Promise<{ readonly titles: string[]; readonly scores: number[] }> {
  const response = await server.operate('POST', `/workspaces/${id}/search`, { query });
  const results = z
    .array(z.looseObject({ title: z.string(), score: z.number() }))
    .parse(response.json().results);
  return { titles: results.map(({ title }) => title), scores: results.map(({ score }) => score) };
}

test('the order of passages is the reranker’s; scores and confidence are not', async () => {
  const { titles, scores } = await searched();
  expect(titles).toEqual(['Abroad', 'Delivery costs']);
  expect(scores[0]).toBeLessThan(scores[1] ?? 0);
  const answered = await server.query(key, { query });
  expect(answered.json()).toMatchObject({
    answer: expect.stringContaining('five pounds'),
    confidence: expect.stringMatching(/^(?:high|medium)$/),
  });
  expect(asked.at(-1)).toMatchObject({
    query,
    documents: expect.arrayContaining([expect.stringMatching(/^Abroad/)]),
  });
});

test('questions are answered in the own order while the reranker fails, and metrics count it', async () => {
  isOut = true;
  expect((await searched()).titles).toEqual(['Delivery costs', 'Abroad']);
  expect((await server.query(key, { query })).json()).toMatchObject({
    answer: expect.stringContaining('five'),
  });
  await searched();
  await searched();
  const { body } = await server.app.inject({
    method: 'GET',
    url: '/metrics',
    headers: { authorization: `Bearer ${server.runtime.installation.adminToken}` },
  });
  expect(body).toContain('parley_rerank_duration_seconds_count{outcome="ordered"} 2');
  expect(body).toContain('parley_rerank_duration_seconds_count{outcome="failed"} 3');
  expect(body).toContain('parley_rerank_duration_seconds_count{outcome="paused"} 1');
  expect(body).toContain('parley_model_working{model="lab:bge"} 0');
});
