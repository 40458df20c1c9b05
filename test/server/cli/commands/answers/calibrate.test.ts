import { expect, test } from 'vitest';
import { openCommandLine } from '../../../../helpers/servers/processes/open-command-line.ts';
import { judgeAnswers, overConfident } from '../../../../helpers/stores/inbox/judge-answers.ts';

test('the command line prints what a fit finds, and offers it only if asked', async () => {
  const { server, run } = await openCommandLine();
  const { runtime, operate } = server;
  const shop = await server.makeWorkspace({ name: 'Shop' });
  const offer = async () => (await operate('GET', `/workspaces/${shop.id}/correction`)).json().offer;
  expect((await run('calibrate')).stdout).toMatch(/^Fewer than 40 answers/);
  await judgeAnswers(runtime.database.kysely, shop.id, overConfident(200, runtime.clock.now()));
  const { stdout, code } = await run('calibrate', '--workspace', shop.id);
  expect(code).toBe(0);
  expect(stdout).toMatch(/SURE +ANSWERS +BEFORE +AFTER +HELPED/);
  expect(stdout).toMatch(/60 % to 80 % +\d+ +\d+ % +\d+ % +\d+ %/);
  expect(stdout).toMatch(/all +200 /);
  expect(stdout).toContain('Add --offer');
  expect(await offer()).toBeNull();
  expect((await run('calibrate', '--offer')).stdout).toContain('The correction is offered in the dashboard.');
  expect(await offer()).toMatchObject({ judged: 200 });
  const { fit, offered } = JSON.parse((await run('calibrate', '--json')).stdout);
  expect([fit.is_better, offered]).toEqual([true, false]);
});
