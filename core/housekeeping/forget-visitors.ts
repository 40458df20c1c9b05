import { sql } from 'kysely';
import { batchRows, type TaskContext } from './task.ts';

/** Removes sessions that are over, and visitors of whom neither a session nor a conversation is left. */
export async function forgetVisitors({ transaction, now }: TaskContext): Promise<number> {
  const sessions = await sql`
    delete from visitor_session where token_hash in (
      select token_hash from visitor_session where expires_at < ${now} limit ${batchRows} for update skip locked
    )
  `.execute(transaction);
  const visitors = await sql`
    delete from visitor where id in (
      select id from visitor
      where not exists (select from visitor_session where visitor_id = visitor.id)
        and not exists (
          select from conversation
          where session_id = visitor.id and channel in ('widget', 'hosted')
        )
      limit ${batchRows}
      for update skip locked
    )
  `.execute(transaction);
  return Math.max(Number(sessions.numAffectedRows ?? 0n), Number(visitors.numAffectedRows ?? 0n));
}
