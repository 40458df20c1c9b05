import type { Json } from '../../core/contract/account.ts';
import type { RawRequest } from '../../core/contract/webhook.ts';
import { readJson } from '../shared/read-json.ts';

/** Events come as JSON; what people press and command comes as a form, in which there may be JSON. */
export function readPayload({ headers, body }: Pick<RawRequest, 'headers' | 'body'>): Json | undefined {
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded') !== true)
    return readJson(body);
  const form = new URLSearchParams(new TextDecoder().decode(body));
  const payload = form.get('payload');
  return payload === null ? Object.fromEntries(form) : readJson(new TextEncoder().encode(payload));
}
