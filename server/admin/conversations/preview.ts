import { z } from 'zod';
import { requireConversation } from '../../../core/audit/audit-log.ts';
import { AppError } from '../../../core/base/errors.ts';
import type { OpenAccount } from '../../../core/channels/accounts/channel-account.ts';
import { createAccountFinder } from '../../../core/channels/accounts/channel-accounts.ts';
import {
  type AgentFile,
  findUnsentFiles,
  toAttachment,
} from '../../../core/channels/outbound/agent-files.ts';
import { renderAgentParts, requireFiles } from '../../../core/channels/outbound/agent-reply.ts';
import { findReplyLane } from '../../../core/channels/outbound/reply-window.ts';
import type { Json } from '../../../core/contract/account.ts';
import { markups } from '../../../core/contract/connector.ts';
import type { OutboundPart } from '../../../core/contract/outbound.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { boundedString } from '../../schemas/fields.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace } from '../operator-route.ts';
import { conversationParamsSchema, replyFileIdsSchema } from './schema.ts';

const partSchema = z.object({
  subject: z.string().nullable().meta({ description: 'The subject, if the channel has one.' }),
  text: z.string().meta({ description: 'The text with the markup of the platform, if it has one.' }),
  html: z.string().nullable().meta({ description: 'The part as HTML, if the platform takes HTML.' }),
  length: z.int().meta({ description: 'Characters of `text`.' }),
  file_ids: z.array(z.string()).meta({
    description:
      'The files that the platform shows with the part. For others, `text` has a line with a link.',
  }),
});

/** A text as a channel shows it. */
export const renderedSchema = z
  .object({
    parts: z.array(partSchema),
    limit: z.int().nullable().meta({
      description: 'The characters that one part may have. Null if the conversation has no channel.',
    }),
    markup: z.enum(markups).meta({ description: 'How `text` is marked up. single-marks: as in *bold*.' }),
  })
  .meta({ id: 'ReplyPreview' });

const postPreviewSchema = {
  ...operatorRoute,
  operationId: 'previewReply',
  summary: 'Show a reply as the channel will show it',
  description:
    'Renders the reply as it would be sent, split into the messages that the platform takes. Nothing is stored or sent. If the reply window has closed, returns the template of the channel.',
  params: conversationParamsSchema,
  body: z
    .object({
      content: boundedString({ max: 4_000 }, z.string().trim()).default(''),
      file_ids: replyFileIdsSchema,
    })
    .meta({ examples: [{ content: 'Your parcel is **on its way**.' }] }),
  response: {
    200: renderedSchema,
    ...errorResponses(
      'workspace_not_found',
      'conversation_not_found',
      'channel_unreachable',
      'channel_window_closed',
      'attachment_not_found',
      'files_not_possible',
      'no_public_address',
    ),
  },
};

/** Registers the route that renders a reply and sends nothing. */
export function previewRoutes(app: TypedApp, runtime: Runtime): void {
  const findAccount = createAccountFinder(runtime);
  app.post(
    '/conversations/:conv_id/reply-preview',
    { schema: postPreviewSchema, ...needs('inbox:reply') },
    async (request) => {
      const workspaceId = requestWorkspace.get(request).id;
      const { conv_id: conversationId } = request.params;
      const { content, file_ids: ids } = request.body;
      if (content === '' && ids.length === 0) throw new AppError('invalid_content');
      const { kysely } = runtime.database;
      const owner = { workspaceId, conversationId, personId: requestActor.get(request).person?.id ?? null };
      const lane = await findReplyLane(kysely, owner);
      if (lane === null) {
        await requireConversation(kysely, { workspaceId, id: conversationId });
        await findUnsentFiles(runtime, owner, ids);
        const part = { subject: null, text: content, html: null, length: content.length, file_ids: ids };
        return { parts: [part], limit: null, markup: 'markdown' as const };
      }
      const open = await findAccount(lane.channelId);
      if (open === null || !lane.isOpen) throw new AppError('channel_unreachable');
      if (ids.length > 0) requireFiles(open, runtime.config);
      const files = await findUnsentFiles(runtime, owner, ids);
      const attachments = files.map(toAttachment);
      const { to, heardAt } = lane;
      const now = runtime.clock.now();
      const parts = renderAgentParts(open, {
        id: 'msg_preview',
        content,
        attachments,
        to,
        heardAt,
        now,
      });
      return presentRendered(open, parts, files);
    },
  );
}

export function presentRendered(
  { connector }: Pick<OpenAccount, 'connector'>,
  parts: readonly OutboundPart[],
  files: readonly AgentFile[] = [],
): z.output<typeof renderedSchema> {
  return {
    parts: parts.map(({ content: sent }) =>
      presentPart(
        sent,
        files.filter(({ url }) => hasValue(sent, url)),
      ),
    ),
    limit: connector.manifest.limits.textChars,
    markup: connector.about.markup,
  };
}

/** The fields that hold the text for people in the form in which connectors keep what they send. */
const textFields = ['markdown', 'text', 'body'];

/** A connector that shows a file keeps its link as a value of its own. */
function hasValue(content: Json, value: string): boolean {
  if (content === value) return true;
  if (typeof content !== 'object' || content === null) return false;
  return Object.values(content).some((inner) => hasValue(inner, value));
}

function presentPart(content: Json, files: readonly AgentFile[]): z.output<typeof partSchema> {
  const fields = new Map(typeof content === 'object' && content !== null ? Object.entries(content) : []);
  const found = textFields.map((field) => fields.get(field)).find((value) => typeof value === 'string');
  const sentences: unknown = fields.get('sentences');
  const spoken = Array.isArray(sentences) ? sentences.filter((one) => typeof one === 'string').join(' ') : '';
  // Our own channels keep the text alone.
  const whole = typeof content === 'string' ? content : typeof found === 'string' ? found : spoken;
  // The caption is the name; its link is for a platform that cannot fetch the file.
  const isCaption = files.some(({ name, url }) => whole === name || whole.includes(url));
  const text = isCaption ? '' : whole;
  const html: unknown = isCaption ? null : fields.get('html');
  const subject: unknown = fields.get('subject');
  return {
    subject: typeof subject === 'string' ? subject : null,
    text,
    html: typeof html === 'string' ? html : null,
    length: text.length,
    file_ids: files.map(({ id }) => id),
  };
}
