import { expect, test } from 'vitest';
import { openWidgetServer } from '../../../helpers/servers/open-widget-server.ts';
import { doParley } from '../../../helpers/servers/processes/do-parley.ts';
import { openCommandLine } from '../../../helpers/servers/processes/open-command-line.ts';

test("the command line ends the sessions of a conversation's visitor and reports an unknown conversation", async () => {
  const server = await openWidgetServer();
  const { config, installation } = server.runtime;
  const environment = { DATA_DIR: config.DATA_DIR, ADMIN_TOKEN: installation.adminToken };
  const logOut = (...args: string[]) =>
    doParley(['conversation', 'log-out', ...args, '--server', server.address], environment);
  const shop = await server.openShop();
  const session = await shop.openSession();
  const [frame] = (await shop.say(session, 'How long do parcels take?')).slice(-1);
  const id = String(frame?.conversation_id);
  expect(await logOut(id)).toMatchObject({ code: 0, stdout: 'Ended 1 session.\n' });
  expect((await shop.send('/messages', { session })).status).toBe(401);
  const again = await logOut(id, '--json');
  expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { id, ended: 0 }]);
  expect(await logOut('conv_none')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/\(conversation_not_found\)\n.*conversation list/),
  });
});

test('the command line lists and shows conversations, and replies as an agent', async () => {
  const { server, run } = await openCommandLine();
  const shop = await server.makeWorkspace({ name: 'Shop' });
  expect((await run('conversation', 'list')).stdout).toBe('No conversation fits.\n');
  const asked = (await server.query(shop.key, { query: 'How long do parcels take?' })).json();
  const id: string = asked.conversation_id;
  expect((await run('conversation', 'list', '--status', 'open')).stdout).toMatch(
    new RegExp(`${id} +api +open +2 `),
  );
  const replied = await run('conversation', 'reply', id, 'Two days.', '--as', 'ann@acme.example');
  expect([replied.code, replied.stdout]).toEqual([0, 'Stored. This conversation has no channel.\n']);
  const { stdout } = await run('conversation', 'show', id);
  expect(stdout).toMatch(/How long do parcels take\?[\s\S]*ann@acme\.example[\s\S]*Two days\./);
  const keys = (await server.operate('GET', `/workspaces/${shop.id}/keys`)).json().keys;
  expect(keys.map(({ name }: { name: string }) => name)).toEqual(['Test']);
});
