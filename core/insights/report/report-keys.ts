import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { SealedPlace, SecretBox } from '../../secrets/secret-box.ts';
import type { Tables } from '../../storage/tables/tables.ts';

/** There is one, made with the first report. */
const keyId = 'rkey_1';
const place: SealedPlace = { table: 'report_key', column: 'secret_encrypted', id: keyId };

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
}

export interface ReportSignature {
  readonly algorithm: 'Ed25519';
  /** SPKI in Base64. */
  readonly public_key: string;
  /** Base64. */
  readonly value: string;
}

/** The key of this installation that signs monthly reports (Ed25519). It is sealed like all secrets. */
export class ReportKeys {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the public key, as SPKI in Base64. */
  async publicKey(): Promise<string> {
    return writePublicKey(await this.#load());
  }

  async sign(text: string): Promise<ReportSignature> {
    const key = await this.#load();
    return {
      algorithm: 'Ed25519',
      public_key: writePublicKey(key),
      value: sign(null, Buffer.from(text), key).toString('base64'),
    };
  }

  async #load(): Promise<KeyObject> {
    const sealed = (await this.#find()) ?? (await this.#create());
    const secret = Buffer.from(this.#dependencies.secretBox.open(sealed, place), 'base64');
    return createPrivateKey({ key: secret, format: 'der', type: 'pkcs8' });
  }

  async #find(): Promise<string | undefined> {
    const row = await this.#dependencies.database
      .selectFrom('report_key')
      .select('secret_encrypted')
      .where('id', '=', keyId)
      .executeTakeFirst();
    return row?.secret_encrypted;
  }

  /** If several processes create one at once, that of the first counts. */
  async #create(): Promise<string> {
    const { database, secretBox, clock } = this.#dependencies;
    const { privateKey } = generateKeyPairSync('ed25519');
    const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    const sealed = secretBox.seal(secret, place);
    await database
      .insertInto('report_key')
      .values({
        ...{ id: keyId, public_key: writePublicKey(privateKey) },
        ...{ secret_encrypted: sealed, created_at: clock.now() },
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    return (await this.#find()) ?? sealed;
  }
}

function writePublicKey(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');
}
