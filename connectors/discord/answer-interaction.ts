import type { z } from 'zod';
import type { ConversationRef, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { type Address, addressOf } from './address.ts';
import { callDiscord } from './call-discord.ts';
import { EPHEMERAL } from './is-private.ts';
import type { DiscordAccount } from './manifest.ts';
import { messageBody } from './message-body.ts';
import type { Part } from './part.ts';
import { type Refusal, refusalError } from './refusal.ts';
import { sentSchema } from './sent-schema.ts';
import { TOKEN_LIFE_MS } from './token-life.ts';

/** Discord's code for a command that it does not show as "thinking". */
const UNKNOWN = 10_015;
/** So long after a command it may still be on its way that it was heard. */
const FRESH_MS = 3_000;
const SOON_MS = 1_500;

export interface Context {
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
  const body = messageBody(part, to.lane);
  const call = { token: interaction.token, result: sentSchema };
  const outcome =
    as === 'original'
      ? await callDiscord(
          { ...call, body, method: 'PATCH', path: `${hook}/messages/@original` },
          account,
          tools,
        )
      : await callDiscord(
          { ...call, body: alone(body, part), method: 'POST', path: `${hook}?wait=true` },
          account,
          tools,
        );
  if (outcome.ok) return outcome.result;
  if (isTooSoon(outcome.refusal, interaction, tools.now())) {
    throw new ConnectorError('Discord does not show the command as heard yet.', {
      advice: { retry: 'after', afterMs: SOON_MS },
    });
  }
  if (isOver(outcome.refusal)) return null;
  throw refusalError(outcome.refusal, tools.now());
}

/** What takes the place of "thinking" is seen by whom that is shown to; what follows it says so of itself. */
function alone<Body extends { flags?: number | undefined }>(body: Body, { interaction }: Part): Body {
  return interaction?.isPrivate === true ? { ...body, flags: (body.flags ?? 0) | EPHEMERAL } : body;
}

/** A person's word is not put over what we answered before. */
function mayTakeItsPlace({ isFirst, author, interaction }: Part, { interaction: waiting }: Address): boolean {
  if (waiting?.token !== interaction?.token) return isFirst && author === 'bot';
  return isFirst && waiting?.isUsed !== true;
}

/** An answer may overtake the word that the command was heard: said elsewhere, it would leave "thinking" for good. */
function isTooSoon({ code }: Refusal, { goodUntil }: { readonly goodUntil: number }, now: Date): boolean {
  const ageMs = now.getTime() - (goodUntil - TOKEN_LIFE_MS);
  // Clocks differ.
  return code === UNKNOWN && Math.abs(ageMs) < FRESH_MS;
}

/** It was never shown as "thinking", was deleted, or is too old. */
function isOver({ status }: Refusal): boolean {
  return [401, 403, 404].includes(status);
}
