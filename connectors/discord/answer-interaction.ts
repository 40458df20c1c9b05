import type { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import type { Tools } from '../../core/contract/tools.ts';
import { type Address, addressOf } from './address.ts';
import { callDiscord } from './call-discord.ts';
import type { DiscordAccount } from './manifest.ts';
import { messageBody } from './message-body.ts';
import type { Part } from './part.ts';
import { type Refusal, refusalError } from './refusal.ts';
import { sentSchema } from './sent-schema.ts';

interface Context {
  readonly to: ConversationRef;
  readonly account: DiscordAccount;
  readonly tools: Tools;
}

/**
 * Says a part with the token of the command that it answers: in the place of "thinking", or after that. Null where that
 * is not possible any more.
 */
export async function answerInteraction(
  as: 'original' | 'follow-up',
  part: Part,
  { to, account, tools }: Context,
): Promise<z.infer<typeof sentSchema> | null> {
  const { interaction } = part;
  if (interaction === null || interaction.goodUntil <= tools.now().getTime()) return null;
  if (as === 'original' && !mayTakeItsPlace(part, addressOf(to))) return null;
  const hook = `/webhooks/${account.credentials.application_id}/${interaction.token}`;
  const call = { token: interaction.token, body: messageBody(part, to.lane), result: sentSchema };
  const outcome =
    as === 'original'
      ? await callDiscord({ ...call, method: 'PATCH', path: `${hook}/messages/@original` }, account, tools)
      : await callDiscord({ ...call, method: 'POST', path: `${hook}?wait=true` }, account, tools);
  if (outcome.ok) return outcome.result;
  if (isOver(outcome.refusal)) return null;
  throw refusalError(outcome.refusal, tools.now());
}

/** A person's word is not put over what we answered before. */
function mayTakeItsPlace({ isFirst, author, interaction }: Part, address: Address): boolean {
  return isFirst && (author === 'bot' || address.interaction?.token === interaction?.token);
}

/** It was never shown as "thinking", was deleted, or is too old. */
function isOver({ status }: Refusal): boolean {
  return [401, 403, 404].includes(status);
}
