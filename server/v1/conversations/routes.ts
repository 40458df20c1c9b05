import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import { createAccountFinder } from '../../../core/channels/accounts/channel-accounts.ts';
import { findReplyWindow } from '../../../core/channels/outbound/reply-window.ts';
import type { InboxUser } from '../../../core/conversations/inbox/find-conversation.ts';
import type { KeyFilters } from '../../../core/conversations/list/filters.ts';
import type { ConversationChange, NewNote } from '../../../core/conversations/plan-change.ts';
import { findWorkspaceForKey } from '../../../core/limits/admission.ts';
import type { ConversationServices } from '../../../core/runtime/open-conversations.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { testWorkspaceId } from '../../../core/workspaces/test-workspace.ts';
import { keyAdmission, needsScope } from '../../plugins/admission.ts';
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

/** Properties that all conversation routes share. */
const conversationRoute = { tags: ['Conversations'], security: [{ apiKey: [] }] };

/** Registers the routes for conversations. */
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
    'Returns the conversations that match all given filters. Pages neither skip nor repeat conversations if messages arrive between requests.',
  summary: 'List the conversations of a workspace, latest activity first',
  querystring: conversationListSchema,
  response: {
    200: z.object({ conversations: z.array(conversationSchema), pagination: paginationSchema }),
    ...errorResponses('workspace_access_denied', 'workspace_not_found'),
  },
};

function listConversations(app: TypedApp, { workspaces, inbox }: Runtime): void {
  app.get(
    '/conversations',
    { schema: listConversationsSchema, ...needsScope('conversations:read') },
    async (request) => {
      const { workspace_id, limit, cursor, ...filters } = request.query;
      const { holder } = keyAdmission.get(request);
      const named = await findWorkspaceForKey(workspaces, holder, workspace_id);
      const workspace = holder.mode === 'test' ? { id: testWorkspaceId(named.id), settings: {} } : named;
      const page = await inbox.list({ workspace, filters: parseFilters(filters), page: { limit, cursor } });
      return {
        conversations: page.items.map(presentConversation),
        pagination: presentPagination(page),
      };
    },
  );
}

const getConversationSchema = {
  ...conversationRoute,
  operationId: 'getConversation',
  description:
    'Returns the conversation with its complete history, its internal notes and its audit log, read at a single point in time. Use `listMessages` to page through a long conversation.',
  summary: 'Read a conversation with its messages, notes and changes',
  params: conversationParamsSchema,
  response: { 200: conversationViewSchema, ...errorResponses('conversation_not_found') },
};

function getConversation(app: TypedApp, runtime: Runtime): void {
  const dependencies = { ...runtime, findAccount: createAccountFinder(runtime) };
  app.get(
    '/conversations/:conversation_id',
    { schema: getConversationSchema, ...needsScope('conversations:read') },
    async (request) => {
      const view = await runtime.inbox.get(toInboxUser(request), request.params.conversation_id);
      const { id: conversationId, workspaceId } = view;
      return presentConversationView(
        view,
        await findReplyWindow(dependencies, { workspaceId, conversationId }),
      );
    },
  );
}

const listMessagesSchema = {
  ...conversationRoute,
  operationId: 'listMessages',
  description:
    "Returns the messages of the conversation in pages, oldest first unless `order` is `desc`. Answers and replies include the state of their delivery to the visitor's platform.",
  summary: 'List the messages of a conversation',
  params: conversationParamsSchema,
  querystring: pageQuerySchema.extend({
    limit: pageQuerySchema.shape.limit.default(50),
    order: z.enum(['asc', 'desc']).default('asc').meta({ description: 'asc returns the oldest first.' }),
  }),
  response: {
    200: z.object({ messages: z.array(messageSchema), pagination: paginationSchema }),
    ...errorResponses('conversation_not_found'),
  },
};

function listMessages(app: TypedApp, { inbox }: ConversationServices): void {
  app.get(
    '/conversations/:conversation_id/messages',
    { schema: listMessagesSchema, ...needsScope('conversations:read') },
    async (request) => {
      const page = await inbox.messages(toInboxUser(request), request.params.conversation_id, request.query);
      return { messages: page.items.map(presentMessage), pagination: presentPagination(page) };
    },
  );
}

const postFeedbackSchema = {
  ...conversationRoute,
  operationId: 'giveFeedback',
  description:
    "Stores the visitor's rating of an answer. The latest rating counts, and sending the same one again changes nothing. Webhooks receive `message.feedback`.",
  summary: 'Rate an answer on behalf of the visitor',
  params: conversationParamsSchema.extend({
    message_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('message_not_found')),
  }),
  body: feedbackBodySchema,
  response: { 200: messageSchema, ...errorResponses('conversation_not_found', 'message_not_found') },
};

function postFeedback(app: TypedApp, { inbox }: ConversationServices): void {
  app.post(
    '/conversations/:conversation_id/messages/:message_id/feedback',
    { schema: postFeedbackSchema, ...needsScope('query') },
    async (request) => {
      const { params, body } = request;
      const message = await inbox.judge(toInboxUser(request), {
        conversationId: params.conversation_id,
        messageId: params.message_id,
        value: body.value,
        comment: body.comment || null,
      });
      return presentMessage(message);
    },
  );
}

