import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { storedJson } from '../../base/text.ts';
import type { Json } from '../../contract/account.ts';
import { MicroBatcher } from '../../storage/micro-batcher.ts';
import { batchParameters, batchRows, prepareStatement } from '../../storage/prepared-statements.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { planSchema } from '../../workspaces/workspace-settings.ts';
import { type Workspace, workspaceFromRow } from '../../workspaces/workspaces.ts';
import { compareLanes, type LaneKey, laneSessionId, leaseSeconds } from './lane.ts';
import { type LaneConversation, laneConversationFromRow } from './lane-conversation.ts';

export interface WaitingEvent {
  readonly number: string;
  /** The platform's id. */
  readonly eventId: string;
  readonly native: Json;
  /**
   * Time until the event is complete or may be retried, 0 if it is due. The database's clock measures it, as it does
   * for every decision about the event.
   */
  readonly waitMs: number;
  /** Number of attempts so far. */
  readonly attempts: number;
  readonly receivedAt: Date;
}

/** The waiting events of a lane and the data needed to handle them. */
export interface LaneWork {
  /** Oldest first. */
  readonly events: readonly WaitingEvent[];
  /** True if the bot takes part in the conversation. */
  readonly isJoined: boolean;
  readonly isOptedOut: boolean;
  /** The open conversation. Null if the next message starts one. */
  readonly conversation: LaneConversation | null;
  /** Null if the workspace was deleted. */
  readonly workspace: Workspace | null;
}

/** More than a typical burst. The rest follows in the next round. */
export const maxEvents = 50;

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
        disclosed_at: z.coerce.date().nullable(),
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
        correction: z.unknown(),
      })
      .nullable(),
    events: z.array(
      z.object({
        number: z.string(),
        event: z.string(),
        native: storedJson,
        attempts: z.number(),
        received_at: z.coerce.date(),
        wait_ms: z.number(),
      }),
    ),
  })
  .nullish();

const laneWorkSql = prepareStatement<{ work: unknown }>('select lane_work($1, $2, $3) as work');
const leaseSql = prepareStatement<{ token: string; work: unknown }>(`
  select token, lease_lane_work(channel_id, lane, token, make_interval(secs => $3), $4) as work
  from ${batchRows({ channel_id: 'text', lane: 'text', token: 'text' })}
`);

/** Loads the waiting events of a lane. Null if the channel no longer exists. */
export async function loadLaneWork(
  database: Kysely<Tables>,
  { channelId, lane }: LaneKey,
  now: Date,
): Promise<LaneWork | null> {
  const [row] = await laneWorkSql(database, [channelId, lane, maxEvents]);
  return parseLaneWork(row?.work, now);
}

/** A lane and the token of its lease. */
interface LeasedLane extends LaneKey {
  readonly token: string;
}

/**
 * Acquires the leases of several lanes and loads their work. The returned function gives a lane's
 * work, or null if another worker holds the lease.
 */
export async function leaseLaneWork(
  database: Kysely<Tables>,
  lanes: readonly LeasedLane[],
  now: Date,
): Promise<(lane: LeasedLane) => LaneWork | null> {
  const rows = lanes
    .toSorted(compareLanes)
    .map(({ channelId, lane, token }) => ({ channel_id: channelId, lane, token }));
  const leased = await leaseSql(database, [...batchParameters(rows), leaseSeconds, maxEvents]);
  const byToken = new Map(leased.map(({ token, work }) => [token, work]));
  return ({ token }) => parseLaneWork(byToken.get(token), now);
}

/** Null if the lease was not acquired. */
export function parseLaneWork(work: unknown, now: Date): LaneWork | null {
  const parsed = schema.parse(work);
  if (parsed == null) return null;
  const { events, joined, opted_out, conversation, workspace } = parsed;
  return {
    events: events.map(({ number, event, native, attempts, received_at, wait_ms }) => ({
      number,
      eventId: event,
      native,
      waitMs: Math.ceil(wait_ms),
      attempts,
      receivedAt: received_at,
    })),
    isJoined: joined,
    isOptedOut: opted_out,
    conversation: conversation && laneConversationFromRow(conversation, now),
    workspace: workspace && workspaceFromRow(workspace),
  };
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

/** Small, because all lanes of a batch start at the same moment and block the event loop together. */
const MAX_BATCH = 4;

/** Batches lease requests that arrive while a batch is running. */
export class LaneLeaseBatcher {
  readonly #batcher: MicroBatcher<'lanes', LeasedLane, LaneWork | null>;

  constructor({ database, clock }: Dependencies) {
    this.#batcher = new MicroBatcher({
      nameOf: (name) => name,
      run: (_, lanes) => leaseLaneWork(database, lanes, clock.now()),
      thenAlone: 'at once',
      gathers: true,
      most: () => MAX_BATCH,
    });
  }

  /** Acquires the lease of a lane and returns its work, or null if another worker holds it. */
  lease(lane: LeasedLane): Promise<LaneWork | null> {
    return this.#batcher.add('lanes', lane);
  }
}

interface LeasedWork {
  /** Token of the lease. */
  readonly token: string;
  readonly work: LaneWork;
}

/**
 * Passes lanes that were leased while their events were stored to the job that answers them in this process.
 */
export class LaneHandover {
  readonly #leased = new Map<string, LeasedWork>();

  put(key: LaneKey, leased: LeasedWork): void {
    this.#leased.set(laneSessionId(key), leased);
  }

  /** Removes and returns the lane, so that only one caller gets it. */
  collect(key: LaneKey): LeasedWork | null {
    const name = laneSessionId(key);
    const leased = this.#leased.get(name) ?? null;
    this.#leased.delete(name);
    return leased;
  }
}

interface Handled {
  readonly channelId: string;
  readonly numbers: readonly string[];
  readonly now: Date;
}

/**
 * Marks events as handled and clears their payload. The text is part of the conversation and deleted with it,
 * so only the event's id is kept.
 */
export async function markEventsHandled(
  database: Kysely<Tables>,
  { channelId, numbers, now }: Handled,
): Promise<void> {
  if (numbers.length === 0) return;
  await database
    .updateTable('inbound_event')
    .set({ handled_at: now, native: 'null', media_readings: null })
    .where('channel_id', '=', channelId)
    .where('number', 'in', [...numbers])
    .execute();
}
