import { addressing } from './addressing.ts';
import { attachmentsOf } from './attachments-of.ts';
import { botOf } from './bot-of.ts';
import { enclosedWords } from './enclosed-words.ts';
import type { SlackEnvelope } from './event-schema.ts';
import type { Happening } from './happening.ts';
import { isSaid } from './is-said.ts';
import type { SlackAccount } from './manifest.ts';
import { writeMessageId } from './message-id.ts';
import { placeOf } from './place-of.ts';
import { senderOf } from './sender-of.ts';
import { timeOf } from './time-of.ts';

/**
 * A message of somebody; null for what is none. Slack tells of one that names us twice, as a message and as a mention,
 * with ids of their own: ours is made of what is the same in both.
 */
export function messageOf(envelope: SlackEnvelope, account: SlackAccount): Happening | null {
  const { event } = envelope;
  const { channel, ts } = event;
  if (channel === null || ts === null || !isSaid(event)) return null;
  const bot = botOf(envelope, account);
  const sender = senderOf(event, bot);
  const { tenant, conversation } = placeOf(envelope, { channel, said: event }, account);
  const { text: words, addressed } = addressing(event, bot);
  const text = [words, ...enclosedWords(event)].filter((each) => each !== '').join('\n\n');
  const attachments = attachmentsOf(event);
  const namesUsOnly = text === '' && attachments.length === 0 && (event.text ?? '').trim() !== '';
  return {
    id: `${tenant}/${channel}/${ts}`,
    tenant,
    event: {
      type: 'message',
      conversation,
      sentAt: timeOf(ts),
      sender,
      messageId: writeMessageId({ channel, ts }),
      text,
      attachments,
      addressed,
      // Who only names us says hello.
      command: namesUsOnly ? 'start' : null,
    },
    passedOver: passedOver(sender.kind === 'person', addressed !== false),
  };
}

function passedOver(isPerson: boolean, isForUs: boolean): string | null {
  if (!isPerson) return 'a bot wrote it';
  return isForUs ? null : 'people speak with one another';
}
