import type { FastifyInstance } from 'fastify';
import { AppError } from '../../core/errors.ts';
import { sendError } from './send-error.ts';

/** Every error and every unknown route is answered in the one shape of errors. */
export function errors(app: FastifyInstance): void {
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => sendError(new AppError('route_not_found'), request, reply));
}
