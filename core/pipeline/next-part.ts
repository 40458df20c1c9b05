import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { ConversationRef } from '../contract/account.ts';
import type { OutboundPart, Reply } from '../contract/reply.ts';
import type { Draft } from '../contract/streaming.ts';
import { prepared } from '../storage/prepared.ts';
import { storedJson } from '../storage/stored-json.ts';
import type { Tables } from '../storage/tables.ts';
import type { LaneKey } from './lane-key.ts';

/** What is to be sent next in a lane. */
export interface WaitingPart {
  readonly number: string;
  readonly part: OutboundPart;
  readonly to: ConversationRef;
  /** What was shown of it while it was made: it takes the place of that; null where nothing was. */
  readonly draft: Draft | null;
  /** Tries so far. */
  readonly attempts: number;
  readonly dueAt: Date;
  /** Whether the platform may have taken it in an earlier try, which nobody heard the end of. */
  readonly isInDoubt: boolean;
  /** When it was written. */
  readonly since: Date;
  /** Whether it is ours, and a person has the conversation now. */
  readonly isOvertaken: boolean;
  /** Whether the visitor asked us not to write to him. */
  readonly isUnwanted: boolean;
  /** When he was last heard of. */
  readonly heardAt: Date | null;
  readonly messageId: string;
  readonly author: Reply['author'];
}

/** As `next_part` tells it. */
export const nextPartSchema = z.object({
  number: z.string(),
  content: storedJson,
  attempts: z.number(),
  due_at: z.coerce.date(),
  in_doubt: z.boolean(),
  since: z.coerce.date(),
  author: z.enum(['bot', 'agent']),
  draft: storedJson,
  message_id: z.string(),
  address: storedJson,
  heard_at: z.coerce.date().nullable(),
  opted_out: z.boolean(),
  status: z.string(),
});

const looking = prepared<{ next: unknown }>('select next_part($1, $2) as next');

/** The oldest of them, due or not: what comes after it waits for it. */
export async function nextPart(database: Kysely<Tables>, key: LaneKey): Promise<WaitingPart | null> {
  const [row] = await looking(database, [key.channelId, key.lane]);
  const next = nextPartSchema.nullable().parse(row?.next ?? null);
  return next && waitingPartOf(next, key);
}

export function waitingPartOf(
  next: z.output<typeof nextPartSchema>,
  { lane }: Pick<LaneKey, 'lane'>,
): WaitingPart {
  return {
    number: next.number,
    part: { content: next.content, key: next.number },
    draft: next.draft === null ? null : { state: next.draft },
    to: { lane, address: next.address },
    attempts: next.attempts,
    dueAt: next.due_at,
    isInDoubt: next.in_doubt,
    since: next.since,
    isOvertaken: next.author === 'bot' && next.status === 'claimed',
    isUnwanted: next.opted_out,
    heardAt: next.heard_at,
    messageId: next.message_id,
    author: next.author,
  };
}
