import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider, { type AccountClaims } from 'oidc-provider';
import { afterAll } from 'vitest';

export const client = { id: 'parley', secret: 'a-secret-of-the-client-of-32-bytes' };

/** Starts a real OpenID Connect server on a free port. It signs in the person whom the test names, without asking. */
export async function openIdentityProvider(redirectUris: readonly string[]) {
  let handle = (_request: IncomingMessage, response: ServerResponse): void => void response.end();
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  const issuer = `http://127.0.0.1:${address.port}`;
  let person: AccountClaims = { sub: 'nobody' };
  let refusal: string | null = null;
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [...redirectUris] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a-key-of-the-cookies'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...person, sub }) }),
  });
  const answer = provider.callback();
  const finish = async (request: IncomingMessage, response: ServerResponse) => {
    if (refusal !== null) {
      const refused = { error: 'access_denied', error_description: refusal };
      return provider.interactionFinished(request, response, refused);
    }
    await provider.interactionDetails(request, response);
    const grant = new provider.Grant({ accountId: person.sub, clientId: client.id });
    grant.addOIDCScope('openid email profile');
    const consent = { grantId: await grant.save() };
    return provider.interactionFinished(request, response, { login: { accountId: person.sub }, consent });
  };
  handle = (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return void answer(request, response);
    finish(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  };
  return {
    issuer,
    /** Selects the person who signs in from now on. */
    be(next: AccountClaims) {
      person = next;
      refusal = null;
    },
    /** Refuses everybody from now on, with these words. */
    refuse(words: string) {
      refusal = words;
    },
    /** Follows the address of the provider to that of the client, as a browser without a session there does. */
    async visit(start: string): Promise<URL> {
      const cookies = new Map<string, string>();
      let url = new URL(start);
      for (let hops = 0; hops < 10 && url.origin === issuer; hops += 1) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
        for (const sent of response.headers.getSetCookie()) {
          const [pair = ''] = sent.split(';', 1);
          cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
        }
        const location = response.headers.get('location');
        if (location === null) throw new TypeError(`${response.status} ${await response.text()}`);
        url = new URL(location, url);
      }
      return url;
    },
  };
}
