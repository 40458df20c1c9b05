import type { FastifyInstance } from 'fastify';
import { quotaExhausted } from '../../core/limits/quota-exhausted.ts';
import type { Runtime } from '../../core/runtime.ts';
import { admitted } from './admitted.ts';
import { refundMessage } from './refund-message.ts';
import { reservations } from './reservations.ts';

/**
 * What the door counted against the owner's month before the body was read: refused here where nothing was left, and
 * given back when the request fails. What the door left to be counted later is counted here.
 */
export function countMessage(app: FastifyInstance, runtime: Runtime): void {
  app.addHook('preHandler', async (request) => {
    if (request.routeOptions.config.countsMessage !== true) return;
    const { holder, messageCounted, at } = admitted.of(request);
    if (messageCounted === false) throw quotaExhausted(at);
    if (messageCounted === true) return;
    const { owner, plan } = holder.workspace;
    reservations.set(request, await runtime.quota.reserve(owner, plan));
  });
  app.addHook('onSend', async (request, reply) => {
    if (reply.statusCode < 400) return;
    try {
      await refundMessage(runtime, request);
    } catch (err) {
      // The answer is an error already, and stays the one it is.
      request.log.error({ err }, 'a failed request could not be taken off its quota');
    }
  });
}
