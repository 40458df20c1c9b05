import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Tables } from '../storage/tables.ts';
import { findConversation } from './find-conversation.ts';
import type { InboxUser } from './inbox-user.ts';
import { writeAudit } from './write-audit.ts';

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

/** Its messages and notes go with it, what was told of its changes stays. Throws `conversation_not_found`. */
export async function deleteConversation(
  { database, clock }: Stores,
  user: InboxUser,
  id: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const { row } = await findConversation(transaction, { user, id, lock: true });
    await transaction.deleteFrom('conversation').where('id', '=', id).execute();
    const deleted = { id, workspaceId: row.workspace_id, actor: user.name, at: clock.now() };
    const details = { status: row.status, message_count: row.message_count };
    await writeAudit(transaction, deleted, [{ action: 'deleted', details }]);
  });
}
