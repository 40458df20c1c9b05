import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { StartError } from '../base/errors.ts';
import type { Settings } from '../storage/settings.ts';

const algorithm = 'aes-256-gcm';

/** The columns with sealed values, by table. They are resealed after a key change. */
export const sealedColumns = [
  { table: 'workspace', columns: ['identity_secret_encrypted', 'previous_identity_secret_encrypted'] },
  { table: 'webhook', columns: ['secret_encrypted', 'previous_secret_encrypted'] },
  { table: 'http_skill', columns: ['secret_encrypted', 'previous_secret_encrypted'] },
  { table: 'channel', columns: ['credentials_encrypted', 'secret_encrypted'] },
  { table: 'sign_in_key', columns: ['secret_encrypted'] },
  { table: 'sign_in_provider', columns: ['client_secret_encrypted'] },
  { table: 'source', columns: ['credentials_encrypted', 'hook_secret_encrypted'] },
  { table: 'report_key', columns: ['secret_encrypted'] },
  { table: 'owner_model_key', columns: ['key_encrypted'] },
] as const;

export type SealedTable = (typeof sealedColumns)[number];

/** The row and column that a sealed value is bound to. */
export interface SealedPlace {
  readonly table: SealedTable['table'] | 'setting';
  readonly column: SealedTable['columns'][number] | 'value';
  readonly id: string;
}

/**
 * Encrypts secrets that must be readable again: AES-256-GCM with a fresh nonce each and 32-byte keys. A sealed
 * value contains the id of its key and only opens in its own row and column.
 */
export class SecretBox {
  #current: Key;
  #previous: readonly Key[];

  constructor(key: Buffer, previous: readonly Buffer[] = []) {
    this.#current = new Key(key);
    this.#previous = withoutKey(
      previous.map((one) => new Key(one)),
      this.#current,
    );
  }

  /** Id of the current key: 8 hexadecimal digits that do not reveal the key. */
  get keyId(): string {
    return this.#current.id;
  }

  get previousKeyIds(): readonly string[] {
    return this.#previous.map(({ id }) => id);
  }

  /** Prefix of every value sealed with the current key. */
  get currentPrefix(): string {
    return `v2.${this.#current.id}.`;
  }

  /** Returns `v2.<key id>.<nonce>.<tag>.<ciphertext>`. The last three are Base64url. */
  seal(secret: string, place: SealedPlace): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv(algorithm, this.#current.bytes, nonce).setAAD(associatedData(place));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    const parts = [nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'));
    return this.currentPrefix + parts.join('.');
  }

  /** Returns true if the value was sealed with the current key in the current format. */
  isCurrent(text: string): boolean {
    return text.startsWith(this.currentPrefix);
  }

  /** Opens a value that was sealed with this key or a previous one. Throws a StartError that names the wrong key or row. */
  open(text: string, place: SealedPlace): string {
    const [, keyId = '', ...parts] = text.split('.');
    const key = [this.#current, ...this.#previous].find(({ id }) => id === keyId);
    if (key === undefined) {
      throw new StartError(
        `ENCRYPTION_KEY has the key id ${this.keyId}, but the database contains secrets that were encrypted with the key ${keyId}. Set ENCRYPTION_KEY back to that key, or add that key to ENCRYPTION_KEY_PREVIOUS.`,
      );
    }
    try {
      return decrypt(parts, key, associatedData(place));
    } catch (error) {
      throw new StartError(
        `Cannot decrypt ${place.table}.${place.column} in the row ${place.id}, because the value was altered or copied from another row. Restore the value, or set the secret again.`,
        error,
      );
    }
  }

  /**
   * Derives a key for another purpose. It is the same in all processes with this key and does not reveal it.
   */
  derive(purpose: string): Uint8Array {
    return createHmac('sha256', this.#current.bytes).update(purpose).digest();
  }

  /** Seals with `key` from now on. Values sealed with earlier keys still open. */
  changeKey(key: Buffer): void {
    const next = new Key(key);
    this.#previous = withoutKey([this.#current, ...this.#previous], next);
    this.#current = next;
  }
}

class Key {
  readonly bytes: Buffer;
  readonly id: string;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.id = createHmac('sha256', bytes).update('key id').digest('hex').slice(0, 8);
  }
}

function withoutKey(keys: readonly Key[], { id }: Key): readonly Key[] {
  return keys.filter((key) => key.id !== id);
}

function associatedData({ table, column, id }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([table, column, id]));
}

/** Throws if the key or the associated data differs, or if the text was altered. */
function decrypt(
  [nonce = '', tag = '', sealed = '']: readonly string[],
  key: Key,
  associated: Buffer,
): string {
  const decipher = createDecipheriv(algorithm, key.bytes, Buffer.from(nonce, 'base64url'), {
    authTagLength: 16,
  });
  decipher.setAuthTag(Buffer.from(tag, 'base64url')).setAAD(associated);
  return Buffer.concat([decipher.update(Buffer.from(sealed, 'base64url')), decipher.final()]).toString(
    'utf8',
  );
}

const checkName = 'encryption_check';
const place = { table: 'setting', column: 'value', id: checkName } as const;

/**
 * Checks that the keys of this process open the database's values, and marks the current key as the one to seal
 * with. Throws a StartError if no key opens them.
 */
export async function markEncryptionKey(settings: Settings, secretBox: SecretBox): Promise<void> {
  const stored = await settings.getOrSet(checkName, secretBox.seal('parley', place));
  secretBox.open(stored, place);
  if (!secretBox.isCurrent(stored)) await settings.set(checkName, secretBox.seal('parley', place));
}

/** Returns true unless a process was started later with a different current key. */
export async function isInstallationKey(settings: Settings, secretBox: SecretBox): Promise<boolean> {
  const stored = await settings.get(checkName);
  return stored === null || secretBox.isCurrent(stored);
}
