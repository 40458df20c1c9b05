import { expect, test } from 'vitest';
import { errorCatalogue } from '../../../../core/base/error-catalogue.ts';
import { askBodySchema } from '../../../../server/nlweb/schema.ts';
import { openPublicServer } from '../../../helpers/servers/open-public-server.ts';

const { askPublicly, askByAddress, openWorkspace } = await openPublicServer();
const { id } = await openWorkspace();

async function codeOf(payload: object) {
  const response = await askPublicly(id, payload);
  return [response.statusCode, response.json().code];
}

const wrongTypes = [5, true, [], {}];

test.each([
  ['query', [null, ...wrongTypes]],
  ['site', [...wrongTypes, 'x'.repeat(2_001)]],
  ['locale', [...wrongTypes, '', 'english!', 'e', 'en us']],
  [
    'previous_responses',
    [5, 'text', {}, [5], [null], [{}], [{ role: 'user' }], [{ role: 5, content: 'x' }], Array(201).fill('x')],
  ],
  ['prev', [5, {}, [5]]],
  ['decontextualized_query', [...wrongTypes, 'x'.repeat(4_001)]],
  ['query_id', [...wrongTypes, 'x'.repeat(201)]],
  ['mode', [...wrongTypes, 'chat', '']],
  ['generate_mode', [...wrongTypes, 'chat', '']],
  ['streaming', ['maybe', 2, [], {}]],
] as const)('reports an invalid %s with its own code', async (field, values) => {
  for (const value of values) {
    const fields = { query: 'Do you sell socks?', [field]: value };
    expect(await codeOf(fields), JSON.stringify(value)).toEqual([422, `invalid_${field}`]);
  }
});

test('reports an invalid query parameter with its own code', async () => {
  for (const field of ['mode', 'streaming', 'locale']) {
    const response = await askByAddress(id, { query: 'Do you sell socks?', [field]: 'no such' });
    expect([response.statusCode, response.json().code]).toEqual([422, `invalid_${field}`]);
  }
});

test('every field of the request has its own code', () => {
  const without = Object.keys(askBodySchema.shape).filter((field) => !(`invalid_${field}` in errorCatalogue));
  expect(without).toEqual([]);
});
