import { expect, test } from 'vitest';
import { SecretBox } from '../../../../core/secrets/secret-box.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { operate, makeWorkspace, runtime, app } = await openTestServer();
const { id, identitySecret } = await makeWorkspace();

test('the status lists the keys that values need, and resealing reports the changed rows of each table', async () => {
  const place = { table: 'workspace', column: 'identity_secret_encrypted', id } as const;
  const { secretBox } = runtime.installation;
  const former = new SecretBox(Buffer.alloc(32, 5));
  const before = (await operate('GET', '/secrets')).json();
  expect(before).toMatchObject({ key_id: secretBox.keyId, outdated_key_ids: [] });
  await runtime.database.kysely
    .updateTable('workspace')
    .set({ identity_secret_encrypted: former.seal(identitySecret, place) })
    .where('id', '=', id)
    .execute();
  expect((await operate('GET', '/secrets')).json().outdated_key_ids).toEqual([former.keyId]);
  const unreadable = (await operate('POST', '/secrets/reseal')).json();
  expect(unreadable.tables[0]).toMatchObject({ table: 'workspace', resealed: 0, unreadable: 1, outdated: 1 });
  await runtime.database.kysely
    .updateTable('workspace')
    .set({ identity_secret_encrypted: secretBox.seal(identitySecret, place) })
    .where('id', '=', id)
    .execute();
  expect((await operate('POST', '/secrets/reseal')).json().outdated_key_ids).toEqual([]);
});

test('the secrets of the installation require the operator token', async () => {
  for (const [method, url] of [
    ['GET', '/admin/v1/secrets'],
    ['POST', '/admin/v1/secrets/reseal'],
    ['POST', '/admin/v1/secrets/encryption_key/rotate'],
  ] as const) {
    expect((await app.inject({ method, url })).statusCode).toBe(401);
  }
});