const postNoteSchema = {
  ...conversationRoute,
  operationId: 'addNote',
  description:
    'Adds a note that is visible to agents only. The author is the name of the API key unless `author_email` is given.',
  summary: 'Add an internal note that visitors never see',
  params: conversationParamsSchema,
  body: noteBodySchema,
  response: {
    201: noteSchema,
    ...errorResponses('conversation_not_found'),
  },
};

function postNote(app: TypedApp, { inbox }: ConversationServices): void {
  app.post(
    '/conversations/:conversation_id/notes',
    { schema: postNoteSchema, ...needsScope('conversations:write') },
    async (request, reply) => {
      const { conversation_id } = request.params;
      const note = await inbox.addNote(toInboxUser(request), conversation_id, parseNote(request.body));
      return reply.code(201).send(presentNote(note));
    },
  );
}

const patchConversationSchema = {
  ...conversationRoute,
  operationId: 'updateConversation',
  description:
    'Changes only the fields that are sent. Each change is written to the audit log and sent to webhooks that subscribe to it. `tags` replaces all tags, and `internal_notes` are appended to the existing ones. The status `snoozed` requires `snooze_until`.',
  summary: 'Change a conversation and record each change in its audit log',
  params: conversationParamsSchema,
  body: conversationChangeSchema,
  response: {
    200: conversationViewSchema,
    ...errorResponses('conversation_not_found'),
  },
};

function patchConversation(app: TypedApp, runtime: Runtime): void {
  const dependencies = { ...runtime, findAccount: createAccountFinder(runtime) };
  app.patch(
    '/conversations/:conversation_id',
    { schema: patchConversationSchema, ...needsScope('conversations:write') },
    async (request) => {
      const { conversation_id } = request.params;
      const change = parseChange(request.body);
      const view = await runtime.inbox.change(toInboxUser(request), conversation_id, change);
      const { id: conversationId, workspaceId } = view;
      return presentConversationView(
        view,
        await findReplyWindow(dependencies, { workspaceId, conversationId }),
      );
    },
  );
}

const deleteConversationSchema = {
  ...conversationRoute,
  operationId: 'deleteConversation',
  description:
    'Deletes the conversation with its messages and notes. The audit log is kept and stays readable by the operator. This cannot be undone.',
  summary: 'Delete a conversation with its messages and notes; its audit log is kept',
  params: conversationParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('conversation_not_found') },
};

function deleteConversation(app: TypedApp, { inbox }: ConversationServices): void {
  app.delete(
    '/conversations/:conversation_id',
    { schema: deleteConversationSchema, ...needsScope('conversations:write') },
    async (request, reply) => {
      await inbox.delete(toInboxUser(request), request.params.conversation_id);
      return reply.code(204).send();
    },
  );
}

/** The user who acts: the request's API key, under its name. A test key reaches test conversations and no others. */
function toInboxUser(request: object): InboxUser {
  const { name, workspace, workspaces, mode } = keyAdmission.get(request).holder;
  const isTest = mode === 'test';
  return {
    ownerId: workspace.owner,
    workspaceId: workspaces === 'own' ? (isTest ? testWorkspaceId(workspace.id) : workspace.id) : undefined,
    isTest,
    name,
  };
}

type FilterQuery = Omit<z.output<typeof conversationListSchema>, 'workspace_id' | 'limit' | 'cursor'>;

/** Equal filters give the same value, as a cursor is valid for these filters only. */
function parseFilters({ status, channel, priority, tag, metadata, ...query }: FilterQuery): KeyFilters {
  return {
    ...query,
    status: status === undefined ? undefined : [status],
    channel: channel === undefined ? undefined : [channel],
    priority: priority === undefined ? undefined : [priority],
    tag: [...new Set(tag ?? [])].sort(),
    metadata: metadata && Object.fromEntries(Object.entries(metadata).sort()),
    since: query.since?.toISOString(),
    until: query.until?.toISOString(),
    updated_since: query.updated_since?.toISOString(),
  };
}

/** Throws `missing_field` if the change is empty, and if a snooze has no end. */
function parseChange(body: z.output<typeof conversationChangeSchema>): ConversationChange {
  const change = {
    status: body.status,
    snoozeUntil: body.snooze_until ?? undefined,
    tags: body.tags,
    priority: body.priority,
    customer: body.customer,
    metadata: body.metadata,
    notes: body.internal_notes?.map(parseNote),
  };
  if (Object.values(change).every((part) => part === undefined)) {
    const detail =
      'At least one of status, tags, priority, internal_notes, customer, metadata and snooze_until is required.';
    throw new AppError('missing_field', { detail });
  }
  if (change.status === 'snoozed' && change.snoozeUntil === undefined) {
    throw new AppError('missing_field', { detail: 'snooze_until is required if status is snoozed.' });
  }
  return change;
}

function parseNote({ content, author_email }: z.output<typeof noteBodySchema>): NewNote {
  return { content, authorEmail: author_email ?? undefined };
}
