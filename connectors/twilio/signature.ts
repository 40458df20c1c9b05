import { createHash } from 'node:crypto';
import { validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import type { RawRequest } from '../../core/contract/webhook.ts';
import { isSameSecret } from '../shared/http.ts';
import type { TwilioAccount } from './account.ts';

/**
 * Whether Twilio signed a request for this account: over our public address and the fields of a form, or over the
 * address alone where that holds the digest of another body. `socket` is true of a request that opens a WebSocket.
 * Whatever cannot be checked is not signed.
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
  const asked = socket ? url.replace(/^http/, 'ws') : url;
  return validateRequest(account.credentials.auth_token, signature, asked, signed);
}

/** What is signed beside the address; null where nothing that is signed vouches for the body. */
function signedFields(request: RawRequest): Record<string, readonly string[]> | null {
  const form = parseForm(request);
  if (form !== null) return Object.fromEntries([...form.keys()].map((name) => [name, form.getAll(name)]));
  const { query, body } = request;
  const digest = query.bodySHA256;
  const isVouchedFor =
    digest === undefined
      ? body.length === 0
      : isSameSecret(digest, createHash('sha256').update(body).digest('hex'));
  return isVouchedFor ? {} : null;
}

/**
 * The address as Twilio asked for it: a proxy in front of us may have taken the call by another name, without TLS and
 * without a part of the path. What stands behind `#` in Twilio's own settings is for Twilio and never sent. Null where
 * nobody knows at which address the world reaches this server.
 */
function requestedUrl(
  { path, search = '' }: Pick<RawRequest, 'path' | 'search'>,
  { id, webhookUrl }: Pick<TwilioAccount, 'id' | 'webhookUrl'>,
): string | null {
  if (webhookUrl === null) return null;
  const root = webhookUrl.replace(/#.*$/s, '').slice(0, -`/webhooks/${id}`.length);
  return `${root}${path}${search}`;
}

/** The fields of a form that was posted, in its order; null for a body of another kind. */
export function parseForm({ headers, body }: Pick<RawRequest, 'headers' | 'body'>): URLSearchParams | null {
  const kind = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (kind !== 'application/x-www-form-urlencoded') return null;
  return new URLSearchParams(new TextDecoder().decode(body));
}
