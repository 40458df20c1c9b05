import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import { isMonthOver, issueReport } from '../../../core/insights/report/monthly-report.ts';
import { ReportKeys } from '../../../core/insights/report/report-keys.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs } from '../../plugins/operator-access.ts';
import { errorResponses, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';
import { timeZoneOf } from './request-scope.ts';

type Dependencies = Pick<Runtime, 'database' | 'clock' | 'config' | 'installation'>;

const reportSchema = {
  ...operatorRoute,
  summary: 'Issue the signed file of a month',
  operationId: 'issueMonthlyReport',
  description:
    'Returns a JSON file that this installation signs with Ed25519: the outcomes of the conversations that ended in the month, how visitors learned before the first answer that a machine answers, the calibration error of answers that visitors judged, and the addresses that data goes to with the present configuration. `is_final` is true from eight days after the month on, when no return changes an outcome any more. Verify it with `parley report verify`.',
  params: workspaceParamsSchema.extend({
    month: z
      .string()
      .refine((text) => /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text), withErrorCode('invalid_month')),
  }),
  response: {
    200: {
      description: 'The file.',
      content: { 'application/json': { schema: z.unknown().meta({ type: 'object' }) } },
    },
    ...errorResponses('workspace_not_found', 'invalid_month'),
  },
};

/** Registers the signed monthly files of a workspace. */
export function reportRoutes(app: TypedApp, { database, clock, config, installation }: Dependencies): void {
  const { secretBox } = installation;
  const keys = new ReportKeys({ database: database.kysely, secretBox, clock });
  app.get(
    '/insights/reports/:month',
    { schema: reportSchema, ...needs('usage:read') },
    async (request, reply) => {
      const workspace = requestWorkspace.get(request);
      const { month } = request.params;
      const now = clock.now();
      if (!isMonthOver(month, now)) throw new AppError('invalid_month');
      const file = await issueReport(
        { database: database.kysely, config, keys },
        { workspaceId: workspace.id, month, zone: timeZoneOf(workspace), now },
      );
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="parley-report-${month}.json"`)
        .header('cache-control', 'no-store')
        .serializer((text: string) => text)
        .send(file);
    },
  );
}
