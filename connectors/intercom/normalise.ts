import type { z } from 'zod';
import type { ConversationRef, Json } from '../../core/contract/account.ts';
import type { Command, InboundEvent } from '../../core/contract/inbound.ts';
import { deliveriesOf, holderOf, partsOf, sourceOf, statusOf, storedSchema } from './deliveries.ts';
import { attachmentsOf } from './files.ts';
import { readHtml } from './html.ts';
import {
  adminOf,
  authorOf,
  conversationAt,
  isPersonButton,
  PERSON_UUID,
  partMessageId,
  senderOf,
  sourceMessageId,
} from './identifiers.ts';
import type { IntercomAccount } from './manifest.ts';
import {
  type IntercomConversation,
  type IntercomNotification,
  type IntercomPart,
  type IntercomSource,
  notificationSchema,
  topicOf,
} from './payloads.ts';

/** Of what was stored, or of a whole notification as Intercom posts it. */
export function normalise(native: Json, account: IntercomAccount): readonly InboundEvent[] {
  const stored = storedSchema.safeParse(native).data;
  if (stored !== undefined) {
    const notification = notificationSchema.safeParse(stored.notification).data;
    const event = notification && eventOf(stored, notification, account);
    return [event ?? { type: 'unsupported', nativeType: notification?.topic ?? stored.tells }];
  }
  const events = deliveriesOf(native, account).flatMap((delivery) => normalise(delivery.native, account));
  return events.length > 0 ? events : [{ type: 'unsupported', nativeType: topicOf(native) ?? 'nothing' }];
}

function eventOf(
  { tells, part: partId }: z.infer<typeof storedSchema>,
  notification: IntercomNotification,
  account: IntercomAccount,
): InboundEvent | null {
  const { item } = notification.data;
  const conversation = conversationAt(item.id);
  const part = partsOf(item).find(({ id }) => id === partId);
  const admin = adminOf(account);
  const at = (seconds: number | null | undefined) =>
    new Date((seconds ?? notification.created_at ?? 0) * 1_000);
  switch (tells) {
    case 'source': {
      const source = sourceOf(item);
      const place = { conversation, messageId: sourceMessageId(item.id), sentAt: at(item.created_at) };
      return source && saidOf(source, place, account);
    }
    case 'part': {
      if (part === undefined) return null;
      const place = {
        conversation,
        messageId: partMessageId(item.id, part.id),
        sentAt: at(part.created_at),
      };
      return saidOf(part, place, account);
    }
    case 'status': {
      const status = part && statusOf(part, item, admin);
      const by = part?.author?.name || part?.author?.id || 'Intercom';
      return status ? { type: 'status-changed', conversation, status, by } : null;
    }
    case 'holder': {
      const holder = holderOf(item, admin);
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
            sender: senderOf(part.author, account),
            messageId: partMessageId(item.id, part.id),
          };
    case 'rating':
      return ratingOf(item, { conversation, sentAt: at(null) }, account);
    case 'deleted':
      return { type: 'reachable', conversation, reachable: false };
  }
}

interface SaidOfPlace {
  readonly conversation: ConversationRef;
  readonly messageId: string;
  readonly sentAt: Date;
}

/** What a contact asks, or a teammate of ours answers in Intercom's own inbox. */
function saidOf(
  said: IntercomSource | IntercomPart,
  place: SaidOfPlace,
  account: IntercomAccount,
): InboundEvent {
  const sender = senderOf(said.author, account);
  const { text } = readHtml(wordsOf(said));
  if (authorOf(said.author, adminOf(account)) === 'teammate') {
    return { type: 'person-replied', ...place, sender, text };
  }
  return {
    type: 'message',
    ...place,
    sender,
    ...readCommand(text, 'metadata' in said ? said.metadata : null, account),
    attachments: attachmentsOf(said, place.messageId),
    addressed: true,
  };
}

/** What a mail is about may stand in its subject alone. */
function wordsOf(said: IntercomSource | IntercomPart): string {
  const isMail = 'subject' in said && said.type === 'email' && said.subject !== null;
  return isMail ? `<p>${said.subject}</p>${said.body ?? ''}` : (said.body ?? '');
}

const words: Readonly<Record<string, Command>> = { '/start': 'start', '/human': 'human', '/help': 'help' };

interface Asked {
  /** Without the command. */
  readonly text: string;
  readonly command: Command | null;
}

/** Older versions of the API do not tell which button was pressed: its words are what is left. */
function readCommand(text: string, metadata: IntercomPart['metadata'], account: IntercomAccount): Asked {
  const pressed = metadata?.quick_reply_uuid ?? metadata?.quick_reply_option_uuid;
  if (pressed === PERSON_UUID || isPersonButton(text, account)) return { text, command: 'human' };
  const [first = ''] = text.split(/\s/, 1);
  const command = words[first.toLowerCase()] ?? null;
  return { text: command === null ? text : text.slice(first.length).trim(), command };
}

interface RatingOfPlace {
  readonly conversation: ConversationRef;
  readonly sentAt: Date;
}

const GOOD = 4;
const BAD = 2;

/** A conversation is rated from 1 to 5, and not an answer of it: what we said last stands for it. Null for teammates'. */
function ratingOf(
  { conversation_rating: given }: IntercomConversation,
  place: RatingOfPlace,
  account: IntercomAccount,
): InboundEvent | null {
  const isOurs = given?.teammate == null || authorOf(given.teammate, adminOf(account)) === 'us';
  if (given?.rating == null || !isOurs) return null;
  const value = given.rating >= GOOD ? 'up' : given.rating <= BAD ? 'down' : null;
  const sender = senderOf(given.contact, account);
  return { type: 'feedback', ...place, sender, messageId: null, value, comment: given.remark || null };
}
