import { expect, test } from 'vitest';
import { openCommandLine } from '../../../helpers/servers/processes/open-command-line.ts';

test('the command line adds, lists and removes webhooks, and names the next step if one is missing', async () => {
  const { server, run } = await openCommandLine();
  await server.makeWorkspace({ name: 'Shop' });
  expect((await run('webhook', 'list')).stdout).toContain('webhook add URL');
  const added = await run(
    'webhook',
    'add',
    'https://example.com/hooks',
    '--event',
    'document.indexed',
    '--json',
  );
  const { id, secret, events } = JSON.parse(added.stdout);
  expect([typeof secret, events]).toEqual(['string', ['document.indexed']]);
  expect((await run('webhook', 'list')).stdout).toMatch(
    /https:\/\/example\.com\/hooks +document\.indexed +on/,
  );
  expect((await run('webhook', 'deliveries', id)).stdout).toBe(
    'Nothing was delivered in the last week, and nothing waits.\n',
  );
  expect(await run('webhook', 'replay', id, 'evt_none')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/delivery_not_found.*\n.*webhook deliveries/),
  });
  expect((await run('webhook', 'remove', id)).stdout).toBe(`Removed ${id}.\n`);
  expect(await run('webhook', 'remove', id)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/webhook_not_found.*\n.*webhook list/),
  });
});

test('the command line sends a delivery again', async () => {
  const { server, run } = await openCommandLine();
  const { id: workspaceId } = await server.makeWorkspace({ name: 'Shop' });
  const { id } = JSON.parse((await run('webhook', 'add', 'https://example.com/hooks', '--json')).stdout);
  await server.addDocument(workspaceId, '# Opening hours\n\nWe open at nine.');
  const [delivery] = JSON.parse((await run('webhook', 'deliveries', id, '--json')).stdout).deliveries;
  expect(delivery.event).toBe('document.indexed');
  expect(await run('webhook', 'replay', id, delivery.id)).toMatchObject({
    code: 0,
    stdout: `${delivery.id} is being sent again.\n`,
  });
});
