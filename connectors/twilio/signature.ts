import { createHash } from 'node:crypto';
import { validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import type { RawRequest } from '../../core/contract/webhook.ts';
import { isSameSecret } from '../shared/http.ts';
import type { TwilioAccount } from './account.ts';

/**
 * Verifies that Twilio signed a request for this account: over the public address and the fields of a form, or over the
 * address alone if that contains the digest of another body. `socket` is true for a request that opens a WebSocket.
 * A request that cannot be checked is not signed.
 */
export function verifySignature(
  request: RawRequest,
  account: Pick<TwilioAccount, 'id' | 'webhookUrl' | 'credentials'>,
  { socket = false }: { readonly socket?: boolean } = {},
): boolean {
  const url = requestedUrl(request, account);
  const signature = request.headers['x-twilio-signature'];
  const signed = signedFields(request);
  if (url === null || !URL.canParse(url) || !signature || signed === null) return false;
  const signedUrl = socket ? url.replace(/^http/, 'ws') : url;
  return validateRequest(account.credentials.auth_token, signature, signedUrl, signed);
}

/** Returns the signed form fields; null if the signature does not cover the body. */
function signedFields(request: RawRequest): Record<string, readonly string[]> | null {
  const form = parseForm(request);
  if (form !== null) return Object.fromEntries([...form.keys()].map((name) => [name, form.getAll(name)]));
  const { query, body } = request;
  const digest = query.bodySHA256;
  const isCovered =
    digest === undefined
      ? body.length === 0
      : isSameSecret(digest, createHash('sha256').update(body).digest('hex'));
  return isCovered ? {} : null;
}

/**
 * Returns the address as Twilio requested it: a reverse proxy may have changed the host, the scheme or the path. It
 * removes the fragment, which holds Twilio's connection overrides and is never sent. Returns null if PUBLIC_URL is
 * not set.
 */
function requestedUrl(
  { path, search = '' }: Pick<RawRequest, 'path' | 'search'>,
  { id, webhookUrl }: Pick<TwilioAccount, 'id' | 'webhookUrl'>,
): string | null {
  if (webhookUrl === null) return null;
  const root = webhookUrl.replace(/#.*$/s, '').slice(0, -`/webhooks/${id}`.length);
  return `${root}${path}${search}`;
}

/** Parses the fields of a posted form, in their order; returns null for a body of another type. */
export function parseForm({ headers, body }: Pick<RawRequest, 'headers' | 'body'>): URLSearchParams | null {
  const kind = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (kind !== 'application/x-www-form-urlencoded') return null;
  return new URLSearchParams(new TextDecoder().decode(body));
}
