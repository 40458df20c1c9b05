import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { isoMicroseconds } from '../../storage/keyset-page.ts';
import type { SlaPolicy } from '../../workspaces/workspace-settings.ts';
import { slaDueAt } from '../inbox/sla.ts';
import type { InboxView } from './filters.ts';
import { all, type ListOrder, type ListRange, type ListSource } from './list-conversations.ts';

export const inboxSorts = ['latest', 'waiting', 'sla_due'] as const;

export type InboxSort = (typeof inboxSorts)[number];

/** The order in which a view is read, unless the reader asks for another one. */
export function sortOfView(view: InboxView | undefined): InboxSort {
  if (view === 'waiting') return 'waiting';
  return view === 'sla_at_risk' ? 'sla_due' : 'latest';
}

const positionSchema = z.object({
  /** Whether the position is one of the rows with a clock, which come first. */
  timed: z.boolean(),
  at: z.iso.datetime(),
  id: z.string().regex(/^\w+$/),
});

type LivePosition = z.output<typeof positionSchema>;

interface PlacedRow {
  readonly id: string;
  readonly timed: boolean;
  readonly exact_position: string;
}

/**
 * The order of the moment in which a page is read: conversations that a visitor writes in between two pages move to the
 * front.
 */
export function liveOrder(
  sort: InboxSort,
  policy: SlaPolicy | undefined,
): ListOrder<LivePosition, PlacedRow> {
  return {
    name: `inbox ${sort}`,
    positionSchema,
    positionFromRow: ({ timed, exact_position: at, id }) => ({ timed, at, id }),
    isLatestFirst: sort === 'latest',
    place: (source, range) => placeRows(source, range, { sort, policy }),
    sorted: sort === 'latest' ? latestFirst : timedFirst,
    columns: () => sql<PlacedRow>`timed, ${isoMicroseconds(sql.ref('placed_at'))} as exact_position`,
  };
}

const latestFirst = sql`placed_at desc, conversation.id desc`;
const timedFirst = sql`timed desc, case when timed then placed_at end, case when timed then conversation.id end,
  placed_at desc, conversation.id desc`;

function afterLatest(after: LivePosition | null): readonly RawBuilder<unknown>[] {
  return after === null ? [] : [sql`(last_message_at, id) < (${after.at}::timestamptz, ${after.id})`];
}

interface LiveSort {
  readonly sort: InboxSort;
  readonly policy: SlaPolicy | undefined;
}

/** Rows with a clock come first, the one that is due next on top; the others follow, latest activity first. */
function placeRows(
  { rows: source, handedOver }: ListSource,
  { after, rows }: ListRange<LivePosition>,
  { sort, policy }: LiveSort,
): RawBuilder<unknown> {
  const later = after === null || after.timed ? [] : afterLatest(after);
  const latest = (conditions: readonly RawBuilder<unknown>[]) => sql`(
    select conversation.*, false as timed, last_message_at as placed_at from ${source}
    where ${all([...conditions, ...later])}
    order by last_message_at desc, id desc limit ${rows}
  )`;
  if (sort === 'latest') return latest([]);
  const clock = sort === 'waiting' ? { at: sql`unanswered_since`, isMissing: notWaiting } : slaClock(policy);
  const untimed = latest([clock.isMissing]);
  if (after !== null && !after.timed) return untimed;
  const next = after === null ? sql`true` : sql`(placed_at, id) > (${after.at}::timestamptz, ${after.id})`;
  return sql`
    select * from (
      (
        select * from (select conversation.*, true as timed, ${clock.at} as placed_at from ${handedOver}) conversation
        where placed_at is not null and ${next}
        order by placed_at, id limit ${rows}
      )
      union all ${untimed}
    ) conversation
    order by timed desc, case when timed then placed_at end, case when timed then id end, placed_at desc, id desc
    limit ${rows}`;
}

/** The condition, in columns: of an expression the planner would expect that it is hardly ever null. */
const notWaiting = sql<SqlBool>`(handover_since is null or unanswered_since is null)`;

function slaClock(policy: SlaPolicy | undefined) {
  const at = slaDueAt(policy);
  if (policy?.resolution_minutes === undefined && policy?.first_response_minutes === undefined) {
    return { at, isMissing: sql`true` };
  }
  const unanswered = policy.resolution_minutes === undefined ? sql`unanswered_since is null` : sql`false`;
  return {
    at,
    isMissing: sql`(handover_since is null or status not in ('claimed', 'escalated') or ${unanswered})`,
  };
}
