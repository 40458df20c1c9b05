import { expect, test } from 'vitest';
import { openCommandLine } from '../../../helpers/servers/processes/open-command-line.ts';
import { sameOrigin, testPassword } from '../../../helpers/servers/sign-in-person.ts';

test('the command line lets the first person in, invites others, lets them in again and removes them', async () => {
  const { server, run } = await openCommandLine();
  const person = (...args: string[]) => run('person', ...args);
  const use = (link: string, fields: object) => {
    const { pathname, hash } = new URL(link);
    const paths = {
      invite: '/dashboard/invitations/accept',
      begin: '/dashboard/begin',
      recover: '/dashboard/recover',
    };
    const path = pathname.slice('/dashboard/'.length);
    return server.app.inject({
      method: 'POST',
      url: path === 'invite' || path === 'begin' || path === 'recover' ? paths[path] : path,
      headers: sameOrigin,
      payload: { token: hash.slice(1), password: testPassword, ...fields },
    });
  };
  await server.makeWorkspace({ name: 'Shop' });

  expect((await person('list')).stdout).toContain('person link');
  const first = await person('link');
  expect(first.stdout).toMatch(/\/dashboard\/begin#[\w-]+\n$/);
  expect((await use(first.stdout.trim(), { name: 'Ann', email: 'ann@acme.example' })).statusCode).toBe(201);
  expect(await person('link')).toMatchObject({ code: 2, stderr: expect.stringContaining('person list') });

  const invited = await person('add', 'Ben@acme.example', '--role', 'viewer', '--json');
  const { link, role } = JSON.parse(invited.stdout);
  expect(role).toBe('viewer');
  expect((await use(link, { name: 'Ben' })).statusCode).toBe(201);

  const again = await person('link', 'BEN@acme.example');
  expect(again.stdout).toMatch(/\/dashboard\/recover#/);
  expect((await use(again.stdout.trim(), {})).statusCode).toBe(201);

  const listed = await person('list');
  expect(listed.stdout).toMatch(/ann@acme\.example +Ann +operator, owner +off/);
  expect(listed.stdout).toMatch(/ben@acme\.example +Ben +viewer +off/);

  expect(await person('remove', 'ann@acme.example', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('last_owner'),
  });
  expect(await person('remove', 'ben@acme.example')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('confirmation_needed'),
  });
  expect((await person('remove', 'ben@acme.example', '--yes')).stdout).toBe('Removed ben@acme.example.\n');
  expect(await person('link', 'ben@acme.example')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('member_not_found'),
  });
});
