import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findFaults, readManifest } from '../../../core/backup/manifest.ts';
import { restoreBackup } from '../../../core/backup/restore-backup.ts';
import { takeBackup } from '../../../core/backup/take-backup.ts';
import { createLog } from '../../../core/base/log.ts';
import { SecretBox } from '../../../core/secrets/secret-box.ts';
import { lockDataFolder } from '../../../core/storage/embedded/data-folder-lock.ts';
import { hashText } from '../../../core/storage/migrating/schema-files.ts';

const work = mkdtempSync(join(tmpdir(), 'parley-backup-'));
afterAll(() => rmSync(work, { recursive: true }));
const key = Buffer.alloc(32, 7);
const { keyId } = new SecretBox(key);
const version = '0.1.0';

const facts = {
  engineVersion: '18.1',
  migrations: ['baseline', '0204-who-asked'],
  keyId,
  tables: { 'public.note': 2 },
};
/** The files of a database need not be those of one: every refusal comes before they are opened. */
const fill = async (folder: string) => {
  mkdirSync(join(folder, 'postgres', 'pg_notify'), { recursive: true, mode: 0o755 });
  writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '18\n', { mode: 0o666 });
  writeFileSync(join(folder, 'postgres', '1247'), 'rows of a table');
  return facts;
};
let seconds = 0;
const take = (different: Partial<Parameters<typeof takeBackup>[0]> = {}) => {
  seconds += 1;
  const now = new Date(Date.UTC(2026, 10, 28, 4, 0, seconds));
  return takeBackup({ to: join(work, 'backups'), now, version, engine: 'embedded', fill, ...different });
};
const whole = await take();

/** A copy of the whole backup, to be spoilt. */
function copyBackup(): string {
  const folder = mkdtempSync(join(work, 'spoilt-'));
  cpSync(whole.folder, folder, { recursive: true });
  return folder;
}

/** Changes the manifest as a person would who wants it to be believed: with another value and the old checksum. */
function editManifest(
  folder: string,
  edit: (manifest: Record<string, unknown>) => Record<string, unknown>,
): void {
  const path = join(folder, 'manifest.json');
  writeFileSync(path, JSON.stringify(edit(JSON.parse(readFileSync(path, 'utf8')))));
}

/** Gives a manifest the checksum of its content. */
function sign({ checksum: _old, ...manifest }: Record<string, unknown>): Record<string, unknown> {
  return { ...manifest, checksum: hashText(JSON.stringify(manifest)) };
}

const target = () => ({ DATA_DIR: mkdtempSync(join(work, 'target-')), DATABASE_URL: undefined });
const keys = { ENCRYPTION_KEY: key, ENCRYPTION_KEY_PREVIOUS: [] };
const restore = (folder: string, config: Partial<Parameters<typeof restoreBackup>[1]['config']> = {}) =>
  restoreBackup(folder, {
    config: { ...target(), ...keys, ...config },
    environment: {},
    signal: AbortSignal.timeout(60_000),
    log: createLog('silent'),
  });

describe('a backup', () => {
  test('is whole, private, and named by its time', async () => {
    expect(whole.folder).toBe(join(work, 'backups', 'parley-20261128T040001Z'));
    const { manifest } = readManifest(whole.folder);
    expect(manifest).toMatchObject({ version, engine: 'embedded', key_id: keyId, tables: facts.tables });
    expect(manifest?.files.map(({ path, bytes }) => [path, bytes])).toEqual([
      ['postgres/1247', 15],
      ['postgres/PG_VERSION', 3],
    ]);
    expect(manifest === null ? ['none'] : await findFaults(whole.folder, manifest)).toEqual([]);
    for (const [path, mode] of [
      ['', 0o700],
      ['postgres', 0o700],
      ['postgres/pg_notify', 0o700],
      ['postgres/PG_VERSION', 0o600],
      ['manifest.json', 0o600],
    ] as const) {
      expect(statSync(join(whole.folder, path)).mode & 0o777, path).toBe(mode);
    }
    expect(readFileSync(join(whole.folder, 'manifest.json'), 'utf8')).not.toContain(key.toString('hex'));
  });

  test('that fails leaves nothing behind, and so does one whose time has a backup already', async () => {
    const failing = take({ fill: () => Promise.reject(new TypeError('the disk is gone')) });
    await expect(failing).rejects.toThrow('the disk is gone');
    await expect(take({ now: whole.takenAt })).rejects.toThrow(/exists already/);
    expect(readdirSync(join(work, 'backups'))).toEqual(['parley-20261128T040001Z']);
  });

  test('removes what a killed command left a day ago, and nothing else', async () => {
    const to = join(work, 'left');
    for (const name of ['.parley-20261101T000000Z.unfinished', 'of-somebody-else']) {
      mkdirSync(join(to, name), { recursive: true });
    }
    const now = new Date(Date.now() + 25 * 3_600_000);
    const { folder } = await take({ to, now });
    expect(readdirSync(to).map((name) => join(to, name))).toEqual([join(to, 'of-somebody-else'), folder]);
  });

  test('cannot be written where a file is, and the line says what to do', async () => {
    const to = join(work, 'file');
    writeFileSync(to, '');
    await expect(take({ to: join(to, 'backups') })).rejects.toThrow(/^Cannot write to .*--to\.$/);
  });
});

