import { z } from 'zod';
import {
  csvFaults,
  MAX_CSV_ROWS,
  parseCuratedCsv,
  renderCuratedCsv,
} from '../../../core/knowledge/curated/curated-csv.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { boundedString } from '../../schemas/fields.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';

/** Registers the import and export of curated answers. */
export function curatedCsvRoutes(app: TypedApp, runtime: Runtime): void {
  importAnswers(app, runtime);
  exportAnswers(app, runtime);
}

const MAX_CSV_CHARACTERS = 1_500_000;

const importSchema = {
  ...operatorRoute,
  summary: 'Import curated answers from CSV',
  operationId: 'importCuratedAnswers',
  description: `Reads at most ${MAX_CSV_ROWS} rows with the columns question, phrasings (one a line), answer, action, audience (tags between commas) and valid_until; only question is required. A row with the question and audience of a stored answer replaces it. All rows are stored, or, if \`faults\` names any, none.`,
  params: workspaceParamsSchema,
  body: z
    .object({ csv: boundedString({ min: 1, max: MAX_CSV_CHARACTERS }) })
    .meta({ examples: [{ csv: 'question,answer\nCan I pay by invoice?,Yes.\n' }] }),
  response: {
    200: z.object({
      added: z.int(),
      changed: z.int(),
      faults: z.array(
        z.object({
          row: z.int().meta({ description: 'As a spreadsheet counts: the head is row 1.' }),
          code: z.enum(csvFaults),
          text: z.string().meta({ description: 'The text at fault.' }),
        }),
      ),
    }),
    ...errorResponses('workspace_not_found', 'too_many_curated_answers'),
  },
};

function importAnswers(app: TypedApp, { curatedAnswers }: Runtime): void {
  app.post(
    '/curated-answers/import',
    { schema: importSchema, bodyLimit: 4 * MAX_CSV_CHARACTERS, ...needs('knowledge:write') },
    async (request) => {
      const { id: workspaceId, settings } = requestWorkspace.get(request);
      const { answers, faults } = parseCuratedCsv(request.body.csv, settings.audiences ?? []);
      if (faults.length > 0) return { added: 0, changed: 0, faults: [...faults] };
      const actor = requestActor.get(request).identity;
      return { ...(await curatedAnswers.putAll({ workspaceId, actor }, answers)), faults: [] };
    },
  );
}

const exportSchema = {
  ...operatorRoute,
  summary: 'Export the curated answers as CSV',
  operationId: 'exportCuratedAnswers',
  description: 'Returns all curated answers, by question, in the form that the import reads.',
  params: workspaceParamsSchema,
  response: {
    200: {
      description: 'The answers as CSV in UTF-8.',
      content: { 'text/csv': { schema: z.unknown().meta({ type: 'string' }) } },
    },
    ...errorResponses('workspace_not_found'),
  },
};

function exportAnswers(app: TypedApp, { curatedAnswers }: Runtime): void {
  app.get(
    '/curated-answers.csv',
    { schema: exportSchema, ...needs('knowledge:read') },
    async (request, reply) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="curated-answers.csv"')
        .header('cache-control', 'no-store')
        .send(renderCuratedCsv(await curatedAnswers.all(requestWorkspace.get(request).id))),
  );
}
