import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorCatalogue } from '../../../../core/errors.ts';
import { querySchema } from '../../../../server/v1/query/schema.ts';
import { openTestServer } from '../../../helpers/open-test-server.ts';

const { app, makeWorkspace } = await openTestServer();
const { key } = await makeWorkspace({ settings: { audiences: ['staff'] } });

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('\0', '\ud800', '😀', "'; --", '%00'),
);
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  text,
  fc.constantFrom('staff', 'ws_1', 'conv_1', 'doc_1'),
);
const fields = Object.keys(querySchema.body.shape).filter((field) => field !== 'query');
const body = fc
  .tuple(fc.option(text), fc.dictionary(fc.constantFrom(...fields), anything, { maxKeys: 2 }))
  .map(([query, others]) => (query === null ? others : { query, ...others }));

test('whatever a body holds is answered or refused with a code of the registry, and is no fault of ours', async () => {
  await fc.assert(
    fc.asyncProperty(body, async (payload) => {
      const response = await app.inject({
        method: 'POST',
        url: '/v1/query',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        payload: JSON.stringify(payload),
      });
      expect(response.statusCode, response.body).toBeLessThan(500);
      if (response.statusCode !== 200) expect(Object.keys(errorCatalogue)).toContain(response.json().code);
    }),
    { numRuns: 150 },
  );
});
