import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SecretBox } from '../../../../core/secrets/secret-box.ts';
import { verifyIdentity } from '../../../../core/workspaces/identity.ts';
import { start } from '../../../../server/main.ts';
import { openTestRuntime } from '../../../helpers/servers/open-test-runtime.ts';
import { doParley } from '../../../helpers/servers/processes/do-parley.ts';

const runtime = await openTestRuntime();
const environment = { DATA_DIR: runtime.config.DATA_DIR, ADMIN_TOKEN: runtime.installation.adminToken };
const parley = (...args: readonly string[]) => doParley(['secrets', ...args], environment);
const { workspace, identitySecret } = await runtime.workspaces.create({ name: 'Help' });
const { kysely } = runtime.database;

beforeAll(async () => {
  const server = await start(runtime);
  afterAll(() => server.stop());
});

test('shows a rotated identity secret once and keeps the old one for the time of --grace', async () => {
  const { code, stdout, stderr } = await parley('rotate', 'identity-secret', '--grace', '3600');
  expect(code, stderr).toBe(0);
  const secret = /^identity_secret +(ids_\S+)$/m.exec(stdout)?.[1] ?? '';
  const until = Date.parse(/^previous_valid_until +(\S+)$/m.exec(stdout)?.[1] ?? '');
  expect(Math.round((until - Date.now()) / 60_000)).toBeCloseTo(60, -1);
  const identitySecrets = await runtime.workspaces.identitySecrets(workspace.id);
  expect(identitySecrets).toEqual([secret, identitySecret]);
  const hash = createHmac('sha256', secret).update('u-1').digest('hex');
  const claims = { user: { userId: 'u-1', hash }, token: null };
  expect(await verifyIdentity(claims, { identitySecrets, settings: {}, now: new Date() })).not.toBeNull();
});

test('rotates a key by its id, with JSON output', async () => {
  const { apiKey, value } = await runtime.apiKeys.create(workspace.id, { name: 'Website' });
  const { code, stdout } = await parley('rotate', 'key', apiKey.id, '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ id: apiKey.id, key: expect.stringMatching(/^pk_/) });
  expect((await runtime.admission.admit(value, false)).holder.id).toBe(apiKey.id);
});

test.each([
  [['rotate', 'key'], 2, 'key requires an id'],
  [['rotate', 'public-token', 'pub_1'], 2, 'takes no id'],
  [['rotate', 'pigeon'], 2, 'encryption-key'],
  [['rotate', 'key', 'key_none'], 1, 'key_not_found'],
  [
    ['rotate', 'identity-secret', '--grace', '604801'],
    1,
    'grace_seconds must be an integer from 0 to 604,800',
  ],
])('rejects %j, and the error says what to do', async (args, code, words) => {
  expect(await parley(...args)).toMatchObject({ code, stderr: expect.stringContaining(words) });
});

test('the exit code shows whether an old key is still needed', async () => {
  expect(await parley('status')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Old keys are needed only for backups'),
  });
  const former = new SecretBox(Buffer.alloc(32, 5));
  const place = { table: 'workspace', column: 'identity_secret_encrypted', id: workspace.id } as const;
  const { secretBox } = runtime.installation;
  const store = (sealed: string) =>
    kysely
      .updateTable('workspace')
      .set({ identity_secret_encrypted: sealed })
      .where('id', '=', workspace.id)
      .execute();
  await store(former.seal('ids_lost', place));
  for (const command of ['status', 'reseal']) {
    const told = await parley(command);
    expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining(former.keyId) });
    expect(told.stdout).toMatch(/^workspace +1/m);
  }
  await store(secretBox.seal(identitySecret, place));
  const resealed = await parley('reseal', '--json');
  expect(resealed.code).toBe(0);
  expect(JSON.parse(resealed.stdout)).toMatchObject({ key_id: secretBox.keyId, outdated_key_ids: [] });
});

test('a new encryption key of the data directory encrypts all stored values', async () => {
  const before = runtime.installation.secretBox.keyId;
  const { code, stdout, stderr } = await parley('rotate', 'encryption-key');
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^workspace +1 +1 +0 +0$/m);
  expect(runtime.installation.secretBox.keyId).not.toBe(before);
  expect(await runtime.workspaces.identitySecrets(workspace.id)).toContain(identitySecret);
});
