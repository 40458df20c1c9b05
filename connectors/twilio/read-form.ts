import type { RawRequest } from '../../core/contract/webhook.ts';

/** The fields of a form that was posted, in its order; null for a body of another kind. */
export function readForm({ headers, body }: Pick<RawRequest, 'headers' | 'body'>): URLSearchParams | null {
  const kind = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (kind !== 'application/x-www-form-urlencoded') return null;
  return new URLSearchParams(new TextDecoder().decode(body));
}
