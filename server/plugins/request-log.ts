import type { IncomingMessage } from 'node:http';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { newId } from '../../core/base/ids.ts';
import { deployingError } from '../../core/health/readiness.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { Drain } from '../drain.ts';
import { loggedErrorCodes } from './errors.ts';

/** Returns the client's X-Request-Id if it is 1 to 128 visible ASCII characters, else a new id. */
export function parseRequestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\x21-\x7e]{1,128}$/.test(given) ? given : newId('req');
}

/** Logs one line per request when it ends, without query strings and bodies, which can contain secrets. */
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
    const route = routeOptions.url ?? firstSegment(request.url);
    const code = loggedErrorCodes.get(request);
    const line = { method, route, status: reply.statusCode, code, ms: Math.round(reply.elapsedTime) };
    const quiet = ['/healthz', '/readyz', '/metrics'].includes(route ?? '');
    if (error) request.log.info({ ...line, err: error }, 'client disconnected');
    else request.log[quiet ? 'debug' : 'info'](line, 'request answered');
  }
}

const maxSegmentLength = 64;

/**
 * Returns only the first segment of a path without a route, because the rest may contain a key that was
 * pasted into the wrong place.
 */
function firstSegment(url: string): string {
  const [path = ''] = url.split('?', 1);
  const [, first = '', ...rest] = path.split('/', 3);
  const isCut = rest.length > 0 || first.length > maxSegmentLength;
  return `/${first.slice(0, maxSegmentLength)}${isCut ? '/…' : ''}`;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is served while the server drains. */
    readonly whileDraining?: boolean;
  }
}

/** Sets the headers of every response and rejects new requests while the server drains. */
export function handleEveryRequest(
  app: FastifyInstance,
  { readiness }: Pick<Runtime, 'readiness'>,
  drain: Drain,
): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      // The widget's routes allow other sites, which embed them.
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    // The server closes kept-alive connections, so that the client's next request goes to another server.
    if (readiness.isLeaving) reply.header('connection', 'close');
    if (!drain.signal.aborted) return drain.trackRequest(reply);
    reply.header('connection', 'close');
    if (request.routeOptions.config.whileDraining === true) return;
    throw deployingError();
  });
}
