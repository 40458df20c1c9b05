import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { folderFault } from '../storage/embedded/folder-fault.ts';
import { makePrivateFolder } from '../storage/embedded/private-folder.ts';
import type { Settings } from '../storage/settings.ts';
import { EncryptionKeyFile } from './encryption-key-file.ts';
import { markEncryptionKey, SecretBox } from './secret-box.ts';

export interface Installation {
  readonly adminToken: string;
  /** The token that is also accepted while clients change to the new one. Null if there is none. */
  readonly previousAdminToken: string | null;
  /** True if the token was just generated and must be shown to the operator once. */
  readonly adminTokenIsNew: boolean;
  readonly secretBox: SecretBox;
  /** Null if the key is set in the environment. */
  readonly keyFile: EncryptionKeyFile | null;
}

type InstallationConfig = Pick<
  Config,
  'ADMIN_TOKEN' | 'ADMIN_TOKEN_PREVIOUS' | 'ENCRYPTION_KEY' | 'ENCRYPTION_KEY_PREVIOUS' | 'DATA_DIR'
>;

/**
 * Loads the admin token and the encryption key from the environment or the data folder, or generates them and
 * stores them there (mode 600). Throws a StartError if no key opens the database's values.
 */
export async function openInstallation(
  config: InstallationConfig,
  settings: Settings,
): Promise<Installation> {
  const token = config.ADMIN_TOKEN ?? readSecret(config.DATA_DIR, 'admin-token');
  const adminToken =
    token ?? makeSecret(config.DATA_DIR, 'admin-token', `adm_${randomBytes(24).toString('base64url')}`);
  const { secretBox, keyFile } = openSecretBox(config);
  await markEncryptionKey(settings, secretBox);
  return {
    adminToken,
    previousAdminToken: config.ADMIN_TOKEN_PREVIOUS ?? null,
    adminTokenIsNew: token === null,
    secretBox,
    keyFile,
  };
}

function openSecretBox({
  ENCRYPTION_KEY: key,
  ENCRYPTION_KEY_PREVIOUS: previous,
  DATA_DIR: folder,
}: InstallationConfig): Pick<Installation, 'secretBox' | 'keyFile'> {
  if (key !== undefined) return { secretBox: new SecretBox(key, previous), keyFile: null };
  const keyFile = new EncryptionKeyFile(folder);
  const stored = keyFile.open();
  return { secretBox: new SecretBox(stored.current, [...stored.previous, ...previous]), keyFile };
}

/** Returns the ids of the encryption keys of the environment and the data folder, and creates none. Throws a StartError. */
export function listKeyIds({
  ENCRYPTION_KEY: key,
  ENCRYPTION_KEY_PREVIOUS: previous,
  DATA_DIR: folder,
}: Pick<Config, 'ENCRYPTION_KEY' | 'ENCRYPTION_KEY_PREVIOUS' | 'DATA_DIR'>): readonly string[] {
  const [current, ...others] = key === undefined ? new EncryptionKeyFile(folder).list() : [key];
  if (current === undefined) return [];
  const box = new SecretBox(current, [...others, ...previous]);
  return [box.keyId, ...box.previousKeyIds];
}

const STRONG_LENGTH = 32;
/** A token of 32 random hexadecimal digits has fewer distinct characters only once in a million. */
const MIN_DISTINCT = 8;

/** Returns true if the admin token may be guessed, because it is short or has few distinct characters. */
export function isWeakToken(token: string): boolean {
  return token.length < STRONG_LENGTH || new Set(token).size < MIN_DISTINCT;
}

/** Reads a secret from the data folder. Null if the file does not exist. */
export function readSecret(folder: string, name: string): string | null {
  try {
    return readFileSync(join(folder, name), 'utf8').trim() || null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw folderFault(folder, error);
  }
}

function makeSecret(folder: string, name: string, secret: string): string {
  try {
    makePrivateFolder(folder);
    writeFileSync(join(folder, name), `${secret}\n`, { mode: 0o600, flag: 'wx' });
    return secret;
  } catch (error) {
    throw folderFault(folder, error);
  }
}
