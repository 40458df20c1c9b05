import { storeMessage } from '../conversations/store-message.ts';
import { tellingTransaction } from '../webhooks/telling-transaction.ts';
import { beginInLane, senderCustomer } from './begin-in-lane.ts';
import { type HeldLane, requireHeld } from './hold-lane.ts';
import { setLaneConversation } from './lane-conversation.ts';
import { markHandled } from './mark-handled.ts';
import { messageMetadata } from './message-metadata.ts';
import type { VisitorTurn } from './next-step.ts';
import type { OpenAccount } from './open-account.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

interface Said {
  readonly held: HeldLane;
  readonly open: OpenAccount;
  readonly turn: VisitorTurn;
  readonly numbers: readonly string[];
  /** Null where it begins one. */
  readonly conversationId: string | null;
}

/** Stores what a visitor says to the person who has the conversation. */
export async function keepSilent(
  { database, clock, wakeDeliveries }: Pick<PipelineDependencies, 'database' | 'clock' | 'wakeDeliveries'>,
  { held, open, turn, numbers, conversationId: known }: Said,
): Promise<void> {
  const now = clock.now();
  await tellingTransaction({ database: database.kysely, wakeDeliveries }, async (transaction) => {
    await requireHeld(transaction, held);
    const conversationId =
      known ??
      (await beginInLane(transaction, { key: held, open, customer: senderCustomer(turn.sender), now }));
    if (!asksAgain(turn)) {
      await storeMessage(transaction, {
        workspaceId: open.workspaceId,
        conversationId,
        role: 'user',
        content: turn.text,
        metadata: messageMetadata(turn),
        author: null,
        now,
      });
    }
    await setLaneConversation(transaction, held, {
      to: turn.conversation,
      conversationId,
      heardAt: turn.sentAt,
    });
    await markHandled(transaction, { channelId: held.channelId, numbers, now });
  });
}

/** Who presses for the person who has his conversation already says nothing new. */
function asksAgain({ command, text }: VisitorTurn): boolean {
  return command === 'human' && text === '';
}
