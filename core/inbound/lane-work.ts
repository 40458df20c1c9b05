import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Json } from '../contract/account.ts';
import { MicroBatcher } from '../storage/micro-batcher.ts';
import { batchParameters, batchRows, prepareStatement } from '../storage/prepared-statements.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { storedJson } from '../text.ts';
import { planSchema } from '../workspaces/workspace-settings.ts';
import { type Workspace, workspaceFromRow } from '../workspaces/workspaces.ts';
import { compareLanes, type LaneKey, laneSessionId, leaseSeconds } from './lane.ts';
import { type LaneConversation, laneConversationFromRow } from './lane-conversation.ts';

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

const laneWorkSql = prepareStatement<{ work: unknown }>('select lane_work($1, $2, $3) as work');
const leaseSql = prepareStatement<{ token: string; work: unknown }>(`
  select token, take_lane_work(channel_id, lane, token, make_interval(secs => $3), $4) as work
  from ${batchRows({ channel_id: 'text', lane: 'text', token: 'text' })}
`);

/** What waits in a lane; null where its channel is gone. */
export async function loadLaneWork(
  database: Kysely<Tables>,
  { channelId, lane }: LaneKey,
  now: Date,
): Promise<LaneWork | null> {
  const [row] = await laneWorkSql(database, [channelId, lane, maxEvents]);
  return parseLaneWork(row?.work, now);
}

/** A lane, and what shows that it is held. */
interface LeasedLane extends LaneKey {
  readonly token: string;
}

/** Takes lanes to answer in them, and tells what waits in each of them; null where somebody else has it. */
export async function leaseLaneWork(
  database: Kysely<Tables>,
  lanes: readonly LeasedLane[],
  now: Date,
): Promise<(lane: LeasedLane) => LaneWork | null> {
  const rows = lanes
    .toSorted(compareLanes)
    .map(({ channelId, lane, token }) => ({ channel_id: channelId, lane, token }));
  const taken = await leaseSql(database, [...batchParameters(rows), leaseSeconds, maxEvents]);
  const byToken = new Map(taken.map(({ token, work }) => [token, work]));
  return ({ token }) => parseLaneWork(byToken.get(token), now);
}

/** Null where a lane was not taken. */
export function parseLaneWork(work: unknown, now: Date): LaneWork | null {
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
    conversation: conversation && laneConversationFromRow(conversation, now),
    workspace: workspace && workspaceFromRow(workspace),
  };
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

/** What begins at one moment keeps the process from all else for as long as it has something to do. */
const most = 4;

/** Takes lanes to answer in them while others are being taken, in one go. */
export class LaneLeaseBatcher {
  readonly #together: MicroBatcher<'lanes', LeasedLane, LaneWork | null>;

  constructor({ database, clock }: Dependencies) {
    this.#together = new MicroBatcher({
      nameOf: (name) => name,
      run: (_, lanes) => leaseLaneWork(database, lanes, clock.now()),
      thenAlone: 'at once',
      gathers: true,
      most: () => most,
    });
  }

  /** What waits in the lane, which is held under the token from then on; null where somebody else has it. */
  lease(lane: LeasedLane): Promise<LaneWork | null> {
    return this.#together.add('lanes', lane);
  }
}

interface Taken {
  /** Shows that the lane is held. */
  readonly token: string;
  readonly work: LaneWork;
}

/** Lanes that were taken with what came in them, until the job that is begun for it here goes on. */
export class LaneHandover {
  readonly #taken = new Map<string, Taken>();

  put(key: LaneKey, taken: Taken): void {
    this.#taken.set(laneSessionId(key), taken);
  }

  /** Whoever gets it is the only one. */
  collect(key: LaneKey): Taken | null {
    const name = laneSessionId(key);
    const taken = this.#taken.get(name) ?? null;
    this.#taken.delete(name);
    return taken;
  }
}

interface Handled {
  readonly channelId: string;
  readonly numbers: readonly string[];
  readonly now: Date;
}

/** What came is dealt with. Its words are in the conversation, and go with that: only its id is kept. */
export async function markEventsHandled(
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
