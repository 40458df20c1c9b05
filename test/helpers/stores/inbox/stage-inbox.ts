import type { Kysely } from 'kysely';
import { newId } from '../../../../core/base/ids.ts';
import { extractSearchTerms } from '../../../../core/conversations/messages/messages.ts';
import type { Tables } from '../../../../core/storage/tables/tables.ts';

interface StagedConversation {
  readonly name?: string | null;
  readonly phone?: string;
  readonly channel?: string;
  /** The text of the last message, by the visitor unless `role` says otherwise. */
  readonly text?: string;
  readonly role?: 'user' | 'assistant';
  /** Minutes since. */
  readonly ago?: number;
  readonly status?: 'open' | 'claimed' | 'escalated' | 'snoozed' | 'resolved';
  readonly assignee?: string;
  readonly tags?: readonly string[];
  readonly priority?: 'low' | 'normal' | 'high' | 'urgent';
}

interface Stage {
  readonly database: Kysely<Tables>;
  readonly workspaceId: string;
  readonly now?: Date;
}

/** Writes conversations of two messages as they stand after a visitor wrote. Returns their ids in the same order. */
export async function stageInbox(
  { database, workspaceId, now = new Date() }: Stage,
  conversations: readonly StagedConversation[],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const staged of conversations) {
    const id = newId('conv');
    ids.push(id);
    const {
      name = null,
      text = 'Is the pump covered?',
      role = 'user',
      ago = 5,
      status = 'escalated',
    } = staged;
    const { channel = 'widget', assignee, tags = [], priority = 'normal' } = staged;
    const at = new Date(now.getTime() - ago * 60_000);
    const isHandedOver = status === 'claimed' || status === 'escalated';
    await database
      .insertInto('conversation')
      .values({
        ...{ id, workspace_id: workspaceId, channel, status, priority },
        session_id: `chan_x:${id}`,
        started_at: new Date(at.getTime() - 60_000),
        last_message_at: at,
        updated_at: at,
        message_count: 2,
        visitor_position: role === 'user' ? 1 : 0,
        resolved_at: status === 'resolved' ? at : null,
        handover_since: isHandedOver ? at : null,
        unanswered_since: isHandedOver ? at : null,
        snooze_until: status === 'snoozed' ? new Date(now.getTime() + 86_400_000) : null,
        assignee_id: assignee ?? null,
        assigned_at: assignee === undefined ? null : at,
        customer_name: name,
        customer_phone: staged.phone ?? null,
        tags: [...tags],
      })
      .execute();
    const said = [
      {
        role: role === 'user' ? 'assistant' : 'user',
        content: 'Yes. The pump and float are covered for 2 years.',
      },
      { role, content: text },
    ] as const;
    for (const [position, message] of said.entries()) {
      await database
        .insertInto('message')
        .values({
          ...message,
          ...{ id: newId('msg'), conversation_id: id, workspace_id: workspaceId, position },
          created_at: new Date(at.getTime() - (1 - position) * 10_000),
          terms: [...extractSearchTerms(workspaceId, message.content)],
        })
        .execute();
    }
  }
  return ids;
}
