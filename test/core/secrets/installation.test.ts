import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openInstallation, readSecret } from '../../../core/secrets/installation.ts';
import { Settings } from '../../../core/storage/settings.ts';
import { openTestDatabase } from '../../helpers/stores/databases/test-databases.ts';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'parley-installation-'));
afterAll(() => rmSync(DATA_DIR, { recursive: true }));
const settings = new Settings((await openTestDatabase('embedded')).kysely);
const place = { table: 'webhook', column: 'secret_encrypted', id: 'hook_1' } as const;

interface Variables {
  readonly ADMIN_TOKEN?: string;
  readonly ADMIN_TOKEN_PREVIOUS?: string;
  readonly ENCRYPTION_KEY?: Buffer<ArrayBuffer>;
  readonly ENCRYPTION_KEY_PREVIOUS?: Buffer<ArrayBuffer>[];
}
const none = { ADMIN_TOKEN: undefined, ADMIN_TOKEN_PREVIOUS: undefined, ENCRYPTION_KEY: undefined };
const open = (variables: Variables = {}) =>
  openInstallation({ DATA_DIR, ...none, ENCRYPTION_KEY_PREVIOUS: [], ...variables }, settings);

test('the first start creates a token and a key, readable only by their owner, and later starts keep them', async () => {
  const first = await open();
  expect(first.adminTokenIsNew).toBe(true);
  expect(readSecret(DATA_DIR, 'admin-token')).toBe(first.adminToken);
  for (const name of ['admin-token', 'encryption-key']) {
    expect(statSync(join(DATA_DIR, name)).mode & 0o777).toBe(0o600);
  }
  const second = await open();
  expect(second).toMatchObject({ adminToken: first.adminToken, adminTokenIsNew: false });
  expect(second.secretBox.open(first.secretBox.seal('secret', place), place)).toBe('secret');
});

test('a token in the environment overrides the one in the data folder', async () => {
  expect(await open({ ADMIN_TOKEN: 'a-token-from-the-environment' })).toMatchObject({
    adminToken: 'a-token-from-the-environment',
    adminTokenIsNew: false,
  });
});

test("a different encryption key than the database's stops the start with one line", async () => {
  const { keyId } = (await open()).secretBox;
  const failing = open({ ENCRYPTION_KEY: Buffer.alloc(32, 9) });
  await expect(failing).rejects.toThrow(
    new RegExp(
      `^ENCRYPTION_KEY has the key id \\w{8}, but .* key ${keyId}\\. .*ENCRYPTION_KEY_PREVIOUS[^\\n]*$`,
    ),
  );
});

test('a new key works together with the previous one, and afterwards the previous one alone does not', async () => {
  const former = readSecret(DATA_DIR, 'encryption-key') ?? '';
  const next = { ENCRYPTION_KEY: Buffer.alloc(32, 9) };
  const first = await open();
  const changed = await open({ ...next, ENCRYPTION_KEY_PREVIOUS: [Buffer.from(former, 'hex')] });
  expect(changed.secretBox.open(first.secretBox.seal('secret', place), place)).toBe('secret');
  await expect(open()).rejects.toThrow(/^ENCRYPTION_KEY has the key id/);
  expect((await open(next)).keyFile).toBeNull();
});
