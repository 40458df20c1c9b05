import type { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import { conversationAt } from './address.ts';
import { adminOf } from './admin-of.ts';
import { deliveriesOf, partsOf, sourceOf, storedSchema } from './deliveries-of.ts';
import type { IntercomAccount } from './manifest.ts';
import { partMessageId, sourceMessageId } from './message-id.ts';
import { type IntercomNotification, notificationSchema } from './notification-schema.ts';
import { ratingOf } from './rating-of.ts';
import { saidOf } from './said-of.ts';
import { senderOf } from './sender-of.ts';
import { holderOf, statusOf } from './status-of.ts';
import { topicOf } from './topic-of.ts';

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
