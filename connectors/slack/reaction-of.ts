import { botOf } from './bot-of.ts';
import type { SlackEnvelope } from './event-schema.ts';
import type { Happening } from './happening.ts';
import type { SlackAccount } from './manifest.ts';
import { writeMessageId } from './message-id.ts';
import { placeOf } from './place-of.ts';
import { person } from './sender-of.ts';
import { timeOf } from './time-of.ts';

const OPINIONS: Readonly<Record<string, 'up' | 'down'>> = {
  '+1': 'up',
  thumbsup: 'up',
  '-1': 'down',
  thumbsdown: 'down',
};

/** A thumb on a message of ours. Slack does not tell which thread that is in. */
export function reactionOf(envelope: SlackEnvelope, account: SlackAccount): Happening | null {
  const { user, reaction, item, item_user, event_ts, type } = envelope.event;
  // A thumb may have a colour of skin.
  const opinion = OPINIONS[reaction?.split('::', 1)[0] ?? ''];
  if (user === null || opinion === undefined || item === null || item_user === null) return null;
  const { channel, ts } = item;
  if (channel === null || ts === null) return null;
  const { tenant, conversation } = placeOf(
    envelope,
    { channel, said: { user, user_team: null, team: null, ts, thread_ts: null } },
    account,
  );
  const at = event_ts ?? ts;
  return {
    id: envelope.event_id ?? `${tenant}/${channel}/${ts}/${reaction}/${user}/${at}`,
    tenant,
    event: {
      type: 'feedback',
      conversation,
      sentAt: timeOf(at),
      sender: person(user, null),
      messageId: writeMessageId({ channel, ts }),
      value: type === 'reaction_added' ? opinion : null,
      comment: null,
    },
    passedOver: botOf(envelope, account).userIds.has(item_user) ? null : 'it is about somebody else',
  };
}
