import { expect, test } from 'vitest';
import { openPublicServer } from '../../../helpers/servers/open-public-server.ts';

const { askByAddress, openWorkspace } = await openPublicServer();
const { id } = await openWorkspace();

test.each([{}, { query: '' }, { query: ' ' }, { query: '\0' }])(
  'reports a missing or empty query as a missing field: %j',
  async (parameters) => {
    const response = await askByAddress(id, parameters);
    expect([response.statusCode, response.json().code]).toEqual([400, 'missing_field']);
  },
);

test('rejects a query of more than 4,000 characters', async () => {
  const response = await askByAddress(id, { query: 'x'.repeat(4_001) });
  expect([response.statusCode, response.json().code]).toEqual([400, 'message_too_long']);
});
