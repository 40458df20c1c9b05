import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import { createAccountFinder } from '../../../core/channels/accounts/channel-accounts.ts';
import {
  type AgentMessage,
  findReplyToResend,
  sendAgentReply,
} from '../../../core/channels/outbound/agent-reply.ts';
import { fetchAttachment } from '../../../core/channels/outbound/fetch-attachment.ts';
import { conversationStatuses } from '../../../core/contract/conversation-values.ts';
import { requireAssignable } from '../../../core/inbox/desk.ts';
import type { Person } from '../../../core/members/members.ts';
import type { ConversationServices } from '../../../core/runtime/open-conversations.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { endSessions } from '../../../core/visitors/visitors.ts';
import { contentDisposition } from '../../files.ts';
import { requireScope } from '../../plugins/admission.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { auditEntrySchema, presentAuditEntry } from '../../schemas/audit-entry.ts';
import { boundedString, emailSchema } from '../../schemas/fields.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { presentAttachment, presentDelivery } from '../../v1/conversations/present.ts';
import { attachmentSchema, messageDeliverySchema } from '../../v1/conversations/schema.ts';
import { idempotencyHeadersSchema } from '../../v1/query/schema.ts';
import { operatorRoute, requestWorkspace } from '../operator-route.ts';
import { bulkRoutes } from './bulk.ts';
import { decisionRoutes } from './decision.ts';
import { deskRoutes } from './desk.ts';
import { draftRoutes } from './drafts.ts';
import { replyFileRoutes } from './files.ts';
import { inboxListRoutes } from './list.ts';
import { mentionRoutes } from './mentions.ts';
import { previewRoutes } from './preview.ts';
import {
  conversationParamsSchema,
  handlingChangeSchema,
  replyFileIdsSchema,
  toHandlingChange,
  toInboxActor,
} from './schema.ts';

/** Registers the operator's routes for a single conversation. */
export function conversationRoutes(app: TypedApp, runtime: Runtime): void {
  getAttachment(app, runtime);
  listAuditLog(app, runtime);
  postReply(app, runtime);
  replyFileRoutes(app, runtime);
  deleteSessions(app, runtime);
  deskRoutes(app, runtime);
  draftRoutes(app, runtime);
  inboxListRoutes(app, runtime);
  bulkRoutes(app, runtime);
  mentionRoutes(app, runtime);
  previewRoutes(app, runtime);
  decisionRoutes(app, runtime);
}

