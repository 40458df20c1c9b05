import type { IncomingMessage } from 'node:http';
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { newId } from '../../core/ids.ts';
import { loggedErrorCodes } from './errors.ts';

/** The caller's own X-Request-Id where it is 1 to 128 visible ASCII characters, else a new one. */
export function parseRequestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\x21-\x7e]{1,128}$/.test(given) ? given : newId('req');
}

/** One line a request, when it is answered; without query strings and bodies, which may hold secrets. */
export class RequestLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'request_id' });
  }

  override incomingRequest(): void {}

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const { method, routeOptions } = request;
    const route = routeOptions.url ?? beginningOf(request.url);
    const code = loggedErrorCodes.get(request);
    const line = { method, route, status: reply.statusCode, code, ms: Math.round(reply.elapsedTime) };
    const quiet = ['/healthz', '/readyz', '/metrics'].includes(route ?? '');
    if (error) request.log.info({ ...line, err: error }, 'the caller went away');
    else request.log[quiet ? 'debug' : 'info'](line, 'request answered');
  }
}

const longestSegment = 64;

/** The first segment of a path that has no route: the rest may hold a key that was pasted into the wrong place. */
function beginningOf(url: string): string {
  const [path = ''] = url.split('?', 1);
  const [, first = '', ...rest] = path.split('/', 3);
  const isCut = rest.length > 0 || first.length > longestSegment;
  return `/${first.slice(0, longestSegment)}${isCut ? '/…' : ''}`;
}
