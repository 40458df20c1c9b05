import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import { createAccountFinder } from '../../../core/channels/accounts/channel-accounts.ts';
import { findReplyWindow } from '../../../core/channels/outbound/reply-window.ts';
import { addNote, changeConversation, changeNote, deleteNote, markSeen } from '../../../core/inbox/desk.ts';
import { readConversation, readTimeline } from '../../../core/inbox/read.ts';
import { suggestReply } from '../../../core/inbox/suggest.ts';
import type { StorageServices } from '../../../core/runtime/open-storage.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs } from '../../plugins/operator-access.ts';
import { presentAuditEntry } from '../../schemas/audit-entry.ts';
import { boundedString, emailSchema } from '../../schemas/fields.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, noContentSchema, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { presentSource } from '../../v1/query/present.ts';
import { sourceSchema } from '../../v1/query/schema.ts';
import { operatorRoute, requestWorkspace } from '../operator-route.ts';
import {
  conversationParamsSchema,
  handlingChangeSchema,
  inboxConversationSchema,
  inboxNoteSchema,
  presentInboxConversation,
  presentInboxNote,
  presentTimelineEntry,
  timelineEntrySchema,
  toHandlingChange,
  toInboxActor,
  toPerson,
  toReader,
} from './schema.ts';

/** Registers the routes with which agents read and work on one conversation. */
export function deskRoutes(app: TypedApp, runtime: Runtime): void {
  getConversation(app, runtime);
  listMessages(app, runtime);
  patchConversation(app, runtime);
  putSeen(app, runtime);
  postNote(app, runtime);
  patchNote(app, runtime);
  removeNote(app, runtime);
  postSuggestion(app, runtime);
}

const found = errorResponses('workspace_not_found', 'conversation_not_found');

const getConversationSchema = {
  ...operatorRoute,
  operationId: 'openConversation',
  summary: 'Read what the inbox shows beside the messages of a conversation',
  description:
    'Returns the customer, the clocks of the SLA, the summary, the drafts of the caller and earlier conversations.',
  params: conversationParamsSchema,
  querystring: z.object({
    audit: z.enum(['true', 'false']).default('false').meta({ description: 'With the latest changes.' }),
  }),
  response: { 200: inboxConversationSchema, ...found },
};

function getConversation(app: TypedApp, runtime: Runtime): void {
  const present = conversationPresenter(runtime);
  app.get(
    '/conversations/:conv_id',
    { schema: getConversationSchema, ...needs('inbox:read') },
    async (request) => {
      const { conv_id } = request.params;
      const shown = await present(request, conv_id);
      if (request.query.audit === 'false') return shown;
      const { items } = await runtime.inbox.auditLog(requestWorkspace.get(request).id, conv_id, {
        limit: 100,
      });
      return { ...shown, audit_log: items.map(presentAuditEntry) };
    },
  );
}

function conversationPresenter(runtime: Runtime) {
  const dependencies = { ...runtime, findAccount: createAccountFinder(runtime) };
  return async (request: Parameters<typeof toReader>[0], conversationId: string) => {
    const reader = toReader(request, runtime.clock.now());
    const conversation = await readConversation(runtime.database.kysely, reader, conversationId);
    const { workspaceId } = reader;
    return presentInboxConversation(
      conversation,
      await findReplyWindow(dependencies, { workspaceId, conversationId }),
    );
  };
}

const listMessagesSchema = {
  ...operatorRoute,
  operationId: 'readTimeline',
  summary: 'List the messages, notes and changes of a conversation, newest first',
  description:
    'Returns what happened in the conversation. Answers and replies have the delivery of each of their parts.',
  params: conversationParamsSchema,
  querystring: pageQuerySchema.extend({ limit: pageQuerySchema.shape.limit.default(50) }),
  response: {
    200: z.object({ entries: z.array(timelineEntrySchema), pagination: paginationSchema }),
    ...found,
  },
};

