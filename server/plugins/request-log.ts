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
    const route = routeOptions.url ?? request.url.split('?', 1)[0];
    const code = refusal.get(request);
    const line = { method, route, status: reply.statusCode, code, ms: Math.round(reply.elapsedTime) };
    const quiet = ['/healthz', '/readyz', '/metrics'].includes(route ?? '');
    if (error) request.log.info({ ...line, err: error }, 'the caller went away');
    else request.log[quiet ? 'debug' : 'info'](line, 'request answered');
  }
}
