import { expect, test } from 'vitest';
import { openCommandLine } from '../../../helpers/servers/processes/open-command-line.ts';

test('the command line lists who changed what, with filters', async () => {
  const { server, run } = await openCommandLine();
  const shop = await server.makeWorkspace({ name: 'Shop' });
  expect((await run('audit', '--action', 'member_invited')).stdout).toBe('Nothing was changed.\n');
  await server.operate('POST', `/workspaces/${shop.id}/invitations`, {
    email: 'ann@acme.example',
    role: 'agent',
  });
  expect((await run('audit', '--action', 'member_invited')).stdout).toMatch(/operator +member_invited +\{/);
  expect((await run('audit', '--actor', 'nobody')).stdout).toBe('Nothing was changed.\n');
  const { audit_log } = JSON.parse((await run('audit', '--since', '2000-01-01', '--json')).stdout);
  expect(audit_log).toMatchObject([
    { action: 'member_invited', conversation_id: null },
    { action: 'key_created', conversation_id: null },
  ]);
});
