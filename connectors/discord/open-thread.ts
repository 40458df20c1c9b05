import { z } from 'zod';
import type { Tools } from '../../core/contract/account.ts';
import type { Address } from './address.ts';
import { callDiscord } from './call-discord.ts';
import type { DiscordAccount } from './manifest.ts';
import { type Refusal, refusalError } from './refusal.ts';

type Question = Extract<Address, { kind: 'question' }>;
type Place = Extract<Address, { kind: 'thread' | 'channel' }>;

/** Discord's code for a message that a thread was made from already. */
const ALREADY_THERE = 160_004;

/** A thread has the id of the message that it is made from. Where none can be made, the answer is a reply. */
export async function openThread(question: Question, account: DiscordAccount, tools: Tools): Promise<Place> {
  const { channel, message, user, title, interaction } = question;
  const path = `/channels/${channel}/messages/${message}/threads`;
  const outcome = await callDiscord(
    { method: 'POST', path, body: { name: title }, result: z.unknown() },
    account,
    tools,
  );
  if (outcome.ok || outcome.refusal.code === ALREADY_THERE) {
    return { kind: 'thread', channel: message, interaction };
  }
  if (!isForGood(outcome.refusal)) throw refusalError(outcome.refusal, tools.now());
  tools.log.warn({ because: outcome.refusal.words }, 'no thread could be made: the answer is a reply');
  return { kind: 'channel', channel, user, message, interaction };
}

/** No permission, a channel of another kind, too many threads, or a question that was deleted meanwhile. */
function isForGood({ status }: Refusal): boolean {
  return [400, 403, 404].includes(status);
}
