import { z } from 'zod';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { ImportedTickets } from '../../../core/tickets/imported-tickets.ts';
import { ticketJudgements, ticketVerdicts } from '../../../core/tickets/report.ts';
import { TicketImports } from '../../../core/tickets/ticket-imports.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace } from '../operator-route.ts';
import { importParamsSchema, presentTicket, ticketSchema } from './schema.ts';

/** Registers the routes for the tickets of imports. */
export function importedTicketRoutes(app: TypedApp, runtime: Runtime): void {
  const { clock, queue, log } = runtime;
  const database = runtime.database.kysely;
  const stores = {
    imports: new TicketImports({ database, clock, queue, log }),
    tickets: new ImportedTickets({ database, clock }),
  };
  listTickets(app, stores);
  getSample(app, stores);
  judgeTicket(app, stores);
}

interface Stores {
  readonly imports: TicketImports;
  readonly tickets: ImportedTickets;
}

const base = '/ticket-imports/:import_id';

const listTicketsSchema = {
  ...operatorRoute,
  summary: 'List the tickets of an import, newest first',
  operationId: 'listImportedTickets',
  description: 'Returns question, reply of the agent and answer side by side, in pages.',
  params: importParamsSchema,
  querystring: pageQuerySchema.extend({ verdict: z.enum(ticketVerdicts).optional() }),
  response: {
    200: z.object({ tickets: z.array(ticketSchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found', 'ticket_import_not_found'),
  },
};

function listTickets(app: TypedApp, { imports, tickets }: Stores): void {
  const options = { schema: listTicketsSchema, ...needs('knowledge:read') };
  app.get(`${base}/tickets`, options, async (request) => {
    const place = { workspaceId: requestWorkspace.get(request).id, importId: request.params.import_id };
    await imports.get(place.workspaceId, place.importId);
    const { verdict, ...page } = request.query;
    const found = await tickets.list(place, { verdict, ...page });
    return { tickets: found.items.map(presentTicket), pagination: presentPagination(found) };
  });
}

const MAX_UNJUDGED = 20;

const getSampleSchema = {
  ...operatorRoute,
  summary: 'Show the next tickets to judge',
  operationId: 'listUnjudgedTickets',
  description: `Returns tickets of the sample that nobody has judged, at most ${MAX_UNJUDGED}, in an order by chance. The sample is drawn when the import has finished.`,
  params: importParamsSchema,
  response: {
    200: z.object({ tickets: z.array(ticketSchema) }),
    ...errorResponses('workspace_not_found', 'ticket_import_not_found'),
  },
};

function getSample(app: TypedApp, { imports, tickets }: Stores): void {
  const options = { schema: getSampleSchema, ...needs('knowledge:read') };
  app.get(`${base}/unjudged`, options, async (request) => {
    const place = { workspaceId: requestWorkspace.get(request).id, importId: request.params.import_id };
    await imports.get(place.workspaceId, place.importId);
    return { tickets: (await tickets.listUnjudged(place, MAX_UNJUDGED)).map(presentTicket) };
  });
}

const judgeTicketSchema = {
  ...operatorRoute,
  summary: 'Judge the answer to an imported ticket',
  operationId: 'judgeImportedTicket',
  description:
    'Stores what a person says of the answer to a ticket that would have been answered. Judgements of sampled tickets correct the report.',
  params: importParamsSchema.extend({
    ticket_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('imported_ticket_not_found')),
  }),
  body: z
    .object({
      judgement: z.enum(ticketJudgements).nullable().meta({
        description:
          'agent_wrong: the answer is right though the agent wrote something else. unclear: it does not count. Null removes the judgement.',
      }),
    })
    .meta({ examples: [{ judgement: 'right' }] }),
  response: {
    200: ticketSchema,
    ...errorResponses('workspace_not_found', 'imported_ticket_not_found'),
  },
};

function judgeTicket(app: TypedApp, { tickets }: Stores): void {
  const options = { schema: judgeTicketSchema, ...needs('knowledge:write') };
  app.put(`${base}/tickets/:ticket_id/judgement`, options, async (request) => {
    const { import_id: importId, ticket_id: id } = request.params;
    const judged = await tickets.judge(
      { workspaceId: requestWorkspace.get(request).id, importId },
      { id, judgement: request.body.judgement, judgedBy: requestActor.get(request).identity.name },
    );
    return presentTicket(judged);
  });
}
