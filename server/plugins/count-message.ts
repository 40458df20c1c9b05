import type { FastifyInstance, FastifyReply } from 'fastify';
import { quotaExhausted } from '../../core/limits/quota-exhausted.ts';
import type { Runtime } from '../../core/runtime.ts';
import { admitted } from './admitted.ts';

/**
 * What the door counted against the owner's month before the body was read: refused here where nothing was left, and
 * given back when the request fails or repeats an answer that was counted already.
 */
export function countMessage(app: FastifyInstance, { quota }: Runtime): void {
  app.addHook('preHandler', async (request) => {
    const { messageCounted, at } = admitted.of(request);
    if (messageCounted === false) throw quotaExhausted(at);
  });
  app.addHook('onSend', async (request, reply) => {
    const entry = admitted.find(request);
    if (entry === undefined || entry.messageCounted !== true || !cameToNothing(reply)) return;
    try {
      await quota.refund(quota.reservationOf(entry.holder.workspace.owner, entry.at));
    } catch (err) {
      // The answer is an error already, and stays the one it is.
      request.log.error({ err }, 'a failed request could not be taken off its quota');
    }
  });
}

function cameToNothing(reply: FastifyReply): boolean {
  return reply.statusCode >= 400 || reply.hasHeader('idempotency-replayed');
}
