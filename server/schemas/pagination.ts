import type { FastifyInstance, preHandlerHookHandler, preSerializationHookHandler } from 'fastify';
import { z } from 'zod';
import { CursorSeal, type Page } from '../../core/base/pagination.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';

/** The query parameters of every list. */
export const pageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().optional().meta({ description: 'The next_cursor of the previous page.' }),
});

/** The position of the next page of a list. */
export const paginationSchema = z
  .object({
    next_cursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
    has_more: z.boolean(),
  })
  .meta({ id: 'Pagination' });

export function presentPagination({ nextCursor }: Page<unknown>): z.output<typeof paginationSchema> {
  return { next_cursor: nextCursor, has_more: nextCursor !== null };
}

const pagedQuery = z.looseObject({ cursor: z.string() });
const pagedResponse = z.looseObject({ pagination: z.looseObject({ next_cursor: z.string() }) });

/**
 * Seals and opens the cursors of all routes of `app` whose query has a `cursor`: a cursor must carry the seal
 * of this installation (else `invalid_cursor`), and `pagination.next_cursor` is sent sealed. Call it before
 * the first route is added.
 */
export function sealCursors(app: FastifyInstance, { installation }: Pick<Runtime, 'installation'>): void {
  const seal = new CursorSeal(installation.secretBox);
  const open: preHandlerHookHandler = async (request) => {
    const query = pagedQuery.safeParse(request.query).data;
    if (query !== undefined) request.query = { ...query, cursor: seal.open(query.cursor) };
  };
  const close: preSerializationHookHandler = async (_request, _reply, payload) => {
    const response = pagedResponse.safeParse(payload).data;
    if (response === undefined) return payload;
    const { pagination } = response;
    return { ...response, pagination: { ...pagination, next_cursor: seal.seal(pagination.next_cursor) } };
  };
  app.addHook('onRoute', (route) => {
    const { querystring } = route.schema ?? {};
    if (!(querystring instanceof z.ZodObject) || !('cursor' in querystring.shape)) return;
    const before = [route.preHandler ?? []].flat();
    // Fastify derives the HEAD route from the GET route, which already has the hooks.
    if (before.includes(open)) return;
    route.preHandler = [open, ...before];
    route.preSerialization = [...[route.preSerialization ?? []].flat(), close];
  });
}
