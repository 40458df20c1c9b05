import { expect, test } from 'vitest';
import { openCommandLine } from '../../../helpers/servers/processes/open-command-line.ts';

test('the command line shows the messages of the month, their quota and the answers by channel', async () => {
  const { server, run } = await openCommandLine();
  const shop = await server.makeWorkspace({ name: 'Shop', plan: 'growth' });
  expect((await run('usage')).stdout).toMatch(/^\d{4}-\d\d: 0 messages of 10000 \(growth\)/);
  await server.query(shop.key, { query: 'When are you open?' });
  const { stdout } = await run('usage');
  expect(stdout).toMatch(/: 1 messages of 10000/);
  expect(stdout).toMatch(/CHANNEL +ANSWERS\napi +1/);
  expect(JSON.parse((await run('usage', '--json')).stdout)).toMatchObject({ messages: 1, quota: 10_000 });
});
