import type { ConversationRef } from '../../core/contract/account.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import { type Address, conversationAt } from './address.ts';
import { isPrivate } from './is-private.ts';
import { COMMAND, COMPONENT } from './kinds.ts';
import type { DiscordAccount } from './manifest.ts';
import { writeMessageId } from './message-id.ts';
import type { DiscordInteraction } from './native-schema.ts';
import { placeOfInteraction } from './place-of.ts';
import { readPress } from './presses.ts';
import { personOf } from './sender-of.ts';
import { timeOf } from './snowflake.ts';

/** A command or a press of ours; null for what we never offered. */
export function eventOfInteraction(asked: DiscordInteraction, account: DiscordAccount): InboundEvent | null {
  const user = asked.member?.user ?? asked.user;
  if (user === null) return null;
  const place = placeOfInteraction(asked, user.id, isPrivate(asked, account));
  if (place === null) return null;
  const said = {
    sentAt: timeOf(asked.id),
    sender: personOf(user, asked.locale),
    messageId: `interaction/${asked.id}`,
  };
  if (asked.type === COMMAND) return commandOf(asked, { ...said, conversation: conversationAt(place) });
  return asked.type === COMPONENT ? pressOf(asked, said, place) : null;
}

type Said = Pick<Extract<InboundEvent, { type: 'message' }>, 'sentAt' | 'sender' | 'messageId'>;

/** Each waits for an answer of its own, which Discord shows as "thinking" until then. */
function commandOf(
  { data }: DiscordInteraction,
  said: Said & { readonly conversation: ConversationRef },
): InboundEvent | null {
  if (data?.name !== 'ask' && data?.name !== 'human') return null;
  const text = data.options?.find(({ name }) => name === 'question' || name === 'message')?.value ?? '';
  const command = data.name === 'human' ? 'human' : null;
  return { type: 'message', ...said, text, attachments: [], addressed: true, command, standsAlone: true };
}

/** What is pressed stays as it is: the token of a press is of use only where nothing else may be said. */
function pressOf(asked: DiscordInteraction, said: Said, place: Address): InboundEvent | null {
  const read = readPress(asked.data?.custom_id ?? null);
  if (read === null) return null;
  const conversation = conversationOf(read.lane, place, asked.message?.id ?? null);
  if (read.press === 'human') {
    const message = { type: 'message' as const, ...said, conversation };
    return { ...message, text: '', attachments: [], addressed: true, command: 'human', standsAlone: true };
  }
  if (asked.message === null) return null;
  const messageId = writeMessageId({ channel: place.channel, message: asked.message.id });
  return { type: 'feedback', ...said, conversation, messageId, value: read.press, comment: null };
}

/** In a channel, a press of somebody else is not said in the conversation of who asked. */
function conversationOf(lane: string, place: Address, message: string | null): ConversationRef {
  const { interaction } = place;
  const kept = interaction?.isPrivate === true ? { ...interaction, isUsed: true as const } : null;
  const bare = { ...place, interaction: kept };
  const address: Address = bare.kind === 'channel' ? { ...bare, message } : bare;
  const own = conversationAt(address);
  const asker = lane.split(':')[1];
  const isOthers = address.kind === 'channel' && asker !== undefined && asker !== address.user;
  return isOthers ? own : { ...own, lane };
}
