import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { ConversationRef } from '../contract/account.ts';
import type { OutboundPart, Reply } from '../contract/reply.ts';
import type { Draft } from '../contract/streaming.ts';
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

const json = z.json();

/** The oldest of them, due or not: what comes after it waits for it. */
export async function nextPart(
  database: Kysely<Tables>,
  { channelId, lane }: LaneKey,
): Promise<WaitingPart | null> {
  const row = await database
    .selectFrom('outbound_part')
    .innerJoin('lane', (join) =>
      join
        .onRef('lane.channel_id', '=', 'outbound_part.channel_id')
        .onRef('lane.lane', '=', 'outbound_part.lane'),
    )
    .innerJoin('conversation', 'conversation.id', 'outbound_part.conversation_id')
    .select([
      'outbound_part.number',
      'outbound_part.content',
      'outbound_part.attempts',
      'outbound_part.next_attempt_at',
      'outbound_part.created_at',
      'outbound_part.author',
      'outbound_part.draft',
      'outbound_part.message_id',
      'lane.address',
      'lane.heard_at',
      'lane.opted_out',
      'conversation.status',
    ])
    .where('outbound_part.channel_id', '=', channelId)
    .where('outbound_part.lane', '=', lane)
    .where('outbound_part.status', '=', 'waiting')
    .orderBy('outbound_part.number')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    number: row.number,
    part: { content: json.parse(row.content), key: row.number },
    draft: row.draft === null ? null : { state: json.parse(row.draft) },
    to: { lane, address: json.parse(row.address) },
    attempts: row.attempts,
    dueAt: row.next_attempt_at,
    since: row.created_at,
    isOvertaken: row.author === 'bot' && row.status === 'claimed',
    isUnwanted: row.opted_out,
    heardAt: row.heard_at,
    messageId: row.message_id,
    author: row.author === 'agent' ? 'agent' : 'bot',
  };
}
