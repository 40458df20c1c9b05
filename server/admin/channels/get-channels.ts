import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { publicBase } from '../../nlweb/public-base.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { pageQuerySchema } from '../../schemas/page-query-schema.ts';
import { paginationSchema } from '../../schemas/pagination-schema.ts';
import { presentPagination } from '../../schemas/present-pagination.ts';
import type { TypedApp } from '../../typed-app.ts';
import { addressedWorkspace } from '../addressed-workspace.ts';
import { operatorRoute } from '../operator-route.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';
import { channelSchema } from './channel-schema.ts';
import { presentChannel } from './present-channel.ts';

const schema = {
  ...operatorRoute,
  summary: 'List the channels of a workspace, newest first',
  operationId: 'listChannels',
  description: 'Returns the channels of the workspace with their state, without their credentials.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema,
  response: {
    200: z.object({ channels: z.array(channelSchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found'),
  },
};

/** `GET /admin/v1/workspaces/{workspace_id}/channels`. */
export function getChannels(app: TypedApp, { channels, config }: Runtime): void {
  app.get('/channels', { schema }, async (request) => {
    const page = await channels.list(addressedWorkspace.of(request).id, request.query);
    const base = publicBase(config, request);
    const shown = page.items.map((channel) => presentChannel(channel, base));
    return { channels: shown, pagination: presentPagination(page) };
  });
}
