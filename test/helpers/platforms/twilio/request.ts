import { createHash } from 'node:crypto';
import twilio from 'twilio';
import type { RawRequest } from '../../../../core/contract/webhook.ts';

interface Post {
  readonly fields: Readonly<Record<string, string>>;
  readonly authToken: string;
  /** As Twilio asks for it. */
  readonly url: string;
}

/** A form as Twilio posts it, signed by Twilio's own library; with the rest of the path behind a proxy. */
export function twilioRequest({ fields, authToken, url }: Post): RawRequest {
  return requestOf(url, {
    'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
    'user-agent': 'TwilioProxy/1.1',
    'x-twilio-signature': twilio.getExpectedTwilioSignature(authToken, url, fields),
    body: new URLSearchParams(fields).toString(),
  });
}

/** A body that is no form: Twilio adds its digest to the address. */
export function twilioJsonRequest({
  body,
  authToken,
  url,
}: { body: string } & Omit<Post, 'fields'>): RawRequest {
  const digest = createHash('sha256').update(body).digest('hex');
  const asked = `${url}${url.includes('?') ? '&' : '?'}bodySHA256=${digest}`;
  return requestOf(asked, {
    'content-type': 'application/json',
    'x-twilio-signature': twilio.getExpectedTwilioSignature(authToken, asked, {}),
    body,
  });
}

function requestOf(url: string, { body, ...headers }: Record<string, string> & { body: string }): RawRequest {
  const { pathname, search, searchParams } = new URL(url);
  return {
    method: 'POST',
    path: pathname,
    headers,
    query: Object.fromEntries(searchParams),
    ...(search !== '' && { search }),
    body: Buffer.from(body),
  };
}