function listMessages(app: TypedApp, { database }: StorageServices): void {
  app.get(
    '/conversations/:conv_id/messages',
    { schema: listMessagesSchema, ...needs('inbox:read') },
    async (request) => {
      const { id } = requestWorkspace.get(request);
      const page = await readTimeline(database.kysely, id, request.params.conv_id, request.query);
      return { entries: page.items.map(presentTimelineEntry), pagination: presentPagination(page) };
    },
  );
}

const patchConversationSchema = {
  ...operatorRoute,
  operationId: 'changeConversation',
  summary: 'Change a conversation as an agent',
  description:
    'Changes only the fields that are sent. Each change is written to the audit log and sent to webhooks that subscribe to it. The status `snoozed` requires `snooze_until`.',
  params: conversationParamsSchema,
  body: handlingChangeSchema
    .extend({
      customer: z
        .object({
          email: emailSchema.nullable(),
          name: boundedString({ max: 200 }).nullable(),
          phone: boundedString({ max: 64 }).nullable(),
        })
        .partial(),
    })
    .partial()
    .meta({ examples: [{ status: 'claimed', priority: 'high' }] }),
  response: {
    200: inboxConversationSchema,
    ...errorResponses('workspace_not_found', 'conversation_not_found'),
  },
};

function patchConversation(app: TypedApp, runtime: Runtime): void {
  const present = conversationPresenter(runtime);
  const findAccount = createAccountFinder(runtime);
  const stores = { ...runtime, database: runtime.database.kysely, findAccount };
  app.patch(
    '/conversations/:conv_id',
    { schema: patchConversationSchema, ...needs('inbox:reply') },
    async (request) => {
      const { customer, ...handling } = request.body;
      if (Object.values(request.body).every((value) => value === undefined)) {
        throw new AppError('missing_field', { detail: 'Nothing to change. Send at least one field.' });
      }
      const change = { ...toHandlingChange(handling), customer };
      await changeConversation(stores, toInboxActor(request), request.params.conv_id, change);
      return present(request, request.params.conv_id);
    },
  );
}

const putSeenSchema = {
  ...operatorRoute,
  operationId: 'markSeen',
  summary: 'Store what the caller has read of a conversation',
  description:
    'The mark only moves forward, so that an old tab unmarks nothing, unless `back` is true: then later messages are unread again.',
  params: conversationParamsSchema,
  body: z
    .object({
      position: z.int().min(-1).optional().meta({
        description: 'The position of the last message that was seen. Absent: the last one of all. -1: none.',
      }),
      back: z.boolean().default(false),
    })
    .meta({ examples: [{ position: 5 }] }),
  response: { 200: z.object({ position: z.int() }), ...found },
};

function putSeen(app: TypedApp, { database, clock }: Runtime): void {
  const stores = { database: database.kysely, clock };
  app.put(
    '/conversations/:conv_id/seen',
    { schema: putSeenSchema, ...needs('inbox:read') },
    async (request) => ({
      position: await markSeen(stores, toPerson(request), request.params.conv_id, request.body),
    }),
  );
}

const noteBodySchema = z
  .object({
    content: boundedString({ min: 1, max: 10_000 }, z.string().trim()),
    mentions: z.array(z.string().max(100)).max(50).default([]).meta({ description: 'Ids of people.' }),
  })
  .meta({ examples: [{ content: 'The customer called, too.' }] });

const postNoteSchema = {
  ...operatorRoute,
  operationId: 'writeNote',
  summary: 'Add a note that visitors never see',
  description: 'Adds a note by the caller and deletes the draft that it was.',
  params: conversationParamsSchema,
  body: noteBodySchema,
  response: { 201: inboxNoteSchema, ...found },
};

function postNote(app: TypedApp, { database, clock }: Runtime): void {
  const stores = { database: database.kysely, clock };
  app.post(
    '/conversations/:conv_id/notes',
    { schema: postNoteSchema, ...needs('inbox:reply') },
    async (request, reply) => {
      const note = await addNote(stores, toInboxActor(request), request.params.conv_id, request.body);
      return reply.code(201).send(presentInboxNote(note));
    },
  );
}

