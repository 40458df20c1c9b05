import type { Intercom, IntercomClient } from 'intercom-client';
import { z } from 'zod';
import type { ConversationRef, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { SoughtPart } from '../../core/contract/facets.ts';
import type { Budget, OutboundPart, Receipt } from '../../core/contract/outbound.ts';
import { optionalField } from '../shared/http.ts';
import { escapeHtml } from '../shared/markdown/blocks.ts';
import { callIntercom, RefusalError } from './api-client.ts';
import { parseHtml } from './html.ts';
import { parseAddress, partMessageId, requireAdminId } from './identifiers.ts';
import type { IntercomAccount } from './manifest.ts';
import { type Part, parsePart } from './render.ts';

/** Intercom allows an app 10,000 calls a minute, in windows of ten seconds. An answer takes up to four calls. */
const APP_BUDGET: Budget = { key: 'all', everyMs: 25, burst: 100 };

export function budgets(): readonly Budget[] {
  return [APP_BUDGET];
}

type Call = (client: IntercomClient) => Promise<Intercom.Conversation>;

const replyResponseSchema = z.object({
  id: z.string(),
  conversation_parts: z.object({ conversation_parts: z.array(z.object({ id: z.string() })) }),
});

/** Sends a part. If Intercom refuses the markup, sends plain text; if it refuses the buttons, omits them. */
export async function deliver(
  part: OutboundPart,
  to: ConversationRef,
  account: IntercomAccount,
  tools: Tools,
): Promise<Receipt> {
  const content = parsePart(part);
  const conversation = parseAddress(to);
  const context: ReplyContext = { conversation, admin: requireAdminId(account), account };
  try {
    const response = await callIntercom(buildCall(content, context), account, tools);
    return toReceipt(response, conversation);
  } catch (error) {
    if (!(error instanceof RefusalError) || !error.ofContent) throw error;
    const fallback = buildFallback(content, context);
    if (fallback === null) throw error;
    tools.log.warn({ because: error.message }, fallback.logMessage);
    if (fallback.call === null) return { messageId: partMessageId(conversation, '') };
    return toReceipt(await callIntercom(fallback.call, account, tools), conversation);
  }
}

interface ReplyContext {
  readonly conversation: string;
  readonly admin: string;
  readonly account: IntercomAccount;
}

function buildCall(part: Part, context: ReplyContext): Call {
  const { conversation: conversation_id, admin: admin_id } = context;
  if (part.kind === 'comment') return comment(part.html, context, part.files);
  if (part.kind === 'buttons') {
    return reply({ message_type: 'quick_reply', reply_options: part.options }, context);
  }
  if (part.kind === 'note') return reply({ message_type: 'note', body: part.html }, context);
  const { type, id: assignee_id } = part;
  const body = { message_type: 'assignment' as const, type, admin_id, assignee_id };
  return (client) => client.conversations.manage({ conversation_id, body });
}

function buildFallback(
  part: Part,
  context: ReplyContext,
): { readonly logMessage: string; readonly call: Call | null } | null {
  if (part.kind === 'comment') {
    const logMessage = 'message markup refused, plain text sent';
    // The files may be what was refused.
    const links = (part.files ?? []).map(({ name, url }) => `${name}: ${url}`);
    return { logMessage, call: comment(escapeHtml([part.text, ...links].join('\n')), context) };
  }
  return part.kind === 'buttons' ? { logMessage: 'buttons refused, answer sent without', call: null } : null;
}

function comment(body: string, context: ReplyContext, files: readonly { readonly url: string }[] = []): Call {
  const attachments = files.length === 0 ? {} : { attachment_urls: files.map(({ url }) => url) };
  return reply({ message_type: 'comment', body, ...attachments }, context);
}

type Content = Pick<
  Intercom.AdminReplyConversationRequest,
  'message_type' | 'body' | 'reply_options' | 'attachment_urls'
>;

/** Requests version 2.15 if notifications are off, because only that version supports `skip_notifications`. */
function reply(
  content: Content,
  { conversation: conversation_id, admin: admin_id, account }: ReplyContext,
): Call {
  const isQuiet = account.settings.skip_notifications && content.message_type !== 'note';
  const notifications = isQuiet ? { skip_notifications: true } : {};
  const options = isQuiet ? { headers: { 'Intercom-Version': '2.15' } } : {};
  const body: Intercom.AdminReplyConversationRequest = {
    type: 'admin',
    admin_id,
    ...content,
    ...notifications,
  };
  return (client) => client.conversations.reply({ conversation_id, body }, options);
}

/** Returns the receipt with the id of the last part in the response, which is the new one. A response may lack it. */
function toReceipt(response: Intercom.Conversation, conversation: string): Receipt {
  const parsed = replyResponseSchema.safeParse(response);
  if (!parsed.success && !('id' in response)) {
    throw new ConnectorError("Intercom's response cannot be parsed.", { advice: { retry: 'backoff' } });
  }
  const newest = parsed.data?.conversation_parts.conversation_parts.at(-1);
  return { messageId: partMessageId(conversation, newest?.id ?? '') };
}

const partSchema = z.object({
  id: z.string(),
  part_type: z.string(),
  body: optionalField(z.string()),
  created_at: z.number(),
  author: z.object({ id: z.coerce.string() }),
});
const conversationResponseSchema = z.object({
  conversation_parts: z.object({ conversation_parts: z.array(partSchema) }),
});

/** Finds a sent part by its text, because Intercom stores no metadata. Buttons and assignments are sent again. */
export async function findSent(
  { part, to, since }: SoughtPart,
  account: IntercomAccount,
  tools: Tools,
): Promise<readonly Receipt[]> {
  const sought = searchableText(parsePart(part));
  if (sought === null) return [];
  const conversation = parseAddress(to);
  const admin = requireAdminId(account);
  const response = await callIntercom(
    (client) => client.conversations.find({ conversation_id: conversation }),
    account,
    tools,
  );
  return (conversationResponseSchema.safeParse(response).data?.conversation_parts.conversation_parts ?? [])
    .filter(
      (one) =>
        one.author.id === admin &&
        one.created_at * 1_000 >= since.getTime() &&
        one.part_type === sought.kind &&
        sought.texts.includes(parseHtml(one.body ?? '').text),
    )
    .map(({ id }) => ({ messageId: partMessageId(conversation, id) }));
}

/** Returns the texts that a sent part may have in Intercom; null for a part without text. */
function searchableText(part: Part): { readonly kind: string; readonly texts: readonly string[] } | null {
  if (part.kind === 'buttons' || part.kind === 'assignment') return null;
  const plain = part.kind === 'comment' ? [part.text.trim()] : [];
  return { kind: part.kind, texts: [parseHtml(part.html).text, ...plain] };
}
