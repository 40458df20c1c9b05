import type { z } from 'zod';
import type { ConversationFilters } from '../../../core/conversations/conversation-filters.ts';
import type { listQuerySchema } from './list-query-schema.ts';

type FilterQuery = Omit<z.output<typeof listQuerySchema>, 'workspace_id' | 'limit' | 'cursor'>;

/** The filters of a list in the words of the core. */
export function readFilters(query: FilterQuery): Omit<ConversationFilters, 'workspaceId'> {
  return {
    channel: query.channel,
    status: query.status,
    tags: [...new Set(query.tag)].sort(),
    since: query.since,
    until: query.until,
    updatedSince: query.updated_since,
    text: query.q,
    email: query.email,
    slaState: query.sla_state,
    feedback: query.feedback,
  };
}
