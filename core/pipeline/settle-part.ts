import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import type { WaitingPart } from './next-part.ts';

type Settled =
  | { readonly status: 'sent'; readonly sentAt: Date; readonly platformMessageId: string }
  | { readonly status: 'failed' | 'dead' | 'withheld'; readonly failure: string };

/** Says what became of a part, after so many tries. */
export async function settlePart(
  database: Kysely<Tables>,
  { number, attempts }: WaitingPart,
  settled: Settled,
): Promise<void> {
  const columns =
    settled.status === 'sent'
      ? {
          status: settled.status,
          sent_at: settled.sentAt,
          platform_message_id: settled.platformMessageId,
          attempts,
          failure: null,
        }
      : { status: settled.status, attempts, failure: settled.failure };
  await database
    .updateTable('outbound_part')
    .set(columns)
    .where('number', '=', number)
    .where('status', '=', 'waiting')
    .execute();
}

/** A part waits for another time. */
export async function postpone(
  database: Kysely<Tables>,
  { number }: WaitingPart,
  {
    at,
    attempts,
    failure,
  }: { readonly at: Date; readonly attempts: number; readonly failure: string | null },
): Promise<void> {
  await database
    .updateTable('outbound_part')
    .set({ next_attempt_at: at, attempts, ...(failure !== null && { failure }) })
    .where('number', '=', number)
    .where('status', '=', 'waiting')
    .execute();
}
