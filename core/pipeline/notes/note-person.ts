import type { Transaction } from 'kysely';
import type { InboundEvent } from '../../contract/inbound-event.ts';
import { storeMessage } from '../../conversations/store-message.ts';
import type { Tables } from '../../storage/tables.ts';
import type { LaneKey } from '../lane-key.ts';
import type { OpenAccount } from '../open-account.ts';
import { requireConversation } from '../require-conversation.ts';

interface Noted {
  readonly key: LaneKey;
  readonly open: OpenAccount;
  readonly event: Extract<InboundEvent, { type: 'person-replied' }>;
  readonly now: Date;
}

/** A person wrote to the visitor without us: what he said is kept, and the conversation is his. */
export async function notePerson(
  transaction: Transaction<Tables>,
  { key, open, event, now }: Noted,
): Promise<void> {
  const { conversation: to, sender, text, messageId } = event;
  const conversationId = await requireConversation(transaction, {
    key,
    open,
    to,
    customer: null,
    heardAt: null,
    now,
  });
  await storeMessage(transaction, {
    workspaceId: open.workspaceId,
    conversationId,
    role: 'agent',
    content: text,
    metadata: { channel_message_ids: [messageId], sender: { id: sender.id, name: sender.name } },
    author: sender.email ?? sender.name ?? sender.id,
    now,
  });
}
