import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Permission, permissionSchema, workspacePermissions } from '../../../core/members/authority.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { type SignedIn, signInPerson } from '../../helpers/servers/sign-in-person.ts';

const pathsSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ 'x-permission': permissionSchema.optional() })),
  ),
});

const server = await openTestServer({ app: { liveSeconds: 0 } });
const description = pathsSchema.parse((await server.app.inject({ url: '/openapi.json' })).json());
const routes = Object.entries(description.paths)
  .filter(([path]) => path.startsWith('/admin/v1'))
  .flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      url: path,
      permission: operation['x-permission'],
    })),
  );
const workspace = await server.makeWorkspace({ name: 'Acme' });
const other = await server.makeWorkspace({ name: 'Other' });
const { owner } = workspace;
const people: Record<string, SignedIn> & { readonly owner: SignedIn } = {
  owner: await signInPerson(server, { email: 'owner@acme.example', role: 'owner', ownerId: owner }),
  agent: await signInPerson(server, { email: 'agent@acme.example', role: 'agent', ownerId: owner }),
  viewer: await signInPerson(server, { email: 'viewer@acme.example', role: 'viewer', ownerId: owner }),
};
const operator = await signInPerson(server, {
  email: 'op@x.example',
  role: 'operator',
  ownerId: other.owner,
});

const inside = routes.filter(({ url }) => url.startsWith('/admin/v1/workspaces/{workspace_id}'));
const outside = routes.filter(({ url }) => !url.startsWith('/admin/v1/workspaces/{workspace_id}'));

/** Returns the status of a request without a body: 403 if the role lacks the permission, anything else if it has it. */
async function statusOf(
  person: SignedIn,
  { method, url }: { method: string; url: string },
  workspaceId: string,
) {
  const path = url.replace('{workspace_id}', workspaceId).replaceAll(/\{\w+\}/g, 'unknown');
  const name =
    method === 'POST' || method === 'PUT' || method === 'PATCH' || method === 'DELETE' ? method : 'GET';
  const answer = await person.call(name, path);
  const isJson = String(answer.headers['content-type']).includes('json');
  return { status: answer.statusCode, code: isJson ? answer.json().code : '' };
}

describe('routes of the operator API', () => {
  test('each name the permission that they need', () => {
    expect(routes.length).toBeGreaterThan(50);
    expect(routes.filter(({ permission }) => permission === undefined)).toEqual([]);
  });

  // Deleting a workspace and oneself would end the test.
  const harmless = inside.filter(
    ({ method, url }) => !(method === 'DELETE' && url.endsWith('{workspace_id}')),
  );

  test.each(Object.keys(people))(
    'inside a workspace allow %s exactly what the role includes',
    async (role) => {
      const person = people[role];
      if (person === undefined || (role !== 'owner' && role !== 'agent' && role !== 'viewer'))
        throw new TypeError(role);
      const granted = workspacePermissions([role]);
      const wrong = [];
      for (const route of harmless) {
        const isGranted = route.permission !== undefined && granted.includes(route.permission);
        const { status, code } = await statusOf(person, route, workspace.id);
        const isDenied = status === 403 && code === 'permission_denied';
        if (isDenied === isGranted) wrong.push({ ...route, status, code });
      }
      expect(wrong).toEqual([]);
    },
  );

  test('hide a workspace from people without a role in it', async () => {
    const wrong = [];
    for (const route of inside) {
      for (const person of Object.values(people)) {
        const { code } = await statusOf(person, route, other.id);
        if (code !== 'workspace_not_found') wrong.push({ ...route, code });
      }
    }
    expect(wrong).toEqual([]);
  });

  test('outside of workspaces are for operators, but for lists of what is one’s own', async () => {
    for (const route of outside) {
      for (const person of Object.values(people)) {
        const { code } = await statusOf(person, route, '');
        expect([route.url, code === 'permission_denied']).toEqual([route.url, route.permission !== 'self']);
      }
    }
  });

  test('show an operator no contents of a workspace whose member they are not', async () => {
    const contents: readonly Permission[] = [
      'inbox:read',
      'inbox:reply',
      'knowledge:read',
      'customers:write',
    ];
    for (const route of harmless.filter(({ permission }) => permission && contents.includes(permission))) {
      expect((await statusOf(operator, route, workspace.id)).code).toBe('permission_denied');
    }
    expect((await operator.call('GET', `/admin/v1/workspaces/${workspace.id}`)).statusCode).toBe(200);
  });

  test('let only operators change the plan', async () => {
    const path = `/admin/v1/workspaces/${workspace.id}`;
    const denied = await people.owner.call('PATCH', path, { plan: 'enterprise' });
    expect(denied.json().code).toBe('permission_denied');
  });
});
