import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';
import { SourceError, type SourceTools } from '../../source-reader.ts';
import { ToolClient } from '../kit/tool-client.ts';

const keySchema = z.object({ client_email: z.string().min(1), private_key: z.string().min(1) });
export type ServiceAccount = z.output<typeof keySchema>;

/** Returns the account in the file of a key. Null for another file. */
export function parseKey(text: string): ServiceAccount | null {
  try {
    return keySchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number() });

/** https://developers.google.com/identity/protocols/oauth2/service-account. The address in the key file is not used. */
export class AccessTokens {
  readonly #account: ServiceAccount;
  readonly #client: ToolClient;
  readonly #now: () => Date;
  #token = '';
  #expiresAt = 0;

  constructor(account: ServiceAccount, tools: SourceTools) {
    const base = 'https://oauth2.googleapis.com';
    this.#client = new ToolClient({ name: 'Google', base, headers: {} }, tools);
    this.#account = account;
    this.#now = tools.now;
  }

  async get(): Promise<string> {
    const now = this.#now().getTime();
    if (now < this.#expiresAt) return this.#token;
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: await this.#assertion(Math.floor(now / 1_000)),
    });
    const { value } = await this.#client.list(tokenSchema, '/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
    });
    this.#token = value.access_token;
    this.#expiresAt = now + Math.max(value.expires_in - 60, 0) * 1_000;
    return this.#token;
  }

  async #assertion(seconds: number): Promise<string> {
    const { client_email: email, private_key: pem } = this.#account;
    try {
      const key = await importPKCS8(pem, 'RS256');
      return await new SignJWT({ scope: 'https://www.googleapis.com/auth/drive.readonly' })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
        .setIssuer(email)
        .setAudience('https://oauth2.googleapis.com/token')
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + 3_600)
        .sign(key);
    } catch (cause) {
      const reason =
        'The private key of the service account cannot be read. Create a new key and enter its file.';
      throw new SourceError('source_refused', reason, { cause });
    }
  }
}
