import type { Logger } from '../base/log.ts';
import type { Config } from '../config/config.ts';
import { listKeyIds } from '../secrets/installation.ts';
import { hasUnknown } from '../storage/migrating/baseline.ts';
import { readSchema } from '../storage/migrating/schema-files.ts';
import { BackupRefusal } from './backup-refusal.ts';
import { restoreEmbedded } from './embedded-backup.ts';
import { findFaults, type Manifest, readManifest } from './manifest.ts';
import { restorePostgres } from './postgres-backup.ts';
import type { ToolCall } from './postgres-tools.ts';

type RestoreConfig = Pick<Config, 'DATA_DIR' | 'DATABASE_URL' | 'ENCRYPTION_KEY' | 'ENCRYPTION_KEY_PREVIOUS'>;

interface RestoreOptions extends Pick<ToolCall, 'environment' | 'signal'> {
  readonly config: RestoreConfig;
  readonly log: Logger;
}

/**
 * Restores a whole backup into the empty target of the configuration. Nothing is written before the backup, its version
 * and the encryption key were checked. Throws a BackupRefusal or a StartError, of one line.
 */
export async function restoreBackup(
  folder: string,
  { config, ...options }: RestoreOptions,
): Promise<Manifest> {
  const manifest = await openBackup(folder);
  await requireKnownVersion(manifest);
  requireKey(manifest, config);
  const { DATABASE_URL: url } = config;
  if (manifest.engine === 'postgres') {
    if (url === undefined) {
      throw new BackupRefusal('The backup is of PostgreSQL. Set DATABASE_URL to an empty database.');
    }
    await restorePostgres(folder, manifest, { ...options, url });
  } else {
    if (url !== undefined) {
      throw new BackupRefusal(
        'The backup is of the embedded database. Unset DATABASE_URL, and set DATA_DIR to an empty folder.',
      );
    }
    await restoreEmbedded(folder, manifest, config.DATA_DIR);
  }
  return manifest;
}

/** Returns the manifest of a whole backup. Throws a BackupRefusal that names the first fault. */
async function openBackup(folder: string): Promise<Manifest> {
  const read = readManifest(folder);
  if (read.manifest === null) throw new BackupRefusal(`The backup ${folder} cannot be used: ${read.fault}`);
  const { manifest } = read;
  const [first, ...others] = await findFaults(folder, manifest);
  if (first === undefined) return manifest;
  const more = others.length > 0 ? ` ${others.length} more faults.` : '';
  throw new BackupRefusal(`The backup ${folder} is not whole: ${first}${more} Use another backup.`);
}

async function requireKnownVersion({ migrations, version }: Manifest): Promise<void> {
  const names = new Map(migrations.map((name) => [name, null]));
  if (!hasUnknown(await readSchema(), names)) return;
  throw new BackupRefusal(
    `A newer version of Parley (${version}) took the backup. Restore it with that version, or a newer one.`,
  );
}

function requireKey({ key_id: needed }: Manifest, config: RestoreConfig): void {
  const ids = listKeyIds(config);
  if (needed === null || ids.includes(needed)) return;
  const there = ids.length === 0 ? 'there is none here' : `the one here is ${ids[0]}`;
  throw new BackupRefusal(
    `The backup needs the encryption key ${needed}, and ${there}. Set ENCRYPTION_KEY to it, or put the file encryption-key of that time into DATA_DIR.`,
  );
}
