import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Json } from '../contract/json.ts';
import { batchOf, batchRows } from '../storage/batch.ts';
import { prepared } from '../storage/prepared.ts';
import { storedJson } from '../storage/stored-json.ts';
import type { Tables } from '../storage/tables.ts';
import { planSchema } from '../workspaces/plan.ts';
import { presentWorkspace } from '../workspaces/present-workspace.ts';
import type { Workspace } from '../workspaces/workspaces.ts';
import { byLane } from './by-lane.ts';
import { type LaneConversation, lanesConversation } from './lane-conversation.ts';
import type { LaneKey } from './lane-key.ts';
import { leaseSeconds } from './lane-lease.ts';

export interface WaitingEvent {
  readonly number: string;
  readonly native: Json;
  /** Until it is whole, or may be tried again; 0 for now. By the database's clock, as all that decides about it. */
  readonly waitMs: number;
  /** Tries so far. */
  readonly attempts: number;
  readonly receivedAt: Date;
}

/** What is to be done in a lane, and what it takes to do it. */
export interface LaneWork {
  /** Oldest first. */
  readonly events: readonly WaitingEvent[];
  /** Whether we take part in the conversation. */
  readonly isJoined: boolean;
  readonly isOptedOut: boolean;
  /** The one that goes on; null where what is said begins one. */
  readonly conversation: LaneConversation | null;
  /** Null where it is deleted. */
  readonly workspace: Workspace | null;
}

/** More than a burst holds; what is over comes next. */
export const mostEvents = 50;

const schema = z
  .object({
    opted_out: z.boolean(),
    joined: z.boolean(),
    conversation: z
      .object({
        id: z.string(),
        session_id: z.string().nullable(),
        status: z.string(),
        resolved_at: z.coerce.date().nullable(),
      })
      .nullable(),
    workspace: z
      .object({
        id: z.string(),
        owner_id: z.string(),
        name: z.string(),
        plan: planSchema,
        settings: z.unknown(),
        public_token: z.string(),
        created_at: z.string(),
        own_skills: z.boolean(),
      })
      .nullable(),
    events: z.array(
      z.object({
        number: z.string(),
        native: storedJson,
        attempts: z.number(),
        received_at: z.coerce.date(),
        wait_ms: z.number(),
      }),
    ),
  })
  .nullish();

const looking = prepared<{ work: unknown }>('select lane_work($1, $2, $3) as work');
const taking = prepared<{ token: string; work: unknown }>(`
  select token, take_lane_work(channel_id, lane, token, make_interval(secs => $3), $4) as work
  from ${batchRows({ channel_id: 'text', lane: 'text', token: 'text' })}
`);

/** What waits in a lane; null where its channel is gone. */
export async function laneWork(
  database: Kysely<Tables>,
  { channelId, lane }: LaneKey,
  now: Date,
): Promise<LaneWork | null> {
  const [row] = await looking(database, [channelId, lane, mostEvents]);
  return workOf(row?.work, now);
}

/** A lane, and what shows that it is held. */
export interface TakenLane extends LaneKey {
  readonly token: string;
}

/** Takes lanes to answer in them, and tells what waits in each of them; null where somebody else has it. */
export async function takeLaneWork(
  database: Kysely<Tables>,
  lanes: readonly TakenLane[],
  now: Date,
): Promise<(lane: TakenLane) => LaneWork | null> {
  const rows = lanes
    .toSorted(byLane)
    .map(({ channelId, lane, token }) => ({ channel_id: channelId, lane, token }));
  const taken = await taking(database, [...batchOf(rows), leaseSeconds, mostEvents]);
  const byToken = new Map(taken.map(({ token, work }) => [token, work]));
  return ({ token }) => workOf(byToken.get(token), now);
}

/** Null where a lane was not taken. */
export function workOf(work: unknown, now: Date): LaneWork | null {
  const told = schema.parse(work);
  if (told == null) return null;
  const { events, joined, opted_out, conversation, workspace } = told;
  return {
    events: events.map(({ number, native, attempts, received_at, wait_ms }) => ({
      number,
      native,
      waitMs: Math.ceil(wait_ms),
      attempts,
      receivedAt: received_at,
    })),
    isJoined: joined,
    isOptedOut: opted_out,
    conversation: conversation && lanesConversation(conversation, now),
    workspace: workspace && presentWorkspace(workspace),
  };
}
