import type { IncomingMessage } from 'node:http';
import { newId } from '../../core/ids.ts';

/** The caller's own X-Request-Id where it is 1 to 128 visible ASCII characters, else a new one. */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\x21-\x7e]{1,128}$/.test(given) ? given : newId('req');
}
