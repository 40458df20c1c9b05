import type { Kysely } from 'kysely';
import { z } from 'zod';
import { prepared } from '../storage/prepared.ts';
import type { Tables } from '../storage/tables.ts';
import type { LaneKey } from './lane-key.ts';
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

/** A part that a platform took. */
export interface Sent extends LaneKey, Pick<WaitingPart, 'number' | 'attempts'> {
  /** Of whoever sends in the lane. */
  readonly token: string;
  /** Of whoever answers in it meanwhile, where he sends as well. */
  readonly answering?: string | undefined;
  readonly platformMessageId: string;
  readonly sentAt: Date;
}

/** What is to be sent next; null where nothing is: then the lane is let go of. */
export interface Settled {
  readonly next: WaitingPart | null;
  /** Whether it was let go of by who answers in it as well, as nothing waits there. */
  readonly isAnswered: boolean;
}

const settled = z.object({ next: nextPartSchema.nullable(), let_go: z.boolean() });

const settling = prepared<{ done: unknown }>(
  'select settle_sent_part($1, $2, $3, $4, $5, $6, $7, $8) as done',
);

/** A part was sent, after so many tries. */
export async function settleSent(database: Kysely<Tables>, sent: Sent): Promise<Settled> {
  const { channelId, lane, token, answering, number, attempts, platformMessageId, sentAt } = sent;
  const values = [channelId, lane, token, answering ?? null, number, attempts, platformMessageId, sentAt];
  const [row] = await settling(database, values);
  const { next, let_go: isAnswered } = settled.parse(row?.done);
  return { next: next && waitingPartOf(next, sent), isAnswered };
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
