import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openInstallation, readSecret } from '../../core/installation.ts';
import { Settings } from '../../core/storage/settings.ts';
import { openTestDatabase } from '../helpers/test-databases.ts';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'parley-installation-'));
afterAll(() => rmSync(DATA_DIR, { recursive: true }));
const settings = new Settings((await openTestDatabase('embedded')).kysely);
const open = (variables: { ADMIN_TOKEN?: string; ENCRYPTION_KEY?: Buffer<ArrayBuffer> } = {}) =>
  openInstallation({ DATA_DIR, ADMIN_TOKEN: undefined, ENCRYPTION_KEY: undefined, ...variables }, settings);

test('the first start makes a token and a key, readable by their owner only, and later starts keep them', async () => {
  const first = await open();
  expect(first.adminTokenIsNew).toBe(true);
  expect(readSecret(DATA_DIR, 'admin-token')).toBe(first.adminToken);
  for (const name of ['admin-token', 'encryption-key']) {
    expect(statSync(join(DATA_DIR, name)).mode & 0o777).toBe(0o600);
  }
  const second = await open();
  expect(second).toMatchObject({ adminToken: first.adminToken, adminTokenIsNew: false });
  expect(second.secretBox.open(first.secretBox.seal('secret'))).toBe('secret');
});

test('a token in the environment comes before the one in the folder', async () => {
  expect(await open({ ADMIN_TOKEN: 'a-token-from-the-environment' })).toMatchObject({
    adminToken: 'a-token-from-the-environment',
    adminTokenIsNew: false,
  });
});

test('another encryption key than the database was written with ends the start', async () => {
  await expect(open({ ENCRYPTION_KEY: Buffer.alloc(32, 9) })).rejects.toThrow(
    /^ENCRYPTION_KEY is not the key/,
  );
});
