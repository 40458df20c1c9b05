import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { SecretBox } from '../../../../core/secrets/secret-box.ts';
import { ApiKeys } from '../../../../core/workspaces/keys/api-keys.ts';
import { Workspaces } from '../../../../core/workspaces/workspaces.ts';
import { openTestDatabase } from '../../../helpers/stores/databases/test-databases.ts';

const database = await openTestDatabase('embedded');
const time = { now: new Date('2026-03-01T10:00:00Z') };
const clock = { now: () => time.now };
const apiKeys = new ApiKeys({ database: database.kysely, clock });
const workspaces = new Workspaces({
  database: database.kysely,
  clock,
  secretBox: new SecretBox(Buffer.alloc(32)),
});
const { workspace } = await workspaces.create({ name: 'Test', owner: 'own_me' });

test('only the hash of a key is stored', async () => {
  const { apiKey, value } = await apiKeys.create(workspace.id, { name: 'Website' });
  const row = await database.kysely
    .selectFrom('api_key')
    .selectAll()
    .where('id', '=', apiKey.id)
    .executeTakeFirst();
  expect(row?.key_hash).toBe(createHash('sha256').update(value).digest('hex'));
  expect(JSON.stringify(row)).not.toContain(value);
});

test('a key can be revoked once', async () => {
  const { apiKey } = await apiKeys.create(workspace.id, { name: 'Gone' });
  await apiKeys.revoke(workspace.id, apiKey.id);
  await expect(apiKeys.revoke(workspace.id, apiKey.id)).rejects.toMatchObject({ code: 'key_not_found' });
});

test('a key of one workspace cannot be revoked through another', async () => {
  const { workspace: other } = await workspaces.create({ name: 'Other' });
  const { apiKey } = await apiKeys.create(workspace.id, { name: 'Mine' });
  await expect(apiKeys.revoke(other.id, apiKey.id)).rejects.toMatchObject({ code: 'key_not_found' });
});

test('a key that a process of the version before makes may do what keys did then', async () => {
  const row = {
    id: 'key_older',
    workspace_id: workspace.id,
    name: 'Older',
    key_hash: 'h',
    key_ending: 'abcd',
  };
  const limits = { rate_limit_minute: 60, rate_limit_day: 1_000, expires_at: null, revoked_at: null };
  await database.kysely
    .insertInto('api_key')
    .values({ ...row, ...limits, created_at: time.now })
    .execute();
  const { items } = await apiKeys.list(workspace.id, { limit: 100 });
  expect(items.find(({ id }) => id === 'key_older')).toMatchObject({
    scopes: ['query', 'conversations:read', 'conversations:write'],
    workspaces: 'owner',
  });
});
