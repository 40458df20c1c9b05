import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables.ts';

interface Handled {
  readonly channelId: string;
  readonly numbers: readonly string[];
  readonly now: Date;
}

/** What came is dealt with. Its words are in the conversation, and go with that: only its id is kept. */
export async function markHandled(
  database: Kysely<Tables>,
  { channelId, numbers, now }: Handled,
): Promise<void> {
  if (numbers.length === 0) return;
  await database
    .updateTable('inbound_event')
    .set({ handled_at: now, native: 'null' })
    .where('channel_id', '=', channelId)
    .where('number', 'in', [...numbers])
    .execute();
}
