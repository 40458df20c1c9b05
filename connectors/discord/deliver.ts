import type { z } from 'zod';
import type { ConversationRef, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { OutboundPart, Receipt } from '../../core/contract/outbound.ts';
import { type Address, addressOf } from './address.ts';
import { answerInteraction, type Context } from './answer-interaction.ts';
import { callDiscord } from './call-discord.ts';
import type { DiscordAccount } from './manifest.ts';
import { messageBody } from './message-body.ts';
import { writeMessageId } from './message-id.ts';
import { nonceOf } from './nonce-of.ts';
import { openThread } from './open-thread.ts';
import { type Part, partOf } from './part.ts';
import { type Refusal, refusalError } from './refusal.ts';
import { sentSchema } from './sent-schema.ts';

type Sent = z.infer<typeof sentSchema>;

/** The answer to a command takes the place of "thinking"; a question in a channel gets a thread, or at least a reply. */
export async function deliver(
  part: OutboundPart,
  to: ConversationRef,
  account: DiscordAccount,
  tools: Tools,
): Promise<Receipt> {
  const content = partOf(part);
  const address = addressOf(to);
  const shown = await answerInteraction('original', content, { to, account, tools });
  if (shown !== null) return receiptOf(shown, to, consumed(address, content));
  if (content.interaction?.isPrivate === true) return await sayAlone(content, { to, account, tools });
  const place = address.kind === 'question' ? await openThread(address, account, tools) : address;
  const nonce = part.key === undefined ? null : nonceOf(account.id, part.key);
  const outcome = await callDiscord(
    {
      method: 'POST',
      path: `/channels/${place.channel}/messages`,
      body: {
        ...messageBody(content, to.lane),
        ...(place.kind === 'channel' && referenceTo(content.replyTo ?? place.message)),
        ...(nonce !== null && { nonce, enforce_nonce: true }),
      },
      result: sentSchema,
    },
    account,
    tools,
  );
  if (outcome.ok) return receiptOf(outcome.result, to, place === address ? null : place);
  const followed = isClosed(outcome.refusal)
    ? await answerInteraction('follow-up', content, { to, account, tools })
    : null;
  if (followed !== null) return receiptOf(followed, to, null);
  throw refusalError(outcome.refusal, tools.now());
}

/** Rather not said at all than said to everybody. */
async function sayAlone(part: Part, context: Context): Promise<Receipt> {
  const followed = await answerInteraction('follow-up', part, context);
  if (followed !== null) return receiptOf(followed, context.to, null);
  throw new ConnectorError(
    'What only one person is to see can be said for 15 minutes after a command or a press: that is over.',
    { advice: { retry: 'never' } },
  );
}

/** What was replied to may be gone. */
function referenceTo(message: string | null): object {
  return message === null ? {} : { message_reference: { message_id: message, fail_if_not_exists: false } };
}

/** A command may be given where we cannot write: the token of it still can. */
function isClosed({ status }: Refusal): boolean {
  return status === 403 || status === 404;
}

/** The token of a command is good for one answer: what is said later would take its place. */
function consumed(address: Address, { interaction }: Part): Address | null {
  if (address.interaction?.token !== interaction?.token) return null;
  return {
    ...address,
    interaction: interaction?.isPrivate === true ? { ...interaction, isUsed: true } : null,
  };
}

function receiptOf({ id, channel_id }: Sent, { lane }: ConversationRef, address: Address | null): Receipt {
  const messageId = writeMessageId({ channel: channel_id, message: id });
  return address === null ? { messageId } : { messageId, moved: { lane, address } };
}
