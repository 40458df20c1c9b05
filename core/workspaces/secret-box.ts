import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { StartError } from '../errors.ts';
import type { Settings } from '../storage/settings.ts';

const algorithm = 'aes-256-gcm';

/** The columns that hold sealed values, by table: what is resealed under a new key. */
export const sealedColumns = [
  { table: 'workspace', columns: ['identity_secret_encrypted', 'previous_identity_secret_encrypted'] },
  { table: 'webhook', columns: ['secret_encrypted', 'previous_secret_encrypted'] },
  { table: 'http_skill', columns: ['secret_encrypted', 'previous_secret_encrypted'] },
  { table: 'channel', columns: ['credentials_encrypted', 'secret_encrypted'] },
] as const;

export type SealedTable = (typeof sealedColumns)[number];

/** The row and column that a sealed value is bound to. */
export interface SealedPlace {
  readonly table: SealedTable['table'] | 'setting';
  readonly column: SealedTable['columns'][number] | 'value';
  readonly id: string;
}

/**
 * Encrypts secrets that have to be read again: AES-256-GCM, a fresh nonce each, keys of 32 bytes. A sealed value names
 * its key and opens in its own row and column only.
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

  /** Of the key that seals: 8 hexadecimal digits that do not tell the key. */
  get keyId(): string {
    return this.#current.id;
  }

  get previousKeyIds(): readonly string[] {
    return this.#previous.map(({ id }) => id);
  }

  /** What every value sealed under the current key begins with. */
  get currentPrefix(): string {
    return `v2.${this.#current.id}.`;
  }

  /** Returns `v2.<key id>.<nonce>.<tag>.<ciphertext>`, the last three Base64url. */
  seal(secret: string, place: SealedPlace): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv(algorithm, this.#current.bytes, nonce).setAAD(boundTo(place));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    const parts = [nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'));
    return this.currentPrefix + parts.join('.');
  }

  /** Whether a value was sealed under the current key, in the current format. */
  isCurrent(text: string): boolean {
    return text.startsWith(this.currentPrefix);
  }

  /**
   * Also opens what a previous key sealed, and the first format (`v1.…`), which names no key and is bound to no row.
   * Throws a StartError that names the key or the row that is wrong.
   */
  open(text: string, place: SealedPlace): string {
    const [version, ...rest] = text.split('.');
    if (version !== 'v2') return this.#openFirstFormat(rest);
    const [keyId = '', ...parts] = rest;
    const key = this.#keys().find(({ id }) => id === keyId);
    if (key === undefined) {
      throw new StartError(
        `ENCRYPTION_KEY is the key ${this.keyId}, but this database holds secrets that were encrypted under the key ${keyId}: set ENCRYPTION_KEY back to that one, or add that one to ENCRYPTION_KEY_PREVIOUS.`,
      );
    }
    try {
      return decrypt(parts, key, boundTo(place));
    } catch (error) {
      throw new StartError(
        `The value of ${place.table}.${place.column} in the row ${place.id} does not open: it was altered, or moved here from another row. Restore it, or set that secret anew.`,
        error,
      );
    }
  }

  /** A key for another purpose, the same in all processes that have this one; it does not tell this one. */
  derive(purpose: string): Uint8Array {
    return createHmac('sha256', this.#current.bytes).update(purpose).digest();
  }

  /** Seals under `key` from now on; what earlier keys sealed still opens. */
  changeKey(key: Buffer): void {
    const next = new Key(key);
    this.#previous = withoutKey([this.#current, ...this.#previous], next);
    this.#current = next;
  }

  #keys(): readonly Key[] {
    return [this.#current, ...this.#previous];
  }

  #openFirstFormat(parts: readonly string[]): string {
    let reason: unknown;
    for (const key of this.#keys()) {
      try {
        return decrypt(parts, key, null);
      } catch (error) {
        reason = error;
      }
    }
    throw new StartError(
      `ENCRYPTION_KEY is the key ${this.keyId}, which is not the key that this database was encrypted with: set ENCRYPTION_KEY back to that one, or add that one to ENCRYPTION_KEY_PREVIOUS.`,
      reason,
    );
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

function boundTo({ table, column, id }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([table, column, id]));
}

/** Throws where the key or the associated data is another, or the text was altered. */
function decrypt(
  [nonce = '', tag = '', sealed = '']: readonly string[],
  key: Key,
  bound: Buffer | null,
): string {
  const decipher = createDecipheriv(algorithm, key.bytes, Buffer.from(nonce, 'base64url'), {
    authTagLength: 16,
  });
  decipher.setAuthTag(Buffer.from(tag, 'base64url'));
  if (bound !== null) decipher.setAAD(bound);
  return Buffer.concat([decipher.update(Buffer.from(sealed, 'base64url')), decipher.final()]).toString(
    'utf8',
  );
}

const name = 'encryption_check';
const place = { table: 'setting', column: 'value', id: name } as const;

/**
 * Makes sure that the keys of this process open what the database was encrypted with, and notes the current key as the
 * one that everything is to be sealed under. Throws a StartError where no key opens it.
 */
export async function markEncryptionKey(settings: Settings, secretBox: SecretBox): Promise<void> {
  const stored = await settings.getOrSet(name, secretBox.seal('parley', place));
  secretBox.open(stored, place);
  if (!secretBox.isCurrent(stored)) await settings.set(name, secretBox.seal('parley', place));
}

/** Whether no process was started later with another current key. */
export async function isInstallationKey(settings: Settings, secretBox: SecretBox): Promise<boolean> {
  const stored = await settings.get(name);
  return stored === null || secretBox.isCurrent(stored);
}
