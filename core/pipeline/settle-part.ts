import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { batchOf, batchRows } from '../storage/batch.ts';
import { prepared } from '../storage/prepared.ts';
import type { Tables } from '../storage/tables.ts';
import { tellingTransaction } from '../webhooks/telling-transaction.ts';
import { byLane } from './by-lane.ts';
import type { LaneKey } from './lane-key.ts';
import { nextPartSchema, type WaitingPart, waitingPartOf } from './next-part.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

/** Of a part that is found by its number: in the form of an index of all that wait, that index might be read to its end. */
const isWaiting = sql<boolean>`status || '' = 'waiting'`;

/** Stores why a part is not sent, after so many tries. Webhooks are told of a message that will not be sent. */
export async function settlePart(
  { database, wakeDeliveries }: Pick<PipelineDependencies, 'database' | 'wakeDeliveries'>,
  { number, attempts }: WaitingPart,
  { status, failure }: { readonly status: 'failed' | 'dead' | 'withheld'; readonly failure: string },
): Promise<void> {
  await tellingTransaction({ database: database.kysely, wakeDeliveries }, (transaction) =>
    transaction
      .updateTable('outbound_part')
      .set({ status, attempts, failure })
      .where('number', '=', number)
      .where(isWaiting)
      .execute(),
  );
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

/** Of `sentRow`, each with its type. */
export const sentColumns = {
  channel_id: 'text',
  lane: 'text',
  token: 'text',
  answering: 'text',
  number: 'bigint',
  attempts: 'integer',
  platform_message_id: 'text',
  sent_at: 'timestamptz',
} as const;

/** SQL for what `settledOf` reads, of these columns under the name `asked`. */
export const settling = `settle_sent_part(
  asked.channel_id, asked.lane, asked.token, asked.answering, asked.number, asked.attempts, asked.platform_message_id,
  asked.sent_at
)`;

const settlingAll = prepared<{ number: string; done: unknown }>(`
  select number, ${settling} as done from ${batchRows(sentColumns)}
`);

/** Parts were sent: what comes after each of them. */
export async function settleSent(
  database: Kysely<Tables>,
  sent: readonly Sent[],
): Promise<(one: Sent) => Settled> {
  const told = await settlingAll(database, batchOf(sent.toSorted(byLane).map(sentRow)));
  const byNumber = new Map(told.map(({ number, done }) => [number, done]));
  return (one) => settledOf(one, byNumber.get(one.number));
}

export function sentRow(one: Sent): Readonly<Record<keyof typeof sentColumns, unknown>> {
  return {
    channel_id: one.channelId,
    lane: one.lane,
    token: one.token,
    answering: one.answering,
    number: one.number,
    attempts: one.attempts,
    platform_message_id: one.platformMessageId,
    sent_at: one.sentAt.toISOString(),
  };
}

/** What comes after a part, from what `settling` came to. */
export function settledOf(sent: Sent, done: unknown): Settled {
  const { next, let_go: isAnswered } = settled.parse(done);
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
    isInDoubt = false,
  }: {
    readonly at: Date;
    readonly attempts: number;
    readonly failure: string | null;
    /** Whether it may have been taken. */
    readonly isInDoubt?: boolean;
  },
): Promise<void> {
  await database
    .updateTable('outbound_part')
    .set({
      next_attempt_at: at,
      attempts,
      ...(failure !== null && { failure }),
      ...(isInDoubt && { in_doubt: true }),
    })
    .where('number', '=', number)
    .where(isWaiting)
    .execute();
}
