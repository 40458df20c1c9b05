import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { writeAudit } from '../conversations/write-audit.ts';
import { AppError } from '../errors.ts';
import type { Tables } from '../storage/tables.ts';
import { tellSessionsEnded } from './tell-sessions-ended.ts';

interface Stores {
  readonly database: { readonly kysely: Kysely<Tables> };
  readonly clock: Clock;
}

interface Addressed {
  readonly workspaceId: string;
  readonly conversationId: string;
}

/**
 * Ends all sessions of the visitor whose conversation it is, on every device of his: how many there were, none where its
 * channel has no sessions of ours. Throws `conversation_not_found`.
 */
export function endSessions(
  { database, clock }: Stores,
  { workspaceId, conversationId: id }: Addressed,
): Promise<number> {
  return database.kysely.transaction().execute(async (transaction) => {
    const conversation = await transaction
      .selectFrom('conversation')
      .select(['session_id', 'channel'])
      .where('id', '=', id)
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst();
    if (conversation === undefined) throw new AppError('conversation_not_found');
    const { session_id: visitorId, channel } = conversation;
    if (visitorId === null || !['widget', 'hosted'].includes(channel)) return 0;
    const ended = await sql`
      delete from visitor_session using visitor
      where visitor.id = visitor_id and visitor.id = ${visitorId} and workspace_id = ${workspaceId}
    `.execute(transaction);
    const sessions = Number(ended.numAffectedRows ?? 0n);
    if (sessions === 0) return 0;
    await tellSessionsEnded(transaction, visitorId);
    const told = { id, workspaceId, actor: 'operator', at: clock.now() };
    await writeAudit(transaction, told, [{ action: 'sessions_ended', details: { sessions } }]);
    return sessions;
  });
}
