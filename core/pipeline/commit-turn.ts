import type { Transaction } from 'kysely';
import type { Answer } from '../answering/answer.ts';
import type { Reply } from '../contract/connector.ts';
import type { StoredTurn } from '../conversations/turn.ts';
import type { Tables } from '../storage/tables.ts';
import { type HeldLane, requireHeld } from './hold-lane.ts';
import { setLaneConversation } from './lane-conversation.ts';
import { markHandled } from './mark-handled.ts';
import type { VisitorTurn } from './next-step.ts';
import type { OpenAccount } from './open-account.ts';
import { queueReply } from './queue-reply.ts';

/** A person took the conversation over while its answer was made: that is not said any more. */
export class TakenOver extends Error {
  constructor() {
    super('a person took the conversation over');
    this.name = 'TakenOver';
  }
}

interface Committed {
  readonly held: HeldLane;
  readonly open: OpenAccount;
  readonly turn: VisitorTurn;
  readonly numbers: readonly string[];
  readonly now: Date;
}

const sourcesShown = 3;

/**
 * Stores, in the transaction of an answer, what is to be sent of it and that its events are dealt with: none is without
 * the others. Throws TakenOver and LaneLost.
 */
export async function commitTurn(
  transaction: Transaction<Tables>,
  { held, open, turn, numbers, now }: Committed,
  stored: StoredTurn & { readonly answer: Answer },
): Promise<void> {
  await requireHeld(transaction, held);
  const { status } = await transaction
    .selectFrom('conversation')
    .select('status')
    .where('id', '=', stored.conversationId)
    .executeTakeFirstOrThrow();
  if (status === 'claimed') throw new TakenOver();
  const to = turn.conversation;
  const { account, connector, workspaceId } = open;
  await setLaneConversation(transaction, held, { to, conversationId: stored.conversationId });
  await queueReply(transaction, {
    channelId: held.channelId,
    workspaceId,
    conversationId: stored.conversationId,
    messageId: stored.messageId,
    author: 'bot',
    to,
    parts: connector.render(replyOf(stored.answer, turn), to, account),
    now,
  });
  await markHandled(transaction, { channelId: held.channelId, numbers, now });
}

/** Near misses are no sources of what is said. */
function replyOf({ text, sources, confidence }: Answer, { messageIds }: VisitorTurn): Reply {
  const shown = confidence === 'low' ? [] : sources.slice(0, sourcesShown);
  const distinct = new Map(shown.map(({ documentId, title, url }) => [documentId, { title, url }]));
  return { text, sources: [...distinct.values()], replyTo: messageIds.at(-1) ?? null };
}
