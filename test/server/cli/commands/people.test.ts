import { expect, test } from 'vitest';
import { openWidgetServer } from '../../../helpers/servers/open-widget-server.ts';
import { doParley } from '../../../helpers/servers/processes/do-parley.ts';

test('the command line exports and erases a person, with confirmation before erasing', async () => {
  const server = await openWidgetServer();
  const { config, installation } = server.runtime;
  const environment = { DATA_DIR: config.DATA_DIR, ADMIN_TOKEN: installation.adminToken };
  const people = (...args: string[]) =>
    doParley(['people', ...args, '--server', server.address], environment);
  const shop = await server.openShop();
  const asked = await server.query(shop.key, { query: 'How long do parcels take?' });
  await server.app.inject({
    method: 'PATCH',
    url: `/v1/conversations/${asked.json().conversation_id}`,
    headers: { authorization: `Bearer ${shop.key}` },
    payload: { customer: { email: 'ann@example.com' } },
  });
  const key = 'email=ann@example.com';
  const exported = await people('export', key, '--json');
  expect([exported.code, JSON.parse(exported.stdout)]).toMatchObject([
    0,
    { conversations: [{ id: asked.json().conversation_id }], visitors: [], files: [] },
  ]);
  expect(await people('erase', key)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('confirmation_needed'),
  });
  const erased = await people('erase', key, '--yes', '--json');
  expect([erased.code, JSON.parse(erased.stdout)]).toMatchObject([
    0,
    { counts: { conversations: 1, messages: 2 } },
  ]);
  expect(await people('export', key)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/conversations\s+0/i),
  });
  expect(await people('export', 'name=Ann')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('email=ADDRESS'),
  });
});
