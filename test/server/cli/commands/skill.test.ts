import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCommandLine } from '../../../helpers/servers/processes/open-command-line.ts';

test('the command line adds, lists, tests and removes a skill', async () => {
  const { server, run } = await openCommandLine();
  await server.makeWorkspace({ name: 'Shop' });
  const folder = await mkdtemp(join(tmpdir(), 'parley-skill-'));
  const file = join(folder, 'order.json');
  const properties = { order_id: { type: 'string', description: 'The number on the confirmation' } };
  await writeFile(file, JSON.stringify({ type: 'object', properties, required: ['order_id'] }));
  const added = await run(
    'skill',
    'add',
    'order_status',
    '--url',
    'https://skills.example/orders',
    '--description',
    'Looks up an order.',
    '--parameters',
    file,
    '--verified',
    '--json',
  );
  expect(JSON.parse(added.stdout)).toMatchObject({
    runs_for: 'verified',
    parameters: { required: ['order_id'] },
  });
  expect((await run('skill', 'list')).stdout).toMatch(
    /order_status +https:\/\/skills\.example\/orders +verified +on/,
  );
  const tested = await run(
    'skill',
    'test',
    'order_status',
    '--arg',
    'order_id=A-1024',
    '--user',
    'ada',
    '--json',
  );
  expect([tested.code, JSON.parse(tested.stdout).error === null]).toEqual([1, false]);
  expect(tested.stderr).toContain('skill_failed');
  expect(await run('skill', 'test', 'nothing')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/skill_not_found.*\n.*skill list/),
  });
  expect((await run('skill', 'remove', 'order_status')).stdout).toBe('Removed order_status.\n');
  expect(
    await run(
      'skill',
      'add',
      'x',
      '--url',
      'https://a.example',
      '--description',
      'd',
      '--parameters',
      folder,
    ),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('invalid_parameters'),
  });
});
