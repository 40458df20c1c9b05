import type { FastifyRequest } from 'fastify';
import type { Runtime } from '../../core/runtime.ts';
import { reservations } from './reservations.ts';

/** Gives back what was counted for a request that came to nothing. */
export async function refundMessage(
  { quota }: Pick<Runtime, 'quota'>,
  request: FastifyRequest,
): Promise<void> {
  const reservation = reservations.find(request);
  if (reservation !== undefined) await quota.refund(reservation);
}
