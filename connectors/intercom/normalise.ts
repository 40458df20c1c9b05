import type { z } from 'zod';
import type { ConversationRef, Json } from '../../core/contract/account.ts';
import type { Command, InboundEvent } from '../../core/contract/inbound.ts';
import {
  conversationSource,
  findAssignee,
  parseParts,
  parseStatus,
  storedNotificationSchema,
  toDeliveries,
} from './deliveries.ts';
import { parseAttachments } from './files.ts';
import { parseHtml } from './html.ts';
import {
  classifyAuthor,
  findAdminId,
  HUMAN_BUTTON_UUID,
  isHumanButtonText,
  parseSender,
  partMessageId,
  sourceMessageId,
  toConversationRef,
} from './identifiers.ts';
import type { IntercomAccount } from './manifest.ts';
import {
  type IntercomConversation,
  type IntercomNotification,
  type IntercomPart,
  type IntercomSource,
  notificationSchema,
  notificationTopic,
} from './payloads.ts';

/** Of what was stored, or of a whole notification as Intercom posts it. */
export function normalise(native: Json, account: IntercomAccount): readonly InboundEvent[] {
  const stored = storedNotificationSchema.safeParse(native).data;
  if (stored !== undefined) {
    const notification = notificationSchema.safeParse(stored.notification).data;
    const event = notification && parseEvent(stored, notification, account);
    return [event ?? { type: 'unsupported', nativeType: notification?.topic ?? stored.tells }];
  }
  const events = toDeliveries(native, account).flatMap((delivery) => normalise(delivery.native, account));
  return events.length > 0
    ? events
    : [{ type: 'unsupported', nativeType: notificationTopic(native) ?? 'nothing' }];
}

function parseEvent(
  { tells, part: partId }: z.infer<typeof storedNotificationSchema>,
  notification: IntercomNotification,
  account: IntercomAccount,
): InboundEvent | null {
  const { item } = notification.data;
  const conversation = toConversationRef(item.id);
  const part = parseParts(item).find(({ id }) => id === partId);
  const admin = findAdminId(account);
  const at = (seconds: number | null | undefined) =>
    new Date((seconds ?? notification.created_at ?? 0) * 1_000);
  switch (tells) {
    case 'source': {
      const source = conversationSource(item);
      const place = { conversation, messageId: sourceMessageId(item.id), sentAt: at(item.created_at) };
      return source && parseMessage(source, place, account);
    }
    case 'part': {
      if (part === undefined) return null;
      const place = {
        conversation,
        messageId: partMessageId(item.id, part.id),
        sentAt: at(part.created_at),
      };
      return parseMessage(part, place, account);
    }
    case 'status': {
      const status = part && parseStatus(part, item, admin);
      const by = part?.author?.name || part?.author?.id || 'Intercom';
      return status ? { type: 'status-changed', conversation, status, by } : null;
    }
    case 'holder': {
      const holder = findAssignee(item, admin);
      if (holder === null) return null;
      const by = item.assignee?.name || `Intercom teammate ${holder}`;
      return { type: 'status-changed', conversation, status: 'claimed', by };
    }
    case 'redacted':
      return part === undefined
        ? null
        : {
            type: 'message-deleted',
            conversation,
            sentAt: at(null),
            sender: parseSender(part.author, account),
            messageId: partMessageId(item.id, part.id),
          };
    case 'rating':
      return parseRating(item, { conversation, sentAt: at(null) }, account);
    case 'deleted':
      return { type: 'reachable', conversation, reachable: false };
  }
}

interface MessageLocation {
  readonly conversation: ConversationRef;
  readonly messageId: string;
  readonly sentAt: Date;
}

/** What a contact asks, or a teammate of ours answers in Intercom's own inbox. */
function parseMessage(
  said: IntercomSource | IntercomPart,
  place: MessageLocation,
  account: IntercomAccount,
): InboundEvent {
  const sender = parseSender(said.author, account);
  const { text } = parseHtml(messageHtml(said));
  if (classifyAuthor(said.author, findAdminId(account)) === 'teammate') {
    return { type: 'person-replied', ...place, sender, text };
  }
  return {
    type: 'message',
    ...place,
    sender,
    ...parseCommand(text, 'metadata' in said ? said.metadata : null, account),
    attachments: parseAttachments(said, place.messageId),
    addressed: true,
  };
}

/** What a mail is about may stand in its subject alone. */
function messageHtml(said: IntercomSource | IntercomPart): string {
  const isMail = 'subject' in said && said.type === 'email' && said.subject !== null;
  return isMail ? `<p>${said.subject}</p>${said.body ?? ''}` : (said.body ?? '');
}

const commandsByText: Readonly<Record<string, Command>> = {
  '/start': 'start',
  '/human': 'human',
  '/help': 'help',
};

interface ParsedCommand {
  /** Without the command. */
  readonly text: string;
  readonly command: Command | null;
}

/** Older versions of the API do not tell which button was pressed: its words are what is left. */
function parseCommand(
  text: string,
  metadata: IntercomPart['metadata'],
  account: IntercomAccount,
): ParsedCommand {
  const pressed = metadata?.quick_reply_uuid ?? metadata?.quick_reply_option_uuid;
  if (pressed === HUMAN_BUTTON_UUID || isHumanButtonText(text, account)) return { text, command: 'human' };
  const [first = ''] = text.split(/\s/, 1);
  const command = commandsByText[first.toLowerCase()] ?? null;
  return { text: command === null ? text : text.slice(first.length).trim(), command };
}

interface RatingLocation {
  readonly conversation: ConversationRef;
  readonly sentAt: Date;
}

const GOOD = 4;
const BAD = 2;

/** A conversation is rated from 1 to 5, and not an answer of it: what we said last stands for it. Null for teammates'. */
function parseRating(
  { conversation_rating: given }: IntercomConversation,
  place: RatingLocation,
  account: IntercomAccount,
): InboundEvent | null {
  const isOurs = given?.teammate == null || classifyAuthor(given.teammate, findAdminId(account)) === 'us';
  if (given?.rating == null || !isOurs) return null;
  const value = given.rating >= GOOD ? 'up' : given.rating <= BAD ? 'down' : null;
  const sender = parseSender(given.contact, account);
  return { type: 'feedback', ...place, sender, messageId: null, value, comment: given.remark || null };
}
