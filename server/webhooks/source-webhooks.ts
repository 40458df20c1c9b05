import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../core/base/errors.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { TypedApp } from '../typed-app.ts';
import { parseRawBodies } from './webhooks.ts';

/** A push names its files, and may be large. */
const bodyLimit = 5 * 2 ** 20;

const paramsSchema = z.object({ source_id: z.string().regex(/^src_\w{1,100}$/) });

/** Registers `/webhooks/sources/{source_id}`, at which tools tell which items of a source have changed. */
export function sourceWebhookRoutes(app: TypedApp, { sourceHooks }: Runtime): void {
  parseRawBodies(app);
  app.post('/:source_id', { schema: { hide: true }, bodyLimit }, async (request, reply) => {
    const params = paramsSchema.safeParse(request.params);
    if (!params.success) throw new AppError('source_hook_not_found');
    await sourceHooks.receive(params.data.source_id, { headers: headersOf(request), body: bodyOf(request) });
    return reply.code(200).type('text/plain; charset=utf-8').send('');
  });
}

function headersOf({ headers }: FastifyRequest): Readonly<Record<string, string | undefined>> {
  const lines = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ]);
  return Object.fromEntries(lines);
}

function bodyOf({ body }: FastifyRequest): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array();
}
