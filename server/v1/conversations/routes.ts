import { z } from 'zod';
import { createAccountFinder } from '../../../core/channels/channel-accounts.ts';
import type { ConversationFilters } from '../../../core/conversations/inbox/conversation-filters.ts';
import type { InboxUser } from '../../../core/conversations/inbox/find-conversation.ts';
import type { ConversationChange, NewNote } from '../../../core/conversations/plan-change.ts';
import { AppError } from '../../../core/errors.ts';
import { findWorkspaceForKey } from '../../../core/limits/admission.ts';
import { findReplyWindow } from '../../../core/outbound/reply-window.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { keyAdmission } from '../../plugins/admission.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, noContentSchema, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { presentConversation, presentConversationView, presentMessage, presentNote } from './present.ts';
import {
  conversationChangeSchema,
  conversationListSchema,
  conversationParamsSchema,
  conversationSchema,
  conversationViewSchema,
  feedbackBodySchema,
  messageSchema,
  noteBodySchema,
  noteSchema,
} from './schema.ts';

/** What the descriptions of all conversation routes have in common. */
const conversationRoute = { tags: ['Conversations'], security: [{ apiKey: [] }] };

/** What agents do with conversations. */
export function conversationRoutes(app: TypedApp, runtime: Runtime): void {
  listConversations(app, runtime);
  getConversation(app, runtime);
  listMessages(app, runtime);
  postFeedback(app, runtime);
  postNote(app, runtime);
  patchConversation(app, runtime);
  deleteConversation(app, runtime);
}

const listConversationsSchema = {
  ...conversationRoute,
  operationId: 'listConversations',
  description:
    'Returns the conversations that match all given filters. Pages neither skip nor repeat conversations when messages arrive between requests.',
  summary: 'List the conversations of a workspace, latest activity first',
  querystring: conversationListSchema,
  response: {
    200: z.object({ conversations: z.array(conversationSchema), pagination: paginationSchema }),
    ...errorResponses('workspace_access_denied', 'workspace_not_found'),
  },
};

/** `GET /v1/conversations`. */
function listConversations(app: TypedApp, { workspaces, inbox }: Runtime): void {
  app.get('/conversations', { schema: listConversationsSchema }, async (request) => {
    const { workspace_id, limit, cursor, ...filters } = request.query;
    const workspace = await findWorkspaceForKey(workspaces, keyAdmission.get(request).holder, workspace_id);
    const page = await inbox.list({ workspace, filters: parseFilters(filters), page: { limit, cursor } });
    return {
      conversations: page.items.map(presentConversation),
      pagination: presentPagination(page),
    };
  });
}

const getConversationSchema = {
  ...conversationRoute,
  operationId: 'getConversation',
  description:
    'Returns the conversation with its whole history, its internal notes and its audit log, all of one moment. Use `listMessages` to page through a long one.',
  summary: 'Read a conversation with its messages, notes and changes',
  params: conversationParamsSchema,
  response: { 200: conversationViewSchema, ...errorResponses('conversation_not_found') },
};

/** `GET /v1/conversations/{conversation_id}`. */
function getConversation(app: TypedApp, runtime: Runtime): void {
  const dependencies = { ...runtime, findAccount: createAccountFinder(runtime) };
  app.get('/conversations/:conversation_id', { schema: getConversationSchema }, async (request) => {
    const view = await runtime.inbox.get(toInboxUser(request), request.params.conversation_id);
    const { id: conversationId, workspaceId } = view;
    return presentConversationView(
      view,
      await findReplyWindow(dependencies, { workspaceId, conversationId }),
    );
  });
}

const listMessagesSchema = {
  ...conversationRoute,
  operationId: 'listMessages',
  description:
    "Returns the messages of the conversation in pages, oldest first unless `order` is `desc`. Answers and replies carry their delivery to the visitor's platform.",
  summary: 'List the messages of a conversation',
  params: conversationParamsSchema,
  querystring: pageQuerySchema.extend({
    limit: pageQuerySchema.shape.limit.default(50),
    order: z.enum(['asc', 'desc']).default('asc').meta({ description: 'asc: oldest first.' }),
  }),
  response: {
    200: z.object({ messages: z.array(messageSchema), pagination: paginationSchema }),
    ...errorResponses('conversation_not_found'),
  },
};

/** `GET /v1/conversations/{conversation_id}/messages`. */
function listMessages(app: TypedApp, { inbox }: Runtime): void {
  app.get('/conversations/:conversation_id/messages', { schema: listMessagesSchema }, async (request) => {
    const page = await inbox.messages(toInboxUser(request), request.params.conversation_id, request.query);
    return { messages: page.items.map(presentMessage), pagination: presentPagination(page) };
  });
}

const postFeedbackSchema = {
  ...conversationRoute,
  operationId: 'giveFeedback',
  description:
    "Stores the visitor's opinion of an answer. The latest opinion counts, and sending the same one again changes nothing. Webhooks receive `message.feedback`.",
  summary: 'Say what the visitor thinks of an answer',
  params: conversationParamsSchema.extend({
    message_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('message_not_found')),
  }),
  body: feedbackBodySchema,
  response: { 200: messageSchema, ...errorResponses('conversation_not_found', 'message_not_found') },
};

