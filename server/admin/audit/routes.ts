import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AuditEntry } from '../../../core/audit/audit-log.ts';
import {
  type AuditFilter,
  type AuditScope,
  listWorkspaceAudit,
} from '../../../core/audit/workspace-audit.ts';
import type { StorageServices } from '../../../core/runtime/open-storage.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { callerPermissions, needs, requestActor } from '../../plugins/operator-access.ts';
import { presentWorkspaceAuditEntry, workspaceAuditEntrySchema } from '../../schemas/audit-entry.ts';
import { renderCsvRow } from '../../schemas/csv.ts';
import { boundedString, timeSchema } from '../../schemas/fields.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';

const filterSchema = z.object({
  actor: boundedString({ min: 1, max: 200 })
    .optional()
    .meta({ description: 'The exact name of the person, API key or process.' }),
  action: z
    .string()
    .regex(/^[a-z_]{1,64}$/)
    .optional()
    .meta({ description: 'Such as member_invited.' }),
  since: timeSchema.optional().meta({ description: 'Returns entries at or after this time.' }),
  until: timeSchema.optional().meta({ description: 'Returns entries before this time.' }),
  conversations: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'Whether the entries of single conversations are returned as well.' }),
});

/** Registers `GET …/audit-log` and `GET …/audit-log.csv` below a workspace. */
export function auditRoutes(app: TypedApp, runtime: Runtime): void {
  listAudit(app, runtime);
  exportAudit(app, runtime);
}

const listSchema = {
  ...operatorRoute,
  operationId: 'listWorkspaceAuditLog',
  summary: 'List the changes of a workspace, newest first',
  description:
    'Includes the sign-ins of members and the receipts of erased persons. Changes of conversations are included with `conversations=true`; each conversation also has an audit log of its own.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema.extend(filterSchema.shape),
  response: {
    200: z.object({ audit_log: z.array(workspaceAuditEntrySchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found', 'invalid_actor', 'invalid_action', 'invalid_conversations'),
  },
};

function listAudit(app: TypedApp, { database }: StorageServices): void {
  app.get('/audit-log', { schema: listSchema, ...needs('audit:read') }, async (request) => {
    const page = await listWorkspaceAudit(
      database.kysely,
      readScope(request),
      readFilter(request.query),
      request.query,
    );
    return { audit_log: page.items.map(presentWorkspaceAuditEntry), pagination: presentPagination(page) };
  });
}

const exportSchema = {
  ...operatorRoute,
  operationId: 'exportWorkspaceAuditLog',
  summary: 'Export the changes of a workspace as CSV',
  description:
    'Returns all entries that fit the filters, newest first, with the columns at, actor, actor_id, action, conversation_id, details and id.',
  params: workspaceParamsSchema,
  querystring: filterSchema,
  response: {
    200: {
      description: 'The entries as CSV in UTF-8.',
      content: { 'text/csv': { schema: z.unknown().meta({ type: 'string' }) } },
    },
    ...errorResponses('workspace_not_found', 'invalid_actor', 'invalid_action', 'invalid_conversations'),
  },
};

function exportAudit(app: TypedApp, { database }: StorageServices): void {
  app.get('/audit-log.csv', { schema: exportSchema, ...needs('audit:read') }, async (request, reply) => {
    const scope = readScope(request);
    const filter = readFilter(request.query);
    const readPage = (cursor: string | undefined) =>
      listWorkspaceAudit(database.kysely, scope, filter, { limit: 100, cursor });
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="audit-log.csv"')
      .header('cache-control', 'no-store')
      .send(Readable.from(renderCsv(readPage)));
  });
}

async function* renderCsv(
  readPage: (cursor: string | undefined) => ReturnType<typeof listWorkspaceAudit>,
): AsyncGenerator<string> {
  yield renderCsvRow(['at', 'actor', 'actor_id', 'action', 'conversation_id', 'details', 'id']);
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const { items, nextCursor } = await readPage(cursor);
    yield items.map(renderEntry).join('');
    cursor = nextCursor;
  }
}

function renderEntry({ at, actor, actorId, action, conversationId, details, id }: AuditEntry): string {
  const cells = [at.toISOString(), actor, actorId ?? '', action, conversationId ?? ''];
  return renderCsvRow([...cells, JSON.stringify(details), id]);
}

/** Entries about the members of the owner are for callers who may see them. */
function readScope(request: FastifyRequest): AuditScope {
  const workspace = requestWorkspace.get(request);
  const maySeeMembers = callerPermissions(requestActor.get(request), workspace).includes('people:read');
  return { workspaceId: workspace.id, ownerId: maySeeMembers ? workspace.owner : null };
}

function readFilter({
  actor,
  action,
  since,
  until,
  conversations,
}: z.output<typeof filterSchema>): AuditFilter {
  return { actor, action, since, until, conversations: conversations === 'true' };
}
