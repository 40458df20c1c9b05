import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { HttpSkills } from '../../../core/answering/skills/http/http-skills.ts';
import { EncryptionKeyFile } from '../../../core/secrets/encryption-key-file.ts';
import { openInstallation, readSecret } from '../../../core/secrets/installation.ts';
import { SecretBox, sealedColumns } from '../../../core/secrets/secret-box.ts';
import { Settings } from '../../../core/storage/settings.ts';
import type { Tables } from '../../../core/storage/tables/tables.ts';
import { Webhooks } from '../../../core/webhooks/webhooks.ts';
import { Secrets } from '../../../core/workspaces/secrets.ts';
import { Workspaces } from '../../../core/workspaces/workspaces.ts';
import { addTestChannel } from '../../helpers/stores/add-test-channel.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

const [former, current, stranger] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [
  Buffer,
  Buffer,
  Buffer,
];
const clock = { now: () => new Date() };
const folder = mkdtempSync(join(tmpdir(), 'parley-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));
const never = new AbortController().signal;

/** Creates one row in every table with sealed values, and returns the secrets. */
async function fill(database: Kysely<Tables>, secretBox: SecretBox) {
  const stores = { database, clock, secretBox };
  const workspaces = new Workspaces(stores);
  const { workspace, identitySecret } = await workspaces.create({ name: 'Sealed' });
  const { id } = workspace;
  const webhooks = new Webhooks(stores);
  const { webhook } = await webhooks.create(id, {
    url: 'https://hooks.example/',
    events: ['message.created'],
  });
  await webhooks.rotateSecret(id, webhook.id, { graceSeconds: 600 });
  const skills = new HttpSkills({ ...stores, log: { warn: () => {} }, allowPrivate: true });
  const skill = { name: 'order', description: 'Looks.', parameters: { type: 'object' }, timeoutMs: 1_000 };
  await skills.create(id, { ...skill, url: 'https://skills.example/', runsFor: 'everyone', enabled: true });
  await addTestChannel(database, { workspaceId: id, channel: 'fake', secretBox });
  const key = { table: 'sign_in_key', column: 'secret_encrypted', id: 'current' } as const;
  const row = { id: key.id, secret_encrypted: secretBox.seal('signs cookies', key) };
  await database
    .insertInto('sign_in_key')
    .values(row)
    .onConflict((one) => one.doNothing())
    .execute();
  return { id, identitySecret, hook: webhook.id };
}

async function everyValueOpens(database: Kysely<Tables>, box: SecretBox): Promise<number> {
  let values = 0;
  for (const { table, columns } of sealedColumns) {
    for (const column of columns) {
      const { rows } = await sql<{ id: string; value: string }>`
        select id, ${sql.ref(column)} as value from ${sql.table(table)} where ${sql.ref(column)} <> ''
      `.execute(database);
      for (const { id, value } of rows) box.open(value, { table, column, id });
      values += rows.length;
    }
  }
  return values;
}

describe.each(testEngines)('sealed values on %s', async (engine) => {
  const { kysely: database } = await openTestDatabase(engine);
  const settings = new Settings(database);
  const logged: object[] = [];
  const log = {
    info: (told: object) => void logged.push(told),
    warn: (told: object) => void logged.push(told),
  };
  const openSecrets = (secretBox: SecretBox, keyFile: EncryptionKeyFile | null = null, alone = true) =>
    new Secrets({ database, settings, clock, log, secretBox, keyFile, alone });
  const empty = () => sql`truncate owner, setting, sign_in_key cascade`.execute(database);

  test('are in columns that resealing covers, all of them', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name like '%\\_encrypted'
    `.execute(database);
    const known = sealedColumns.flatMap(({ table, columns }) =>
      columns.map((column) => `${table}.${column}`),
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(known.sort());
  });

  test('are resealed with the new key row by row, and then do not need the previous one', async () => {
    await empty();
    const { id, identitySecret } = await fill(database, new SecretBox(former));
    const box = new SecretBox(current, [former]);
    const secrets = openSecrets(box);
    const formerId = new SecretBox(former).keyId;
    expect(await secrets.status()).toMatchObject({
      keyId: box.keyId,
      outdatedKeyIds: [formerId],
      tables: [
        ...['workspace', 'webhook', 'http_skill', 'channel', 'sign_in_key'].map((table) => ({
          table,
          rows: 1,
          outdated: 1,
        })),
        { table: 'sign_in_provider', rows: 0, outdated: 0 },
        { table: 'source', rows: 0, outdated: 0 },
        { table: 'report_key', rows: 0, outdated: 0 },
        { table: 'owner_model_key', rows: 0, outdated: 0 },
      ],
    });
    const report = await secrets.reseal();
    expect(report.resealed).toEqual({
      workspace: 1,
      webhook: 1,
      http_skill: 1,
      channel: 1,
      sign_in_key: 1,
      sign_in_provider: 0,
      source: 0,
      report_key: 0,
      owner_model_key: 0,
    });
    expect(report.unreadable).toEqual({
      workspace: 0,
      webhook: 0,
      http_skill: 0,
      channel: 0,
      sign_in_key: 0,
      sign_in_provider: 0,
      source: 0,
      report_key: 0,
      owner_model_key: 0,
    });
    expect(report.outdatedKeyIds).toEqual([]);
    const alone = new SecretBox(current);
    expect(await everyValueOpens(database, alone)).toBe(7);
    const workspaces = new Workspaces({ database, clock, secretBox: alone });
    expect(await workspaces.identitySecrets(id)).toEqual([identitySecret]);
    expect((await secrets.reseal()).resealed).toEqual({
      workspace: 0,
      webhook: 0,
      http_skill: 0,
      channel: 0,
      sign_in_key: 0,
      sign_in_provider: 0,
      source: 0,
      report_key: 0,
      owner_model_key: 0,
    });
  });

  test('that no key opens are counted and left unchanged, and the others are resealed', async () => {
    await empty();
    const { hook } = await fill(database, new SecretBox(former));
    const place = { table: 'webhook', column: 'secret_encrypted', id: hook } as const;
    const lost = new SecretBox(stranger);
    await database
      .updateTable('webhook')
      .set({ secret_encrypted: lost.seal('lost', place) })
      .execute();
    const report = await openSecrets(new SecretBox(current, [former])).reseal();
    expect(report.unreadable).toEqual({
      workspace: 0,
      webhook: 1,
      http_skill: 0,
      channel: 0,
      sign_in_key: 0,
      sign_in_provider: 0,
      source: 0,
      report_key: 0,
      owner_model_key: 0,
    });
    expect(report.resealed).toEqual({
      workspace: 1,
      webhook: 0,
      http_skill: 1,
      channel: 1,
      sign_in_key: 1,
      sign_in_provider: 0,
      source: 0,
      report_key: 0,
      owner_model_key: 0,
    });
    expect(report.outdatedKeyIds).toContain(lost.keyId);
    const row = await database.selectFrom('webhook').selectAll().executeTakeFirstOrThrow();
    expect(lost.open(row.secret_encrypted, place)).toBe('lost');
  });

  test('are all resealed in several batches, also by two concurrent processes', async () => {
    await empty();
    const workspaces = new Workspaces({ database, clock, secretBox: new SecretBox(former) });
    for (let made = 0; made < 450; made += 50) {
      await Promise.all(Array.from({ length: 50 }, () => workspaces.create({ name: 'One' })));
    }
    const reports = await Promise.all(
      [1, 2].map(() => openSecrets(new SecretBox(current, [former])).reseal()),
    );
    expect(reports.map(({ resealed }) => resealed.workspace ?? 0).reduce((all, one) => all + one)).toBe(450);
    expect(await everyValueOpens(database, new SecretBox(current))).toBe(450);
  });

  test('are resealed in the background, once per process, and not by a process with an outdated key', async () => {
    await empty();
    await fill(database, new SecretBox(former));
    const secrets = openSecrets(new SecretBox(current, [former]));
    await openSecrets(new SecretBox(current)).reseal();
    logged.length = 0;
    const behind = openSecrets(new SecretBox(former, [current]));
    await behind.resealInBackground(never);
    expect((await secrets.status()).outdatedKeyIds).toEqual([new SecretBox(former).keyId]);
    await secrets.resealInBackground(never);
    expect((await secrets.status()).outdatedKeyIds).toEqual([]);
    expect(logged).toHaveLength(1);
    await secrets.resealInBackground(never);
    expect(logged).toHaveLength(1);
  });

  test('stop between two batches when the process stops, and continue at the next start', async () => {
    await empty();
    await fill(database, new SecretBox(former));
    const secrets = openSecrets(new SecretBox(current, [former]));
    await openSecrets(new SecretBox(current)).reseal();
    await secrets.resealInBackground(AbortSignal.abort());
    expect((await secrets.status()).outdatedKeyIds).toHaveLength(1);
    await secrets.resealInBackground(never);
    expect((await secrets.status()).outdatedKeyIds).toEqual([]);
  });

  describe('with the key in a data folder', () => {
    const variables = { ADMIN_TOKEN: undefined, ADMIN_TOKEN_PREVIOUS: undefined, ENCRYPTION_KEY: undefined };
    let folders = 0;
    const openFolder = async () => {
      await empty();
      folders += 1;
      const DATA_DIR = join(folder, `${engine}-${folders}`);
      const start = () => openInstallation({ DATA_DIR, ...variables, ENCRYPTION_KEY_PREVIOUS: [] }, settings);
      const { secretBox, keyFile } = await start();
      const { id, identitySecret } = await fill(database, secretBox);
      return {
        DATA_DIR,
        start,
        secretBox,
        keyFile,
        /** Returns true if a newly started installation can read the earlier values. */
        async readsAll() {
          const started = await start();
          const workspaces = new Workspaces({ database, clock, secretBox: started.secretBox });
          expect(await everyValueOpens(database, started.secretBox)).toBe(7);
          expect(await workspaces.identitySecrets(id)).toEqual([identitySecret]);
          return started;
        },
      };
    };

    test('are resealed with a new key, and the next start removes the previous key when no value needs it', async () => {
      const { DATA_DIR, start, secretBox, keyFile, readsAll } = await openFolder();
      const before = readSecret(DATA_DIR, 'encryption-key');
      const formerId = secretBox.keyId;
      const report = await openSecrets(secretBox, keyFile).replaceKey();
      expect(report).toMatchObject({ previousKeyIds: [formerId], outdatedKeyIds: [] });
      expect(report.keyId).not.toBe(formerId);
      expect(readSecret(DATA_DIR, 'encryption-key')).not.toBe(before);
      // A request in flight may have sealed a value with the previous key and store it now.
      expect(existsSync(join(DATA_DIR, 'encryption-key-previous'))).toBe(true);
      await readsAll();
      const next = await start();
      await openSecrets(next.secretBox, next.keyFile).resealInBackground(never);
      expect(existsSync(join(DATA_DIR, 'encryption-key-previous'))).toBe(false);
      await readsAll();
    });

    test('survive a process killed at any step of a key change', async () => {
      const { DATA_DIR, start, keyFile, readsAll } = await openFolder();
      const files = new EncryptionKeyFile(DATA_DIR);
      const { current: before } = files.open();
      // The process was killed after the previous key was stored, before the new one was.
      const previous = join(DATA_DIR, 'encryption-key-previous');
      writeFileSync(previous, `${before.toString('hex')}\n`);
      writeFileSync(join(DATA_DIR, 'encryption-key.new'), 'torn');
      await readsAll();
      // The process was killed after the new key was stored, before any value was resealed.
      keyFile?.replace();
      const { secretBox } = await readsAll();
      expect(secretBox.previousKeyIds).toHaveLength(1);
      // The process was killed while resealing: some rows use one key, some the other.
      const workspace = await database.selectFrom('workspace').selectAll().executeTakeFirstOrThrow();
      const place = { table: 'workspace', column: 'identity_secret_encrypted', id: workspace.id } as const;
      const sealed = secretBox.seal(secretBox.open(workspace.identity_secret_encrypted, place), place);
      await database.updateTable('workspace').set({ identity_secret_encrypted: sealed }).execute();
      await readsAll();
      // The next start completes the change.
      const next = await start();
      await openSecrets(next.secretBox, next.keyFile).resealInBackground(never);
      expect(existsSync(previous)).toBe(false);
      expect((await readsAll()).secretBox.previousKeyIds).toEqual([]);
    });

    test('keep the previous key while one of them cannot be resealed', async () => {
      const { DATA_DIR, secretBox, keyFile } = await openFolder();
      const place = { table: 'webhook', column: 'secret_encrypted', id: 'another row' } as const;
      await database
        .updateTable('webhook')
        .set({ secret_encrypted: secretBox.seal('moved', place) })
        .execute();
      const report = await openSecrets(secretBox, keyFile).replaceKey();
      expect(report.unreadable).toMatchObject({ webhook: 1 });
      expect(existsSync(join(DATA_DIR, 'encryption-key-previous'))).toBe(true);
    });

    test('do not get a new key if other processes may use the previous one, or if the environment sets it', async () => {
      const { secretBox, keyFile } = await openFolder();
      const shared = openSecrets(secretBox, keyFile, false).replaceKey();
      await expect(shared).rejects.toMatchObject({ code: 'encryption_key_shared' });
      const configured = openSecrets(secretBox, null).replaceKey();
      await expect(configured).rejects.toMatchObject({ code: 'encryption_key_configured' });
    });
  });
});
