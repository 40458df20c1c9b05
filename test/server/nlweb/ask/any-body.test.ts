import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorCatalogue } from '../../../../core/base/error-catalogue.ts';
import { askBodySchema } from '../../../../server/nlweb/schema.ts';
import { openPublicServer } from '../../../helpers/servers/open-public-server.ts';

const { app, openWorkspace } = await openPublicServer();
const { id } = await openWorkspace({ plan: 'enterprise' });

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('\0', '\ud800', '😀', "'; --", '%00', 'conv_1', 'en', 'list', '["a"', '[1]', 'false'),
);
const item = fc.record(
  { role: fc.constantFrom('user', 'assistant', 'x'), content: text },
  { requiredKeys: [] },
);
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  text,
  fc.array(fc.oneof(item, text), { maxLength: 4 }),
);
const questionObject = fc.record(
  { text, site: anything, max_results: anything, min_score: anything },
  { requiredKeys: [] },
);
const fields = Object.keys(askBodySchema.shape).filter((field) => field !== 'query');
const body = fc
  .tuple(
    fc.option(fc.oneof(text, questionObject)),
    fc.dictionary(fc.constantFrom(...fields), anything, { maxKeys: 3 }),
  )
  .map(([query, others]) => (query === null ? others : { query, ...others }));

const expectDocumented = (response: { statusCode: number; body: string; json: () => { code: string } }) => {
  expect(response.statusCode, response.body).toBeLessThan(500);
  if (response.statusCode !== 200) expect(Object.keys(errorCatalogue)).toContain(response.json().code);
};

test('answers any body or rejects it with a code of the catalogue', async () => {
  await fc.assert(
    fc.asyncProperty(body, async (payload) => {
      const url = `/api/nlweb/${id}/ask`;
      const headers = { 'content-type': 'application/json' };
      expectDocumented(await app.inject({ method: 'POST', url, headers, payload: JSON.stringify(payload) }));
    }),
    { numRuns: 150 },
  );
});

test('answers any query string or rejects it with a code of the catalogue', async () => {
  const query = fc.dictionary(fc.constantFrom('query', ...fields), text, { maxKeys: 4 });
  await fc.assert(
    fc.asyncProperty(query, async (parameters) => {
      const search = new URLSearchParams(parameters).toString();
      expectDocumented(await app.inject({ method: 'GET', url: `/api/nlweb/${id}/ask?${search}` }));
    }),
    { numRuns: 100 },
  );
});
