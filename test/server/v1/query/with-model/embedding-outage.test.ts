import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { freePort } from '../../../../helpers/servers/network/free-port.ts';
import { openTestServer } from '../../../../helpers/servers/open-test-server.ts';

let isOut = false;
const provider = createServer(async (request, response) => {
  const { input } = z
    .looseObject({ input: z.union([z.string(), z.array(z.string())]) })
    .parse(JSON.parse(await text(request)));
  if (isOut) return response.writeHead(503).end();
  const data = [input]
    .flat()
    .map((_, index) => ({ index, embedding: [1, ...new Array<number>(383).fill(0)] }));
  return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
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
      EMBEDDING_MODEL: 'openai-compatible:small',
      OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1`,
    },
  },
});
const { id, key } = await server.makeWorkspace();
await server.addDocument(id, '## Delivery\n\nExpress parcels arrive within three days of the order.');
await server.addDocument(id, '## Pets\n\nDogs are welcome in the garden.');

test('answers with keyword search while the embedding provider is down, and embeds failed questions later', async () => {
  isOut = true;
  const answered = await server.query(key, { query: 'When do express parcels arrive after the order?' });
  expect([answered.statusCode, answered.json()]).toMatchObject([
    200,
    { answer: expect.stringContaining('three days'), confidence: expect.stringMatching(/high|medium/) },
  ]);
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const failed = await server.query(key, { query: `May I bring my cat, number ${attempt}?` });
    expect(failed.statusCode).toBeGreaterThanOrEqual(500);
    expect(failed.json().code).toMatch(/^(model_provider_error|provider_down)$/);
  }
  const metrics = await server.app.inject({
    method: 'GET',
    url: '/metrics',
    headers: { authorization: `Bearer ${server.runtime.installation.adminToken}` },
  });
  expect(metrics.body).toContain('model_calls_total{model="openai-compatible:small",outcome="failed"} 3');
  expect(metrics.body).toContain('parley_model_working{model="openai-compatible:small"} 0');
});

test('a request for an agent still works meanwhile', async () => {
  isOut = true;
  const asked = await server.query(key, { query: 'I want to talk to a person' });
  expect([asked.statusCode, asked.json()]).toMatchObject([200, { skills_fired: ['escalate_to_human'] }]);
});
