import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { StartError } from '../start-error.ts';

const algorithm = 'aes-256-gcm';

/** Encrypts secrets that have to be read again (AES-256-GCM, a fresh nonce each); the key has 32 bytes. */
export class SecretBox {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Returns `v1.<nonce>.<tag>.<ciphertext>`, each part Base64url. */
  seal(secret: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv(algorithm, this.#key, nonce);
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    const parts = [nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'));
    return ['v1', ...parts].join('.');
  }

  /** A key for something else, the same in all processes: it does not tell this one. */
  derive(purpose: string): Uint8Array {
    return createHmac('sha256', this.#key).update(purpose).digest();
  }

  /** Throws a StartError when the text was sealed under another key or was altered. */
  open(text: string): string {
    try {
      const [, nonce = '', tag = '', sealed = ''] = text.split('.');
      const decipher = createDecipheriv(algorithm, this.#key, Buffer.from(nonce, 'base64url'));
      decipher.setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(sealed, 'base64url')), decipher.final()]).toString(
        'utf8',
      );
    } catch (error) {
      throw new StartError(
        'ENCRYPTION_KEY is not the key that this database was encrypted with: set it back to that one.',
        error,
      );
    }
  }
}
