import { describe, expect, test } from 'vitest';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { type SignedIn, signInPerson } from '../../helpers/servers/sign-in-person.ts';

const server = await openTestServer({
  runtime: { environment: { PUBLIC_URL: 'http://parley.example' } },
  app: { liveSeconds: 0 },
});
const { operate, makeWorkspace, runtime } = server;
const { id, owner } = await makeWorkspace({ name: 'Acme' });
const elsewhere = await makeWorkspace({ name: 'Elsewhere' });
const { workspace: second } = await runtime.workspaces.create({ name: 'Second', owner });
// The first person of an installation is its operator, and a member of another owner.
const operator = await signInPerson(server, {
  email: 'op@parley.example',
  role: 'operator',
  ownerId: elsewhere.owner,
});
const full = await join('full', 'owner');
const limited = await join('limited', 'owner', [id]);
const agent = await join('agent', 'agent');
const base = `/admin/v1/workspaces/${id}`;

describe('a member of some workspaces of an owner', () => {
  test('has no right over the members of all', async () => {
    const [me, other] = [await idOf(limited), await idOf(agent)];
    const provider = {
      ...{ name: 'Idp', issuer: 'https://idp.example', client_id: 'x', client_secret: 'y' },
      ...{ domains: ['acme.example'], default_role: 'agent' },
    };
    const tries = [
      ['GET', '/members'],
      ['GET', '/invitations'],
      ['PATCH', `/members/${me}`, { role: 'owner', workspaces: null }],
      ['POST', '/invitations', { email: 'friend@acme.example', role: 'owner' }],
      ['DELETE', `/members/${other}`],
      ['POST', `/members/${await idOf(full)}/recovery-link`],
      ['PUT', '/sign-in', provider],
    ] as const;
    for (const [method, path, body] of tries) {
      const answer = await limited.call(method, `${base}${path}`, body);
      expect([path, answer.json()]).toMatchObject([path, { code: 'permission_denied' }]);
    }
    expect((await limited.call('GET', `/admin/v1/workspaces/${second.id}`)).statusCode).toBe(404);
    expect((await full.call('GET', `${base}/members`)).json().members).toHaveLength(3);
  });

  test('makes keys for these workspaces only, and takes over none that reaches more', async () => {
    const made = await limited.call('POST', `${base}/keys`, { name: 'Shop' });
    expect([made.statusCode, made.json().workspaces]).toEqual([201, 'own']);
    const wide = { name: 'All', workspaces: 'owner' };
    expect((await limited.call('POST', `${base}/keys`, wide)).json().code).toBe('permission_denied');
    const { id: ofAll } = (await full.call('POST', `${base}/keys`, wide)).json();
    const taken = await limited.call('POST', `${base}/keys/${ofAll}/rotate`, {});
    expect(taken.json().code).toBe('permission_denied');
    expect((await limited.call('POST', `${base}/keys/${made.json().id}/rotate`, {})).statusCode).toBe(200);
    expect((await full.call('POST', `${base}/keys/${ofAll}/rotate`, {})).statusCode).toBe(200);
  });

  test('keeps every other right of the role, and is told so', async () => {
    const { workspaces } = (await limited.call('GET', '/admin/v1/me')).json();
    expect(workspaces).toMatchObject([{ id, role: 'owner' }]);
    expect(workspaces[0].permissions).not.toContain('people:write');
    expect(workspaces[0].permissions).not.toContain('people:read');
  });
});

describe('a further workspace', () => {
  test('is created by an owner of all for their own owner, on the plan of the newest, with an entry in its log', async () => {
    await runtime.workspaces.update(second.id, { plan: 'growth' });
    const made = await full.call('POST', '/admin/v1/workspaces', {
      ...{ name: 'Third', owner, copy_settings_from: second.id },
    });
    expect([made.statusCode, made.json()]).toMatchObject([201, { owner, name: 'Third', plan: 'growth' }]);
    const log = await full.call('GET', `/admin/v1/workspaces/${made.json().id}/audit-log`);
    expect(JSON.stringify(log.json())).toContain('workspace_created');
    const { workspaces } = (await full.call('GET', '/admin/v1/me')).json();
    expect(workspaces[0]).toMatchObject({ name: 'Third', role: 'owner' });
  });

  test('is created by nobody else, for nobody else, and with no plan of choice', async () => {
    const tries = [
      [limited, { owner }],
      [agent, { owner }],
      [full, {}],
      [full, { owner: elsewhere.owner }],
      [full, { owner, plan: 'enterprise' }],
    ] as const;
    for (const [person, body] of tries) {
      const refused = await person.call('POST', '/admin/v1/workspaces', { name: 'Third', ...body });
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'permission_denied']);
    }
  });

  test('takes no settings from a workspace that its creator cannot see', async () => {
    const refused = await full.call('POST', '/admin/v1/workspaces', {
      ...{ name: 'Spy', owner, copy_settings_from: elsewhere.id },
    });
    expect([refused.statusCode, refused.json().code]).toEqual([404, 'workspace_not_found']);
  });
});

describe('a link for a new password', () => {
  test('is made by nobody for themselves', async () => {
    for (const [person, path] of [
      [full, `${base}/members/${await idOf(full)}`],
      [operator, `/admin/v1/persons/${await idOf(operator)}`],
    ] as const) {
      const answer = await person.call('POST', `${path}/recovery-link`);
      expect([path, answer.json().code]).toEqual([path, 'permission_denied']);
    }
    expect((await full.call('POST', `${base}/members/${await idOf(agent)}/recovery-link`)).statusCode).toBe(
      201,
    );
  });

  test('of a member is made by an owner or the operator’s token, and by no operator', async () => {
    const path = `/persons/${await idOf(full)}/recovery-link`;
    const refused = await operator.call('POST', `/admin/v1${path}`);
    expect(refused.json().code).toBe('permission_denied');
    expect((await operate('POST', path)).statusCode).toBe(201);
  });
});

test('an operator cannot let themselves into a workspace', async () => {
  for (const email of ['op@parley.example', 'second@parley.example']) {
    const answer = await operator.call('POST', `${base}/invitations`, { email, role: 'owner' });
    expect(answer.json().code).toBe('permission_denied');
  }
  expect((await operator.call('GET', `${base}/members`)).statusCode).toBe(200);
});

function join(name: string, role: 'owner' | 'agent', workspaceIds?: readonly string[]): Promise<SignedIn> {
  const newcomer = { email: `${name}@acme.example`, role, ownerId: owner };
  return signInPerson(server, { ...newcomer, ...(workspaceIds !== undefined && { workspaceIds }) });
}

async function idOf(person: SignedIn): Promise<string> {
  return (await person.call('GET', '/admin/v1/me')).json().person.id;
}
