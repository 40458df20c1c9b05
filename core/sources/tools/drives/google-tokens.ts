import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';
import { SourceError, type SourceTools } from '../../source-reader.ts';
import { ToolClient } from '../kit/tool-client.ts';
import { AccessToken } from './access-token.ts';

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

/** https://developers.google.com/identity/protocols/oauth2/service-account. The address in the key file is not used. */
export function googleToken(account: ServiceAccount, tools: SourceTools): AccessToken {
  const base = 'https://oauth2.googleapis.com';
  return new AccessToken({
    client: new ToolClient({ name: 'Google', base, headers: {} }, tools),
    path: () => '/token',
    now: tools.now,
    fields: async (seconds) => ({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: await signAssertion(account, seconds),
    }),
  });
}

async function signAssertion(
  { client_email: email, private_key: pem }: ServiceAccount,
  seconds: number,
): Promise<string> {
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
