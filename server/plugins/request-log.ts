import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { refusal } from './refusal.ts';

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
    const code = refusal.get(request);
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
