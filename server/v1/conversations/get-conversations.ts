import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { workspaceForKey } from '../../../core/workspaces/workspace-for-key.ts';
import { admitted } from '../../plugins/admitted.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { paginationSchema } from '../../schemas/pagination-schema.ts';
import { presentPagination } from '../../schemas/present-pagination.ts';
import type { TypedApp } from '../../typed-app.ts';
import { conversationRoute } from './conversation-route.ts';
import { conversationSchema } from './conversation-schema.ts';
import { listQuerySchema } from './list-query-schema.ts';
import { presentConversation } from './present-conversation.ts';
import { readFilters } from './read-filters.ts';

const schema = {
  ...conversationRoute,
  operationId: 'listConversations',
  description:
    'Returns the conversations that match all given filters. Pages neither skip nor repeat conversations when messages arrive between requests.',
  summary: 'List the conversations of a workspace, latest activity first',
  querystring: listQuerySchema,
  response: {
    200: z.object({ conversations: z.array(conversationSchema), pagination: paginationSchema }),
    ...errorResponses('workspace_access_denied', 'workspace_not_found'),
  },
};

/** `GET /v1/conversations`. */
export function getConversations(app: TypedApp, { workspaces, inbox }: Runtime): void {
  app.get('/conversations', { schema }, async (request) => {
    const { workspace_id, limit, cursor, ...filters } = request.query;
    const workspace = await workspaceForKey(workspaces, admitted.of(request).holder, workspace_id);
    const page = await inbox.list({ workspace, filters: readFilters(filters), page: { limit, cursor } });
    return {
      conversations: page.items.map(presentConversation),
      pagination: presentPagination(page),
    };
  });
}
