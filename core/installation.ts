import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { folderFault } from './storage/embedded/folder-fault.ts';
import { makePrivateFolder } from './storage/embedded/private-folder.ts';
import type { Settings } from './storage/settings.ts';
import { EncryptionKeyFile } from './workspaces/encryption-key-file.ts';
import { markEncryptionKey, SecretBox } from './workspaces/secret-box.ts';

export interface Installation {
  readonly adminToken: string;
  /** Accepted beside the token while callers change to it; null where there is none. */
  readonly previousAdminToken: string | null;
  /** Whether the token was made just now, and has to be shown to the operator once. */
  readonly adminTokenIsNew: boolean;
  readonly secretBox: SecretBox;
  /** Where the encryption key is kept; null where the environment has it. */
  readonly keyFile: EncryptionKeyFile | null;
}

type InstallationConfig = Pick<
  Config,
  'ADMIN_TOKEN' | 'ADMIN_TOKEN_PREVIOUS' | 'ENCRYPTION_KEY' | 'ENCRYPTION_KEY_PREVIOUS' | 'DATA_DIR'
>;

/**
 * The operator's token and the encryption key: from the environment, else from the data folder, else made now and
 * kept there (mode 600). Throws a StartError when no key opens what the database was encrypted with.
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
  const kept = keyFile.open();
  return { secretBox: new SecretBox(kept.current, [...kept.previous, ...previous]), keyFile };
}

const strongLength = 32;
/** 32 random hexadecimal digits have fewer different characters than this once in a million. */
const leastDifferent = 8;

/** Whether an operator's token may be guessed: it is short, or made of few different characters. */
export function isWeakToken(token: string): boolean {
  return token.length < strongLength || new Set(token).size < leastDifferent;
}

/** The secret kept in the data folder under this name, or null. */
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