/** `POST /v1/conversations/{conversation_id}/messages/{message_id}/feedback`. */
function postFeedback(app: TypedApp, { inbox }: Runtime): void {
  app.post(
    '/conversations/:conversation_id/messages/:message_id/feedback',
    { schema: postFeedbackSchema },
    async (request) => {
      const { params, body } = request;
      const judged = await inbox.judge(toInboxUser(request), {
        conversationId: params.conversation_id,
        messageId: params.message_id,
        value: body.value,
        comment: body.comment || null,
      });
      return presentMessage(judged);
    },
  );
}

const postNoteSchema = {
  ...conversationRoute,
  operationId: 'addNote',
  description:
    'Adds a note that agents see and visitors never do. The author is the name of the API key unless `author_email` is given.',
  summary: 'Add an internal note, which no visitor sees',
  params: conversationParamsSchema,
  body: noteBodySchema,
  response: {
    201: noteSchema,
    ...errorResponses('conversation_not_found'),
  },
};

/** `POST /v1/conversations/{conversation_id}/notes`. */
function postNote(app: TypedApp, { inbox }: Runtime): void {
  app.post('/conversations/:conversation_id/notes', { schema: postNoteSchema }, async (request, reply) => {
    const { conversation_id } = request.params;
    const note = await inbox.addNote(toInboxUser(request), conversation_id, parseNote(request.body));
    return reply.code(201).send(presentNote(note));
  });
}

const patchConversationSchema = {
  ...conversationRoute,
  operationId: 'updateConversation',
  description:
    'Changes only the fields that are sent. Each change is written to the audit log and sent to webhooks that subscribe to it. `tags` replaces all tags, `internal_notes` are added to those there are. `snoozed` needs `snooze_until`.',
  summary: 'Change a conversation; each change is told in its audit log',
  params: conversationParamsSchema,
  body: conversationChangeSchema,
  response: {
    200: conversationViewSchema,
    ...errorResponses('conversation_not_found'),
  },
};

/** `PATCH /v1/conversations/{conversation_id}`. */
function patchConversation(app: TypedApp, runtime: Runtime): void {
  const dependencies = { ...runtime, findAccount: createAccountFinder(runtime) };
  app.patch('/conversations/:conversation_id', { schema: patchConversationSchema }, async (request) => {
    const { conversation_id } = request.params;
    const change = parseChange(request.body);
    const view = await runtime.inbox.change(toInboxUser(request), conversation_id, change);
    const { id: conversationId, workspaceId } = view;
    return presentConversationView(
      view,
      await findReplyWindow(dependencies, { workspaceId, conversationId }),
    );
  });
}

const deleteConversationSchema = {
  ...conversationRoute,
  operationId: 'deleteConversation',
  description:
    'Deletes the conversation with its messages and notes. The audit log is kept and stays readable by the operator. This cannot be undone.',
  summary: 'Delete a conversation with its messages and notes; what was told of its changes is kept',
  params: conversationParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('conversation_not_found') },
};

/** `DELETE /v1/conversations/{conversation_id}`. */
function deleteConversation(app: TypedApp, { inbox }: Runtime): void {
  app.delete(
    '/conversations/:conversation_id',
    { schema: deleteConversationSchema },
    async (request, reply) => {
      await inbox.delete(toInboxUser(request), request.params.conversation_id);
      return reply.code(204).send();
    },
  );
}

/** Whoever holds the request's API key: they act under its name. */
function toInboxUser(request: object): InboxUser {
  const { name, workspace } = keyAdmission.get(request).holder;
  return { ownerId: workspace.owner, name };
}

type FilterQuery = Omit<z.output<typeof conversationListSchema>, 'workspace_id' | 'limit' | 'cursor'>;

/** The filters of a list in the words of the core. */
function parseFilters(query: FilterQuery): Omit<ConversationFilters, 'workspaceId'> {
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

/** A change in the words of the core. Throws `missing_field` for one of nothing, and for a snooze without an end. */
function parseChange(body: z.output<typeof conversationChangeSchema>): ConversationChange {
  const change = {
    status: body.status,
    snoozeUntil: body.snooze_until ?? undefined,
    tags: body.tags,
    priority: body.priority,
    customer: body.customer,
    notes: body.internal_notes?.map(parseNote),
  };
  if (Object.values(change).every((part) => part === undefined)) {
    const detail = 'One of status, tags, priority, internal_notes, customer and snooze_until is required.';
    throw new AppError('missing_field', { detail });
  }
  if (change.status === 'snoozed' && change.snoozeUntil === undefined) {
    throw new AppError('missing_field', { detail: 'snooze_until is required for the status snoozed.' });
  }
  return change;
}

/** A note to be added, in the words of the core. */
function parseNote({ content, author_email }: z.output<typeof noteBodySchema>): NewNote {
  return { content, authorEmail: author_email ?? undefined };
}
