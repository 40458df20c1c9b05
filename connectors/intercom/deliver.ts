import type { Intercom, IntercomClient } from 'intercom-client';
import { z } from 'zod';
import type { ConversationRef, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Facets } from '../../core/contract/facets.ts';
import type { Budget, OutboundPart, Receipt } from '../../core/contract/outbound.ts';
import { escapeHtml } from '../shared/markdown/write-blocks.ts';
import { optionalField } from '../shared/payload.ts';
import { callIntercom, RefusalError } from './api-client.ts';
import { parseHtml } from './html.ts';
import { parseAddress, partMessageId, requireAdminId } from './identifiers.ts';
import type { IntercomAccount } from './manifest.ts';
import { type Part, parsePart } from './render.ts';

/** An app has 10,000 calls a minute, dealt out by ten seconds; an answer is up to four of them. */
const ALL: Budget = { key: 'all', everyMs: 25, burst: 100 };

export function budgets(): readonly Budget[] {
  return [ALL];
}

type Call = (client: IntercomClient) => Promise<Intercom.Conversation>;

const replyAnswerSchema = z.object({
  id: z.string(),
  conversation_parts: z.object({ conversation_parts: z.array(z.object({ id: z.string() })) }),
});

/** Markup that Intercom refuses goes out plain; buttons that it refuses are left out. */
export async function deliver(
  part: OutboundPart,
  to: ConversationRef,
  account: IntercomAccount,
  tools: Tools,
): Promise<Receipt> {
  const content = parsePart(part);
  const conversation = parseAddress(to);
  const from: ReplyContext = { conversation, admin: requireAdminId(account), account };
  try {
    const answer = await callIntercom(buildCall(content, from), account, tools);
    return toReceipt(answer, conversation);
  } catch (error) {
    if (!(error instanceof RefusalError) || !error.ofContent) throw error;
    const instead = buildFallback(content, from);
    if (instead === null) throw error;
    tools.log.warn({ because: error.message }, instead.words);
    if (instead.call === null) return { messageId: partMessageId(conversation, '') };
    return toReceipt(await callIntercom(instead.call, account, tools), conversation);
  }
}

interface ReplyContext {
  readonly conversation: string;
  readonly admin: string;
  readonly account: IntercomAccount;
}

function buildCall(part: Part, from: ReplyContext): Call {
  const { conversation: conversation_id, admin: admin_id } = from;
  if (part.kind === 'comment') return comment(part.html, from);
  if (part.kind === 'buttons') {
    return reply({ message_type: 'quick_reply', reply_options: part.options }, from);
  }
  if (part.kind === 'note') return reply({ message_type: 'note', body: part.html }, from);
  const { type, id: assignee_id } = part;
  const body = { message_type: 'assignment' as const, type, admin_id, assignee_id };
  return (client) => client.conversations.manage({ conversation_id, body });
}

function buildFallback(
  part: Part,
  from: ReplyContext,
): { readonly words: string; readonly call: Call | null } | null {
  if (part.kind === 'comment') {
    const words = 'Intercom refused the markup of a message: it goes out plain';
    return { words, call: comment(escapeHtml(part.text), from) };
  }
  return part.kind === 'buttons'
    ? { words: 'Intercom refused the buttons under an answer: they are left out', call: null }
    : null;
}

function comment(body: string, from: ReplyContext): Call {
  return reply({ message_type: 'comment', body }, from);
}

type Content = Pick<Intercom.AdminReplyConversationRequest, 'message_type' | 'body' | 'reply_options'>;

/** That nobody is notified can be said from version 2.15 on only. */
function reply(
  content: Content,
  { conversation: conversation_id, admin: admin_id, account }: ReplyContext,
): Call {
  const isQuiet = account.settings.skip_notifications && content.message_type !== 'note';
  const quiet = isQuiet ? { skip_notifications: true } : {};
  const options = isQuiet ? { headers: { 'Intercom-Version': '2.15' } } : {};
  const body: Intercom.AdminReplyConversationRequest = { type: 'admin', admin_id, ...content, ...quiet };
  return (client) => client.conversations.reply({ conversation_id, body }, options);
}

/** The last part of what is answered is the new one. Without it, the message is sent all the same. */
function toReceipt(answer: Intercom.Conversation, conversation: string): Receipt {
  const read = replyAnswerSchema.safeParse(answer);
  if (!read.success && !('id' in answer)) {
    throw new ConnectorError("Intercom's answer is not understood.", { advice: { retry: 'backoff' } });
  }
  const newest = read.data?.conversation_parts.conversation_parts.at(-1);
  return { messageId: partMessageId(conversation, newest?.id ?? '') };
}

type FindSent = NonNullable<Facets<IntercomAccount['credentials'], IntercomAccount['settings']>['findSent']>;

const partSchema = z.object({
  id: z.string(),
  part_type: z.string(),
  body: optionalField(z.string()),
  created_at: z.number(),
  author: z.object({ id: z.coerce.string() }),
});
const conversationAnswerSchema = z.object({
  conversation_parts: z.object({ conversation_parts: z.array(partSchema) }),
});

/** By what it says, as Intercom keeps nothing of ours with it; whom a conversation was given to may be said again. */
export const findSent: FindSent = async ({ part, to, since }, account, tools) => {
  const words = searchableText(parsePart(part));
  if (words === null) return [];
  const conversation = parseAddress(to);
  const admin = requireAdminId(account);
  const answer = await callIntercom(
    (client) => client.conversations.find({ conversation_id: conversation }),
    account,
    tools,
  );
  return (conversationAnswerSchema.safeParse(answer).data?.conversation_parts.conversation_parts ?? [])
    .filter(
      (one) =>
        one.author.id === admin &&
        one.created_at * 1_000 >= since.getTime() &&
        one.part_type === words.kind &&
        words.texts.includes(parseHtml(one.body ?? '').text),
    )
    .map(({ id }) => ({ messageId: partMessageId(conversation, id) }));
};

/** What a part may read like there; null where it has no words. */
function searchableText(part: Part): { readonly kind: string; readonly texts: readonly string[] } | null {
  if (part.kind === 'buttons' || part.kind === 'assignment') return null;
  const plain = part.kind === 'comment' ? [part.text.trim()] : [];
  return { kind: part.kind, texts: [parseHtml(part.html).text, ...plain] };
}
