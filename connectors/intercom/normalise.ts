import type { z } from 'zod';
import type { ConversationRef, Json } from '../../core/contract/account.ts';
import type { Command, InboundEvent } from '../../core/contract/inbound.ts';
import { helpedOffers } from '../shared/offer-texts.ts';
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
  HELPED_BUTTON_UUID,
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

/** Normalises a stored fact, or all facts of a notification as Intercom sends it. */
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
  const toDate = (seconds: number | null | undefined) =>
    new Date((seconds ?? notification.created_at ?? 0) * 1_000);
  switch (tells) {
    case 'source': {
      const source = conversationSource(item);
      const location = {
        conversation,
        messageId: sourceMessageId(item.id),
        sentAt: toDate(item.created_at),
      };
      return source && parseMessage(source, location, account);
    }
    case 'part': {
      if (part === undefined) return null;
      const location = {
        conversation,
        messageId: partMessageId(item.id, part.id),
        sentAt: toDate(part.created_at),
      };
      return parseMessage(part, location, account);
    }
    case 'status': {
      const status = part && parseStatus(part, item, admin);
      const by = part?.author?.name || part?.author?.id || 'Intercom';
      return status ? { type: 'status-changed', conversation, status, by } : null;
    }
    case 'holder': {
      const assignee = findAssignee(item, admin);
      if (assignee === null) return null;
      const by = item.assignee?.name || `Intercom teammate ${assignee}`;
      return { type: 'status-changed', conversation, status: 'claimed', by };
    }
    case 'redacted':
      return part === undefined
        ? null
        : {
            type: 'message-deleted',
            conversation,
            sentAt: toDate(null),
            sender: parseSender(part.author, account),
            messageId: partMessageId(item.id, part.id),
          };
    case 'rating':
      return parseRating(item, { conversation, sentAt: toDate(null) }, account);
    case 'deleted':
      return { type: 'reachable', conversation, reachable: false };
  }
}

interface MessageLocation {
  readonly conversation: ConversationRef;
  readonly messageId: string;
  readonly sentAt: Date;
}

/** Parses a message of a contact, or a reply of a teammate in Intercom's inbox. */
function parseMessage(
  message: IntercomSource | IntercomPart,
  location: MessageLocation,
  account: IntercomAccount,
): InboundEvent {
  const sender = parseSender(message.author, account);
  const { text } = parseHtml(messageHtml(message));
  if (classifyAuthor(message.author, findAdminId(account)) === 'teammate') {
    return { type: 'person-replied', ...location, sender, text };
  }
  const metadata = 'metadata' in message ? message.metadata : null;
  if (pressedButton(metadata) === HELPED_BUTTON_UUID || helpedOffers.includes(text)) {
    const { conversation, sentAt } = location;
    // Like a rating, it counts for the bot's last answer: Intercom does not name the message with the button.
    return { type: 'feedback', conversation, sentAt, sender, messageId: null, value: 'up', comment: null };
  }
  return {
    type: 'message',
    ...location,
    sender,
    ...parseCommand(text, metadata, account),
    attachments: parseAttachments(message, location.messageId),
    addressed: true,
  };
}

/** Returns the body of a message, with the subject of a mail, because the question may be in the subject alone. */
function messageHtml(message: IntercomSource | IntercomPart): string {
  const isMail = 'subject' in message && message.type === 'email' && message.subject !== null;
  return isMail ? `<p>${message.subject}</p>${message.body ?? ''}` : (message.body ?? '');
}

const commandsByText: Readonly<Record<string, Command>> = {
  '/start': 'start',
  '/human': 'human',
  '/help': 'help',
};

interface ParsedCommand {
  /** The text without the command. */
  readonly text: string;
  readonly command: Command | null;
}

/** Parses a command or button press. Older API versions do not identify the button, so its label counts as a press. */
function parseCommand(
  text: string,
  metadata: IntercomPart['metadata'],
  account: IntercomAccount,
): ParsedCommand {
  if (pressedButton(metadata) === HUMAN_BUTTON_UUID || isHumanButtonText(text, account))
    return { text, command: 'human' };
  const [first = ''] = text.split(/\s/, 1);
  const command = commandsByText[first.toLowerCase()] ?? null;
  return { text: command === null ? text : text.slice(first.length).trim(), command };
}

function pressedButton(metadata: IntercomPart['metadata']): string | null {
  return metadata?.quick_reply_uuid ?? metadata?.quick_reply_option_uuid ?? null;
}

interface RatingLocation {
  readonly conversation: ConversationRef;
  readonly sentAt: Date;
}

const MIN_GOOD = 4;
const MAX_BAD = 2;

/**
 * Parses a rating from 1 to 5. It concerns the conversation and not one answer, so it has no message id and counts for the
 * bot's last answer. Null for the rating of a teammate.
 */
function parseRating(
  { conversation_rating: rating }: IntercomConversation,
  location: RatingLocation,
  account: IntercomAccount,
): InboundEvent | null {
  const isForBot =
    rating?.teammate == null || classifyAuthor(rating.teammate, findAdminId(account)) === 'bot';
  if (rating?.rating == null || !isForBot) return null;
  const value = rating.rating >= MIN_GOOD ? 'up' : rating.rating <= MAX_BAD ? 'down' : null;
  const sender = parseSender(rating.contact, account);
  return { type: 'feedback', ...location, sender, messageId: null, value, comment: rating.remark || null };
}
