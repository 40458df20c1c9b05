import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { z } from 'zod';
import { withDeadline } from '../../core/contract/abort-signal.ts';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { optionalField, parseJson, platformError, unreachableError } from '../shared/http.ts';
import { MailFault } from './mail-fault.ts';
import type { MailServer, OauthGrant } from './manifest.ts';

/** Ports on which encryption begins with STARTTLS, not with the connection. */
export const PORTS_OF_STARTTLS: ReadonlySet<number> = new Set([25, 143, 587, 2525]);

interface ServerConnection {
  readonly port: number;
  /** Whether TLS begins with the first byte. */
  readonly isImplicit: boolean;
  /** Whether encryption is mandatory. */
  readonly isRequired: boolean;
  /** The host name for SNI and certificate checks; absent if the host is an IP address. */
  readonly name: { readonly servername?: string };
  readonly tls: ConnectionOptions;
}

/** Returns how to connect to a server. If encryption is optional, self-signed certificates are accepted. */
export function connectionOptions({ host, port, secure }: MailServer): ServerConnection {
  return {
    port,
    isImplicit: secure && !PORTS_OF_STARTTLS.has(port),
    isRequired: secure,
    name: isIP(host) === 0 ? { servername: host } : {},
    tls: { rejectUnauthorized: secure, minVersion: 'TLSv1.2' },
  };
}

/**
 * Resolves the addresses of a server, with the guard that blocks private networks. `kind` names the server in errors.
 */
export async function resolveAddresses(
  kind: 'IMAP' | 'SMTP',
  { host }: MailServer,
  tools: Pick<Tools, 'resolve'>,
): Promise<readonly string[]> {
  try {
    return await tools.resolve(host);
  } catch (error) {
    if (error instanceof ConnectorError) throw error;
    const { message, advice } = unreachableError(`The ${kind} server`, error, []);
    throw new MailFault(message, { advice }, isRefusedAddress(error) ? 'private_host' : 'unknown_host');
  }
}

/** The guard names a host of a private network by this code. */
function isRefusedAddress(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'address_refused';
}

export type ServerLogin =
  | { readonly user: string; readonly pass: string }
  | { readonly user: string; readonly accessToken: string };

/** Returns the login for a mail server: its password, or a fresh OAuth access token. */
export async function resolveLogin(
  { user, pass, oauth }: MailServer,
  tools: TokenTools,
): Promise<ServerLogin> {
  if (oauth === undefined) return { user, pass: pass ?? '' };
  return { user, accessToken: await fetchAccessToken(oauth, tools) };
}

type TokenTools = Pick<Tools, 'fetch' | 'now' | 'signal'>;

const answerSchema = z.object({
  access_token: z.string().min(1),
  expires_in: optionalField(z.coerce.number()),
});
const refusalSchema = z.object({ error: z.string(), error_description: optionalField(z.string()) });

const TIMEOUT_MS = 10_000;
const DEFAULT_EXPIRES_IN_S = 3_600;
/** A token is replaced this long before it expires, so that the login completes in time. */
const MARGIN_MS = 60_000;
const MAX_CACHED = 1_000;

interface CachedToken {
  readonly token: string;
  readonly until: number;
}

const tokenCache = new Map<string, CachedToken>();

/** Returns an access token from the cache, or requests one from the token server. */
async function fetchAccessToken(grant: OauthGrant, tools: TokenTools): Promise<string> {
  const key = createHash('sha256').update(JSON.stringify(grant)).digest('hex');
  const now = tools.now().getTime();
  const known = tokenCache.get(key);
  if (known !== undefined && known.until > now) return known.token;
  const { access_token: token, expires_in } = await requestToken(grant, tools);
  tokenCache.delete(key);
  if (tokenCache.size >= MAX_CACHED) tokenCache.clear();
  tokenCache.set(key, { token, until: now + (expires_in ?? DEFAULT_EXPIRES_IN_S) * 1_000 - MARGIN_MS });
  return token;
}

/** Removes a token that the server refused before it expired. */
export function discardToken(grant: OauthGrant): void {
  tokenCache.delete(createHash('sha256').update(JSON.stringify(grant)).digest('hex'));
}

async function requestToken(grant: OauthGrant, tools: TokenTools): Promise<z.infer<typeof answerSchema>> {
  const { response, body } = await post(grant, tools);
  const answer = answerSchema.safeParse(body);
  if (response.ok && answer.success) return answer.data;
  const refusal = refusalSchema.safeParse(body);
  if (!refusal.success) {
    throw platformError(`The token server answered with status ${response.status}.`, response, tools.now());
  }
  const { error, error_description: description } = refusal.data;
  const message = `The token server refused the request: ${description ?? error}`;
  if (response.status === 429 || response.status >= 500) throw platformError(message, response, tools.now());
  throw new ConnectorError(message, { advice: { retry: 'never' }, account: true });
}

async function post(grant: OauthGrant, { fetch, signal }: TokenTools) {
  const { client_id, client_secret, refresh_token, token_url, scope } = grant;
  const form = new URLSearchParams({
    client_id,
    grant_type: refresh_token === undefined ? 'client_credentials' : 'refresh_token',
    ...(client_secret !== undefined && { client_secret }),
    ...(refresh_token !== undefined && { refresh_token }),
    ...(scope !== undefined && { scope }),
  });
  try {
    return await withDeadline({ timeoutMs: TIMEOUT_MS, signal }, async (ends) => {
      const response = await fetch(token_url, {
        method: 'POST',
        body: form,
        redirect: 'error',
        signal: ends,
      });
      return { response, body: parseJson(new Uint8Array(await response.arrayBuffer())) };
    });
  } catch (error) {
    throw unreachableError(
      'The token server',
      error,
      [client_secret, refresh_token].filter((secret) => secret !== undefined),
    );
  }
}
