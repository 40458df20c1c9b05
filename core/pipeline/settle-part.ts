import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import type { HeldLane } from './hold-lane.ts';
import { nextPartSchema, type WaitingPart, waitingPartOf } from './next-part.ts';

/** Says why a part is not sent, after so many tries. */
export async function settlePart(
  database: Kysely<Tables>,
  { number, attempts }: WaitingPart,
  { status, failure }: { readonly status: 'failed' | 'dead' | 'withheld'; readonly failure: string },
): Promise<void> {
  await database
    .updateTable('outbound_part')
    .set({ status, attempts, failure })
    .where('number', '=', number)
    .where('status', '=', 'waiting')
    .execute();
}

interface Sent {
  readonly held: HeldLane;
  readonly part: WaitingPart;
  readonly sentAt: Date;
  readonly platformMessageId: string;
}

/** A part was sent, after so many tries. What is to be sent next; null where nothing is: then the lane is let go of. */
export async function settleSent(
  database: Kysely<Tables>,
  { held, part: { number, attempts }, sentAt, platformMessageId }: Sent,
): Promise<WaitingPart | null> {
  const { channelId, lane, token } = held;
  const { rows } = await sql<{ next: unknown }>`
    select settle_sent_part(${channelId}, ${lane}, ${token}, ${number}, ${attempts}, ${platformMessageId}, ${sentAt}) as next
  `.execute(database);
  const next = nextPartSchema.nullable().parse(rows[0]?.next ?? null);
  return next && waitingPartOf(next, held);
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
