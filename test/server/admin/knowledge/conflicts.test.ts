import { describe, expect, test } from 'vitest';
import { checkNextDocument } from '../../../../core/knowledge/facts/check-document.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const server = await openTestServer();
const { operate, makeWorkspace, addDocument, runtime } = server;
const workspace = await makeWorkspace();
const path = `/workspaces/${workspace.id}/knowledge/conflicts`;

const check = async () => {
  while ((await checkNextDocument({ database: runtime.database.kysely, clock: runtime.clock })) !== null);
};

await addDocument(workspace.id, '# Passes\n\nThe pass for the lake costs €5.\n');
await addDocument(workspace.id, '# Lake\n\nThe pass for the lake costs €6.\n');
await check();

describe('contradictions between documents', () => {
  test('200: lists both texts with documents, values and dates', async () => {
    const { conflicts, pagination } = (await operate('GET', path)).json();
    expect(pagination.has_more).toBe(false);
    expect(conflicts).toHaveLength(1);
    expect(conflicts[0]).toMatchObject({
      kind: 'number',
      status: 'open',
      statements: [
        { title: 'Passes', text: 'The pass for the lake costs €5.', value: '5 EUR', mark: '€5' },
        { title: 'Lake', text: 'The pass for the lake costs €6.', value: '6 EUR', mark: '€6' },
      ],
    });
    expect(conflicts[0].statements[0].changed_at).toMatch(/^\d{4}-\d{2}-\d{2}T/);
  });

  test('200: dismisses one and opens it again, filtered by status', async () => {
    const [{ id }] = (await operate('GET', path)).json().conflicts;
    const dismissed = await operate('PATCH', `${path}/${id}`, { status: 'dismissed' });
    expect([dismissed.statusCode, dismissed.json().status]).toEqual([200, 'dismissed']);
    expect((await operate('GET', path)).json().conflicts).toEqual([]);
    expect((await operate('GET', `${path}?status=dismissed`)).json().conflicts).toHaveLength(1);
    await operate('PATCH', `${path}/${id}`, { status: 'open' });
    expect((await operate('GET', `${path}?kind=number`)).json().conflicts).toHaveLength(1);
    expect((await operate('GET', `${path}?kind=date`)).json().conflicts).toEqual([]);
  });

  test('404: one of another workspace', async () => {
    const [{ id }] = (await operate('GET', path)).json().conflicts;
    const other = await makeWorkspace();
    const response = await operate('PATCH', `/workspaces/${other.id}/knowledge/conflicts/${id}`, {
      status: 'dismissed',
    });
    expect([response.statusCode, response.json().code]).toEqual([404, 'fact_conflict_not_found']);
    expect((await operate('GET', path)).json().conflicts).toHaveLength(1);
  });

  test('403: a person who may only read cannot dismiss', async () => {
    const vic = await signInPerson(server, {
      email: 'vic@acme.example',
      role: 'viewer',
      ownerId: workspace.owner,
    });
    const [{ id }] = (await vic.call('GET', `/admin/v1${path}`)).json().conflicts;
    const response = await vic.call('PATCH', `/admin/v1${path}/${id}`, { status: 'dismissed' });
    expect(response.statusCode).toBe(403);
  });
});
