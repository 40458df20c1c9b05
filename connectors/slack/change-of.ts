import { isDirect } from './address.ts';
import { addressing, mentionsIn } from './addressing.ts';
import { botOf } from './bot-of.ts';
import type { SlackEnvelope, SlackMessage } from './event-schema.ts';
import type { Happening } from './happening.ts';
import type { SlackAccount } from './manifest.ts';
import { writeMessageId } from './message-id.ts';
import { placeOf } from './place-of.ts';
import { senderOf } from './sender-of.ts';
import { timeOf } from './time-of.ts';

interface Change {
  readonly before: SlackMessage;
  /** Null where it was deleted. */
  readonly after: SlackMessage | null;
}

/** A message that was edited or deleted; null where only its looks changed, such as the preview of a link. */
export function changeOf(envelope: SlackEnvelope, account: SlackAccount): Happening | null {
  const { event } = envelope;
  const { channel, event_ts } = event;
  const change = readChange(event);
  const ts = change?.before.ts ?? change?.after?.ts ?? null;
  if (channel === null || change === null || ts === null) return null;
  const { before, after } = change;
  const bot = botOf(envelope, account);
  const sender = senderOf(before, bot);
  const { tenant, conversation } = placeOf(envelope, { channel, said: { ...before, ts } }, account);
  const at = event_ts ?? ts;
  const said = { conversation, sentAt: timeOf(at), sender, messageId: writeMessageId({ channel, ts }) };
  const { text } = addressing({ ...event, text: after?.text ?? null, thread_ts: null }, bot);
  const couldBeOurs =
    isDirect(channel) ||
    before.thread_ts !== null ||
    [before, after].some((each) => mentionsIn(each?.text ?? '').some((user) => bot.userIds.has(user)));
  return {
    id: envelope.event_id ?? `${tenant}/${channel}/${ts}/${at}`,
    tenant,
    event: after === null ? { type: 'message-deleted', ...said } : { type: 'message-edited', ...said, text },
    passedOver: sender.kind === 'person' && couldBeOurs ? null : 'it changes nothing that was said to us',
  };
}

/** Of a message that others replied to, Slack keeps the place when it is deleted: a "tombstone". */
function readChange({ subtype, message: after, previous_message }: SlackEnvelope['event']): Change | null {
  const before = previous_message;
  if (subtype === 'message_deleted') return before && { before, after: null };
  if (subtype !== 'message_changed' || after === null || before === null) return null;
  if (after.subtype === 'tombstone') return { before, after: null };
  return after.text === null || after.text === before.text ? null : { before, after };
}