const listAuditLogSchema = {
  ...operatorRoute,
  operationId: 'listAuditLog',
  description:
    'Returns every change of the conversation with its author and time. The entries are kept after the conversation is deleted.',
  summary: 'List the changes of a conversation, newest first',
  params: conversationParamsSchema,
  querystring: pageQuerySchema,
  response: {
    200: z.object({ audit_log: z.array(auditEntrySchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found', 'conversation_not_found'),
  },
};

function listAuditLog(app: TypedApp, { inbox }: ConversationServices): void {
  app.get(
    '/conversations/:conv_id/audit-log',
    { schema: listAuditLogSchema, ...needs('inbox:read') },
    async (request) => {
      const workspace = requestWorkspace.get(request);
      const page = await inbox.auditLog(workspace.id, request.params.conv_id, request.query);
      return { audit_log: page.items.map(presentAuditEntry), pagination: presentPagination(page) };
    },
  );
}

/** A reply of an agent in a conversation. */
const replySchema = z
  .object({
    id: z.string(),
    role: z.literal('agent'),
    content: z.string(),
    author: z.string(),
    created_at: z.iso.datetime(),
    attachments: z.array(attachmentSchema).optional(),
    delivery: messageDeliverySchema.nullable().meta({
      description: 'Null if the conversation has no channel: the reply is stored, and nothing is sent.',
    }),
  })
  .meta({ id: 'AgentReply' });

const postReplySchema = {
  ...operatorRoute,
  operationId: 'replyAsAgent',
  description:
    'Stores the reply and sends it through the channel of the conversation. The first reply assigns the conversation to the agent: the engine no longer answers in it until the conversation is resolved or reopened. With an `Idempotency-Key`, a retry sends nothing again. `delivery` shows the state of the sending.',
  summary: "Reply to a visitor as an agent, in the visitor's channel",
  params: conversationParamsSchema,
  headers: idempotencyHeadersSchema,
  body: z
    .object({
      content: boundedString({ max: 4_000 }, z.string().trim()).optional().meta({
        description: 'The reply in Markdown. Required without `file_ids`.',
      }),
      file_ids: replyFileIdsSchema,
      resend_of: z.string().max(100).optional().meta({
        description:
          'The id of a reply, to send its text and files again. Then `content` and `file_ids` are absent.',
      }),
      author_email: emailSchema.optional().meta({
        description:
          'The email address of the agent. Required with the operator token and an API key; a signed-in person can only state their own.',
      }),
      after_message_id: z.string().max(100).optional().meta({
        description: 'The last message that the agent has seen: if there are newer ones, nothing is sent.',
      }),
      resolve: z.boolean().default(false).meta({ description: 'Resolves the conversation with the reply.' }),
      change: handlingChangeSchema
        .extend({ status: z.enum(conversationStatuses).exclude(['resolved']) })
        .partial()
        .meta({
          description:
            'What else changes with the reply. Nothing changes if the reply is refused, and nothing is sent if a change is. An API key also needs the scope conversations:write for it.',
        })
        .optional(),
    })
    .meta({ examples: [{ content: 'Your parcel is on its way.', author_email: 'ann@example.com' }] }),
  response: {
    201: replySchema,
    ...errorResponses(
      'workspace_not_found',
      'conversation_not_found',
      'channel_unreachable',
      'channel_window_closed',
      'conversation_moved_on',
      'duplicate_request_id',
      'invalid_idempotency_key',
      'attachment_not_found',
      'message_not_found',
      'too_many_reply_files',
      'files_not_possible',
      'no_public_address',
      'invalid_assignee_id',
      'invalid_snooze_until',
    ),
  },
};

function postReply(app: TypedApp, runtime: Runtime): void {
  const dependencies = { ...runtime, findAccount: createAccountFinder(runtime) };
  app.post(
    '/conversations/:conv_id/reply',
    { schema: postReplySchema, ...needs('inbox:reply', { scope: 'conversations:reply' }) },
    async (request, reply) => {
      const { body, params, headers } = request;
      const { person, key } = requestActor.get(request);
      if (key !== null && body.change !== undefined) requireScope(reply, key, 'conversations:write');
      const { content = '', file_ids: fileIds, resend_of: messageId } = body;
      const isEmpty = content === '' && fileIds.length === 0;
      if (isEmpty && messageId === undefined) {
        throw new AppError(body.content === undefined ? 'missing_field' : 'invalid_content', {
          detail: 'content is required without file_ids.',
        });
      }
      if (!isEmpty && messageId !== undefined) {
        throw new AppError('invalid_content', { detail: 'resend_of takes neither content nor file_ids.' });
      }
      const authorEmail = readAuthor(body.author_email, person);
      const change = body.change && toHandlingChange(body.change);
      await requireAssignable(runtime.database.kysely, toInboxActor(request), change?.assigneeId);
      const place = { workspaceId: requestWorkspace.get(request).id, conversationId: params.conv_id };
      const message = await sendAgentReply(dependencies, {
        ...place,
        ...(messageId === undefined
          ? { content, fileIds }
          : await findReplyToResend(runtime.database.kysely, { ...place, messageId })),
        authorEmail,
        personId: person?.id ?? null,
        keyName: key?.name,
        afterMessageId: body.after_message_id,
        resolves: body.resolve,
        change,
        requestKey: headers['idempotency-key'],
      });
      if (message.isReplay) reply.header('idempotency-replayed', 'true');
      return reply.code(201).send(presentReply(message));
    },
  );
}

/** The operator's token and an API key state the author. A person is the author of what they write. Throws `permission_denied`. */
function readAuthor(stated: string | undefined, person: Person | null): string {
  if (person === null) {
    if (stated !== undefined) return stated;
    throw new AppError('missing_field', {
      detail: 'author_email is required with the operator token and an API key.',
    });
  }
  if (stated === undefined || stated.toLowerCase() === person.email) return person.email;
  throw new AppError('permission_denied', {
    detail: 'You are the author of your replies. Only the operator token may state another author_email.',
  });
}

function presentReply({
  createdAt,
  delivery,
  attachments,
  isReplay: _,
  ...message
}: AgentMessage): z.output<typeof replySchema> {
  return {
    ...message,
    role: 'agent',
    created_at: createdAt.toISOString(),
    ...(attachments.length > 0 && { attachments: attachments.map(presentAttachment) }),
    delivery: presentDelivery(delivery),
  };
}

const deleteSessionsSchema = {
  ...operatorRoute,
  operationId: 'endSessions',
  description:
    'Ends all sessions of this visitor in the widget and on the hosted page. The messages are kept, but these sessions can no longer read them. A visitor who proves their identity can start a new session and sees them again.',
  summary: "End the sessions of a conversation's visitor on all devices",
  params: conversationParamsSchema,
  response: {
    200: z.object({ ended: z.int().meta({ description: 'The number of sessions that were ended.' }) }),
    ...errorResponses('workspace_not_found', 'conversation_not_found'),
  },
};

function deleteSessions(app: TypedApp, runtime: Runtime): void {
  app.delete(
    '/conversations/:conv_id/sessions',
    { schema: deleteSessionsSchema, ...needs('inbox:reply') },
    async (request) => ({
      ended: await endSessions(runtime, {
        workspaceId: requestWorkspace.get(request).id,
        conversationId: request.params.conv_id,
        actor: requestActor.get(request).identity,
      }),
    }),
  );
}

const attachmentIndexSchema = z
  .string()
  .refine((text) => /^\d{1,2}$/.test(text), withErrorCode('attachment_not_found'))
  .meta({ description: 'The position in `attachments` of the message, from 0.' });

const getAttachmentSchema = {
  ...operatorRoute,
  operationId: 'getAttachment',
  description:
    "Fetches the file from the channel's platform at the time of the request. Only files of agents, widgets and hosted pages are stored in this installation. Every file is served as a download, whatever its type.",
  summary: 'Fetch a file of a message',
  params: conversationParamsSchema.extend({
    message_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('attachment_not_found')),
    number: attachmentIndexSchema,
  }),
  response: {
    200: {
      description: 'The file.',
      content: {
        'application/octet-stream': { schema: z.unknown().meta({ type: 'string', format: 'binary' }) },
      },
    },
    ...errorResponses(
      'workspace_not_found',
      'conversation_not_found',
      'attachment_not_found',
      'attachment_unavailable',
    ),
  },
};

function getAttachment(app: TypedApp, runtime: Runtime): void {
  const dependencies = { ...runtime, findAccount: createAccountFinder(runtime) };
  const path = '/conversations/:conv_id/messages/:message_id/attachments/:number';
  app.get(path, { schema: getAttachmentSchema, ...needs('inbox:read') }, async (request, reply) => {
    const { conv_id, message_id, number: index } = request.params;
    const { body, contentType, name } = await fetchAttachment(dependencies, {
      workspaceId: requestWorkspace.get(request).id,
      conversationId: conv_id,
      messageId: message_id,
      index: Number(index),
    });
    return reply
      .header(
        'content-disposition',
        contentDisposition('attachment', name ?? `attachment-${index}${fileExtension(contentType)}`),
      )
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .type('application/octet-stream')
      .send(Buffer.from(body));
  });
}

/** Returns a file extension, because the operator's computer chooses the program by it. */
function fileExtension(contentType: string): string {
  const [, kind] = /^\w+\/([a-z0-9]{2,5})\b/.exec(contentType.toLowerCase()) ?? [];
  return kind === undefined ? '' : `.${kind}`;
}
