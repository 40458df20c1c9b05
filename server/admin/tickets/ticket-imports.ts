import multipart from '@fastify/multipart';
import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { ImportedTickets } from '../../../core/tickets/imported-tickets.ts';
import { MAX_EXPORT_BYTES, TicketImports } from '../../../core/tickets/ticket-imports.ts';
import { assertKnownAudience } from '../../../core/workspaces/workspaces.ts';
import { ArrivingFile, acceptArrivingFile } from '../../multipart-form.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, noContentSchema } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { modelChoices } from '../evaluation/ask.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';
import { importParamsSchema, importSchema, presentImport, presentReport, reportSchema } from './schema.ts';

/** Registers the routes for imports of tickets. */
export function ticketImportRoutes(app: TypedApp, runtime: Runtime): void {
  const { clock, queue, log } = runtime;
  const imports = new TicketImports({ database: runtime.database.kysely, clock, queue, log });
  const tickets = new ImportedTickets({ database: runtime.database.kysely, clock });
  app.register(async (scope: TypedApp) => {
    await scope.register(multipart, { throwFileSizeLimit: false });
    createImport(scope, runtime, imports);
  });
  listImports(app, imports);
  getImport(app, imports, tickets);
  cancelImport(app, imports);
  deleteImport(app, imports);
}

const createImportSchema = {
  ...operatorRoute,
  summary: 'Import tickets of another help desk',
  operationId: 'createTicketImport',
  description:
    'Takes an export of at most 100 MB: a mailbox (mbox), or JSON or NDJSON of tickets with their comments (Zendesk) or of conversations with their parts (Intercom) or messages (Chatwoot). In the background, the first question of each ticket is answered with today’s documents and compared with what the agent wrote. Nothing is sent, counted or fired. Texts are stored masked, and are deleted after 90 days or as soon as conversations are.',
  params: workspaceParamsSchema,
  querystring: z.object({
    model: z.string().min(1).max(200).optional().meta({
      description: "`provider:model`, or `none` to quote documents. Without it: the workspace's own.",
    }),
    audience: z
      .preprocess(
        (value) => (typeof value === 'string' ? [value] : value),
        z.array(z.string().max(64)).max(20),
      )
      .optional()
      .meta({ description: 'Whom the questions are answered for.' }),
  }),
  consumes: ['multipart/form-data'],
  body: z.object({ file: z.instanceof(ArrivingFile).meta({ type: 'string', format: 'binary' }) }),
  response: {
    202: importSchema,
    ...errorResponses(
      'workspace_not_found',
      'invalid_multipart',
      'invalid_audience',
      'unknown_model',
      'ticket_import_running',
      'too_many_ticket_imports',
    ),
  },
};

function createImport(app: TypedApp, runtime: Runtime, imports: TicketImports): void {
  const options = {
    schema: createImportSchema,
    bodyLimit: MAX_EXPORT_BYTES + 64 * 1024,
    preValidation: acceptArrivingFile(MAX_EXPORT_BYTES),
    ...needs('knowledge:write'),
  };
  app.post('/ticket-imports', options, async (request, reply) => {
    const workspace = requestWorkspace.get(request);
    const { model = null, audience = [] } = request.query;
    const { file } = request.body;
    assertKnownAudience(workspace, audience);
    if (model !== null && !modelChoices(runtime, workspace).includes(model))
      throw new AppError('unknown_model');
    const created = await imports.create({
      ...{ workspaceId: workspace.id, fileName: file.name, audience, model },
      startedBy: requestActor.get(request).identity.name,
      chunks: file.chunks(),
      isTruncated: () => file.isTruncated,
    });
    return reply.code(202).send(presentImport(created));
  });
}

const listImportsSchema = {
  ...operatorRoute,
  summary: 'List the imports of tickets, newest first',
  operationId: 'listTicketImports',
  description: 'Returns the imports in pages. The counts of an import that is going grow.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema,
  response: {
    200: z.object({ imports: z.array(importSchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found'),
  },
};

function listImports(app: TypedApp, imports: TicketImports): void {
  app.get('/ticket-imports', { schema: listImportsSchema, ...needs('knowledge:read') }, async (request) => {
    const page = await imports.list(requestWorkspace.get(request).id, request.query);
    return { imports: page.items.map(presentImport), pagination: presentPagination(page) };
  });
}

const getImportSchema = {
  ...operatorRoute,
  summary: 'Show an import of tickets with its report',
  operationId: 'getTicketImport',
  description: 'Returns the import with the shares that its counts and the judgements of people amount to.',
  params: importParamsSchema,
  response: {
    200: importSchema.extend({ report: reportSchema }).meta({ id: 'ReportedTicketImport' }),
    ...errorResponses('workspace_not_found', 'ticket_import_not_found'),
  },
};

function getImport(app: TypedApp, imports: TicketImports, tickets: ImportedTickets): void {
  const path = '/ticket-imports/:import_id';
  app.get(path, { schema: getImportSchema, ...needs('knowledge:read') }, async (request) => {
    const workspaceId = requestWorkspace.get(request).id;
    const { import_id: importId } = request.params;
    const found = await imports.get(workspaceId, importId);
    const judged = await tickets.countJudgements({ workspaceId, importId });
    return { ...presentImport(found), report: presentReport(found, judged) };
  });
}

const cancelImportSchema = {
  ...operatorRoute,
  summary: 'Cancel an import of tickets',
  operationId: 'cancelTicketImport',
  description:
    'Ends an import that is going and keeps what it has answered. One that has ended stays as it is.',
  params: importParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'ticket_import_not_found') },
};

function cancelImport(app: TypedApp, imports: TicketImports): void {
  const path = '/ticket-imports/:import_id/cancel';
  app.post(path, { schema: cancelImportSchema, ...needs('knowledge:write') }, async (request, reply) => {
    await imports.cancel(requestWorkspace.get(request).id, request.params.import_id);
    return reply.code(204).send();
  });
}

const deleteImportSchema = {
  ...operatorRoute,
  summary: 'Delete an import of tickets',
  operationId: 'deleteTicketImport',
  description: 'Deletes the import with its tickets, answers and judgements.',
  params: importParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'ticket_import_not_found') },
};

function deleteImport(app: TypedApp, imports: TicketImports): void {
  const path = '/ticket-imports/:import_id';
  app.delete(path, { schema: deleteImportSchema, ...needs('knowledge:write') }, async (request, reply) => {
    await imports.delete(requestWorkspace.get(request).id, request.params.import_id);
    return reply.code(204).send();
  });
}