describe('a backup is refused in one line', () => {
  const spoilt: readonly (readonly [what: string, spoil: (folder: string) => void, line: RegExp])[] = [
    ['cut off', (folder) => truncateSync(join(folder, 'postgres/1247'), 4), /1247 has 4 bytes instead of 15/],
    [
      'altered',
      (folder) => writeFileSync(join(folder, 'postgres/1247'), 'rows of a tablE'),
      /1247 was altered/,
    ],
    ['with a file less', (folder) => rmSync(join(folder, 'postgres/PG_VERSION')), /PG_VERSION is missing/],
    [
      'with a file more',
      (folder) => writeFileSync(join(folder, 'postgres/9'), ''),
      /9 is not part of the backup/,
    ],
    [
      'with a link',
      (folder) => symlinkSync('/etc/hostname', join(folder, 'link')),
      /link is not part of the backup/,
    ],
    [
      'without a manifest',
      (folder) => rmSync(join(folder, 'manifest.json')),
      /manifest\.json cannot be read/,
    ],
    [
      'with half a manifest',
      (folder) => truncateSync(join(folder, 'manifest.json'), 300),
      /manifest\.json was cut off/,
    ],
    [
      'with text behind its manifest',
      (folder) => appendFileSync(join(folder, 'manifest.json'), '{'),
      /was cut off/,
    ],
    [
      'with other counts',
      (folder) => editManifest(folder, (manifest) => ({ ...manifest, tables: { 'public.note': 3 } })),
      /manifest\.json was cut off or altered/,
    ],
    [
      'whose files lead out of it',
      (folder) => editManifest(folder, (manifest) => sign({ ...manifest, folders: ['../outside'] })),
      /manifest\.json was cut off or altered/,
    ],
    [
      'of a newer format',
      (folder) => editManifest(folder, (manifest) => ({ ...manifest, format: 2, version: '9.0.0' })),
      /Parley 9\.0\.0 wrote the backup in a newer format/,
    ],
  ];

  test.each(spoilt)('%s', async (_what, spoil, line) => {
    const folder = copyBackup();
    spoil(folder);
    const config = target();
    const message = await messageOf(restore(folder, config));
    expect(message).toMatch(line);
    expect(message).toMatch(/^[^\n]*Use (?:another backup|that version)[^\n]*\.$/);
    expect(readdirSync(config.DATA_DIR)).toEqual([]);
  });

  test('of a newer version of Parley', async () => {
    const migrations = [...facts.migrations, '9999-from-the-future'];
    const { folder } = await take({
      version: '9.0.0',
      fill: async (at) => ({ ...(await fill(at)), migrations }),
    });
    expect(await messageOf(restore(folder))).toBe(
      'A newer version of Parley (9.0.0) took the backup. Restore it with that version, or a newer one.',
    );
  });

  test('without the encryption key, and with another one; one of the former keys is enough', async () => {
    const none = await messageOf(restore(whole.folder, { ENCRYPTION_KEY: undefined }));
    expect(none).toMatch(
      new RegExp(`^The backup needs the encryption key ${keyId}, and there is none here\\.`),
    );
    const other = Buffer.alloc(32, 9);
    expect(await messageOf(restore(whole.folder, { ENCRYPTION_KEY: other }))).toContain(
      new SecretBox(other).keyId,
    );
    const former = { ENCRYPTION_KEY: other, ENCRYPTION_KEY_PREVIOUS: [key] };
    expect(await messageOf(restore(whole.folder, former))).not.toContain('encryption key');
  });

  test('for the other engine', async () => {
    const url = 'postgres://127.0.0.1:1/none';
    expect(await messageOf(restore(whole.folder, { DATABASE_URL: url }))).toMatch(/Unset DATABASE_URL/);
    const { folder } = await take({ engine: 'postgres' });
    expect(await messageOf(restore(folder))).toMatch(/Set DATABASE_URL to an empty database/);
  });

  test('for a folder that holds data, and for one that a process uses', async () => {
    const full = target();
    mkdirSync(join(full.DATA_DIR, 'postgres'));
    expect(await messageOf(restore(whole.folder, full))).toMatch(
      /is not empty: it holds postgres\. Set DATA_DIR/,
    );
    const used = target();
    const lock = lockDataFolder(used.DATA_DIR, 4711);
    expect(await messageOf(restore(whole.folder, used))).toMatch(
      /^Process 4711 is using DATA_DIR .* Stop it first/,
    );
    lock.release();
  });

  test('whose database cannot be opened, and nothing of it stays', async () => {
    const config = target();
    expect(await messageOf(restore(whole.folder, config))).toMatch(
      /cannot open the database of the backup \(PostgreSQL 18\.1\)\. Restore it with Parley 0\.1\.0\.$/,
    );
    expect(existsSync(join(config.DATA_DIR, 'postgres'))).toBe(false);
    expect(existsSync(join(config.DATA_DIR, 'restoring'))).toBe(false);
  });
});

async function messageOf(refused: Promise<unknown>): Promise<string> {
  const error = await refused.then(
    () => new TypeError('it was restored'),
    (reason: unknown) => reason,
  );
  return error instanceof Error ? error.message : String(error);
}
