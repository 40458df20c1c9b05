import type { FastifyInstance, preHandlerHookHandler, preSerializationHookHandler } from 'fastify';
import { z } from 'zod';
import { CursorSeal, type Page } from '../../core/pagination.ts';
import type { Runtime } from '../../core/runtime.ts';

/** The query parameters of every list. */
export const pageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().optional().meta({ description: 'next_cursor of the page before.' }),
});

/** Where the next page of a list begins. */
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
const pagedAnswer = z.looseObject({ pagination: z.looseObject({ next_cursor: z.string() }) });

/**
 * Routes of `app` whose query has a `cursor` take it with the seal of this installation (else `invalid_cursor`), and send
 * `pagination.next_cursor` with it. Call it before the first route is added.
 */
export function sealCursors(app: FastifyInstance, { installation }: Pick<Runtime, 'installation'>): void {
  const seal = new CursorSeal(installation.secretBox);
  const open: preHandlerHookHandler = async (request) => {
    const query = pagedQuery.safeParse(request.query).data;
    if (query !== undefined) request.query = { ...query, cursor: seal.open(query.cursor) };
  };
  const close: preSerializationHookHandler = async (_request, _reply, payload) => {
    const answer = pagedAnswer.safeParse(payload).data;
    if (answer === undefined) return payload;
    const { pagination } = answer;
    return { ...answer, pagination: { ...pagination, next_cursor: seal.seal(pagination.next_cursor) } };
  };
  app.addHook('onRoute', (route) => {
    const { querystring } = route.schema ?? {};
    if (!(querystring instanceof z.ZodObject) || !('cursor' in querystring.shape)) return;
    const before = [route.preHandler ?? []].flat();
    // The framework derives the HEAD route from the GET route, which has the hooks already.
    if (before.includes(open)) return;
    route.preHandler = [open, ...before];
    route.preSerialization = [...[route.preSerialization ?? []].flat(), close];
  });
}
