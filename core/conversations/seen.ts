import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables/tables.ts';

interface SeenPosition {
  readonly personId: string;
  readonly conversationId: string;
  /** Position of the last message that the person has seen. */
  readonly position: number;
  readonly at: Date;
  /** Whether the position may go back, because the person marks messages as unread. Otherwise it only grows. */
  readonly mayGoBack?: boolean;
}

/** Stores how far a person has read a conversation. Returns the position that is stored now. */
export async function storeSeen(
  database: Kysely<Tables>,
  { personId, conversationId, position, at, mayGoBack = false }: SeenPosition,
): Promise<number> {
  const stored = await database
    .insertInto('conversation_seen')
    .values({ person_id: personId, conversation_id: conversationId, position, seen_at: at })
    .onConflict((conflict) =>
      conflict.columns(['person_id', 'conversation_id']).doUpdateSet((set) => ({
        position: mayGoBack
          ? set.ref('excluded.position')
          : set.fn<number>('greatest', ['conversation_seen.position', 'excluded.position']),
        seen_at: set.ref('excluded.seen_at'),
      })),
    )
    .returning('position')
    .executeTakeFirstOrThrow();
  return stored.position;
}
