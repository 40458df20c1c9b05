import type { Json } from '../../core/contract/account.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import { addressIn, conversationAt } from './address.ts';
import { attachmentsOf } from './attachments-of.ts';
import { botIdOf } from './bot-of.ts';
import { eventOfInteraction } from './event-of-interaction.ts';
import { PLAIN, REPLY } from './kinds.ts';
import type { DiscordAccount } from './manifest.ts';
import { writeMessageId } from './message-id.ts';
import type { DiscordMessage, Dispatch } from './native-schema.ts';
import { placeOf } from './place-of.ts';
import { type Read, readNative } from './read-native.ts';
import { senderOf } from './sender-of.ts';
import { timeOf } from './snowflake.ts';
import { namesUs, wordsOf } from './words-of.ts';

const SAID: readonly number[] = [PLAIN, REPLY];

export function normalise(native: Json, account: DiscordAccount): readonly InboundEvent[] {
  const read = readNative(native);
  return [eventOf(read, account) ?? { type: 'unsupported', nativeType: nameOf(read) }];
}

function nameOf(read: Read): string {
  if (read.kind === 'other') return read.name;
  if (read.kind === 'interaction') return `interaction.${read.interaction.type}`;
  return `${read.kind}.${read.message.type ?? 'unknown'}`;
}

function eventOf(read: Read, account: DiscordAccount): InboundEvent | null {
  switch (read.kind) {
    case 'message':
      return messageOf(read.message, read.dispatch, account);
    case 'edit':
      return editOf(read.message, read.dispatch, account);
    case 'deletion':
      return { type: 'message-deleted', ...saidOf(read.message, read.dispatch, account) };
    case 'interaction':
      return eventOfInteraction(read.interaction, account);
    case 'other':
      return null;
  }
}

/** Without the Message Content intent Discord keeps from us what is not said to us: of that there is nothing to read. */
function messageOf(
  message: DiscordMessage,
  dispatch: Dispatch,
  account: DiscordAccount,
): InboundEvent | null {
  if (!SAID.includes(message.type ?? -1)) return null;
  const said = saidOf(message, dispatch, account);
  const ourselves = { botId: botIdOf(account), role: dispatch.role };
  const attachments = attachmentsOf(message);
  const words = wordsOf(message, ourselves);
  const text = [dispatch.title, words].filter(Boolean).join('\n');
  const isNamed = namesUs(message, ourselves) || message.guild_id === null;
  const isEmpty = text === '' && attachments.length === 0;
  const isWordless = isEmpty && message.content === '';
  if (isWordless && message.guild_id !== null && said.sender.kind === 'person') return null;
  const joined = placeOf(message, dispatch, account).kind === 'thread' && 'joined';
  return {
    type: 'message',
    ...said,
    text,
    attachments,
    addressed: isNamed || joined,
    // Who only names us says hello; a poll says nothing that we read.
    command: isEmpty && !isWordless ? 'start' : null,
  };
}

/** Discord also tells of a message again when it has looked at its links. */
function editOf(message: DiscordMessage, dispatch: Dispatch, account: DiscordAccount): InboundEvent | null {
  if (message.edited_timestamp === null || !SAID.includes(message.type ?? -1)) return null;
  const text = wordsOf(message, { botId: botIdOf(account), role: dispatch.role });
  const said = saidOf(message, dispatch, account);
  return text === ''
    ? null
    : { type: 'message-edited', ...said, sentAt: new Date(message.edited_timestamp), text };
}

function saidOf(message: DiscordMessage, dispatch: Dispatch, account: DiscordAccount) {
  const known = addressIn(dispatch.at);
  return {
    conversation: conversationAt(known ?? placeOf(message, dispatch, account)),
    sentAt: message.timestamp === null ? timeOf(message.id) : new Date(message.timestamp),
    sender: senderOf(message, botIdOf(account)),
    messageId: writeMessageId({ channel: message.channel_id, message: message.id }),
  };
}