const noteParamsSchema = conversationParamsSchema.extend({
  note_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('note_not_found')),
});

const noteErrors = errorResponses('workspace_not_found', 'note_not_found', 'not_your_note');

const patchNoteSchema = {
  ...operatorRoute,
  operationId: 'changeNote',
  summary: "Change one of the caller's own notes",
  description: 'Replaces the text and the mentions.',
  params: noteParamsSchema,
  body: noteBodySchema,
  response: { 200: inboxNoteSchema, ...noteErrors },
};

function patchNote(app: TypedApp, { database, clock }: Runtime): void {
  const stores = { database: database.kysely, clock };
  const path = '/conversations/:conv_id/notes/:note_id';
  app.patch(path, { schema: patchNoteSchema, ...needs('inbox:reply') }, async (request) => {
    const { conv_id: id, note_id: noteId } = request.params;
    return presentInboxNote(await changeNote(stores, toInboxActor(request), { id, noteId }, request.body));
  });
}

const deleteNoteSchema = {
  ...operatorRoute,
  operationId: 'deleteNote',
  summary: "Delete one of the caller's own notes",
  description: 'The audit log keeps that there was one.',
  params: noteParamsSchema,
  response: { 204: noContentSchema, ...noteErrors },
};

function removeNote(app: TypedApp, { database, clock }: Runtime): void {
  const stores = { database: database.kysely, clock };
  const path = '/conversations/:conv_id/notes/:note_id';
  app.delete(path, { schema: deleteNoteSchema, ...needs('inbox:reply') }, async (request, reply) => {
    const { conv_id: id, note_id: noteId } = request.params;
    await deleteNote(stores, toInboxActor(request), { id, noteId });
    return reply.code(204).send();
  });
}

const postSuggestionSchema = {
  ...operatorRoute,
  operationId: 'suggestReply',
  summary: 'Suggest a reply from the documents',
  description:
    'Answers what the visitor has asked last, since the last reply of a person, as the engine would, but without skills. Nothing is stored, sent or counted. Without a language model the suggestion quotes the documents. `text` is null if they contain no answer. If the visitor was told the answer already, it is returned with `told`.',
  params: conversationParamsSchema,
  querystring: z.object({
    again: z.enum(['true', 'false']).default('false').meta({
      description: 'Answers anew what the visitor was told already.',
    }),
  }),
  response: {
    200: z
      .object({
        text: z.string().nullable(),
        confidence: z.enum(['high', 'medium', 'low']),
        sources: z.array(sourceSchema),
        question: z.string().meta({
          description: 'What it answers. Empty if the visitor has asked nothing since the last reply.',
        }),
        message_id: z.string().nullable().meta({
          description: 'The last of them. The suggestion is outdated once there is a newer message.',
        }),
        written: z.boolean().meta({ description: 'Whether a language model wrote it.' }),
        told: z.boolean().meta({ description: 'Whether it is an answer that the visitor already has.' }),
      })
      .meta({ id: 'Suggestion' }),
    ...errorResponses('workspace_not_found', 'conversation_not_found', 'request_timeout'),
  },
};

const suggestionTimeoutMs = 30_000;

function postSuggestion(app: TypedApp, runtime: Runtime): void {
  app.post(
    '/conversations/:conv_id/suggestion',
    { schema: postSuggestionSchema, ...needs('inbox:reply') },
    async (request) => {
      const signal = AbortSignal.timeout(suggestionTimeoutMs);
      const suggested = suggestReply(runtime, {
        workspace: requestWorkspace.get(request),
        conversationId: request.params.conv_id,
        again: request.query.again === 'true',
        signal,
      }).catch((error: unknown) => {
        throw signal.aborted ? new AppError('request_timeout', { cause: error }) : error;
      });
      const { sources, messageId, isWritten, isTold, ...suggestion } = await suggested;
      return {
        ...suggestion,
        sources: sources.map(presentSource),
        message_id: messageId,
        written: isWritten,
        told: isTold,
      };
    },
  );
}
