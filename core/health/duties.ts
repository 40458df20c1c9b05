import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../storage/tables/tables.ts';

/** The work of a kind of worker for the installation, and how late it may be. */
export interface Duty {
  /** The kind of worker, as on the command line. */
  readonly kind: string;
  /** The work that stays undone without it, after "No process runs it:". */
  readonly without: string;
  readonly promise: string;
  /** The age from which the oldest work counts as late. */
  readonly lateAfterSeconds: number;
  /**
   * A statement for the time from which the oldest work is due and nobody does it. Null: the duty leaves no rows that wait;
   * its worker says when it did it last, or only that it lives.
   */
  readonly oldestDue: RawBuilder<unknown> | null;
  /** Whether the worker reports each of its rounds. */
  readonly reportsRounds?: boolean;
}

/** A disabled channel, and one whose app is disabled, keeps its messages until it is enabled. */
const enabled = sql`channel.enabled and not exists (
  select from channel parent where parent.id = channel.parent_id and not parent.enabled
)`;

/** Every kind of worker. A kind that is missing here cannot be seen: a test compares the list with the workers. */
export const duties: readonly Duty[] = [
  {
    kind: 'answer',
    without: 'messages of visitors are not answered',
    promise: 'A message is answered within a minute',
    lateAfterSeconds: 60,
    oldestDue: sql`
      select min(settled_at) from inbound_event
      join channel on channel.id = inbound_event.channel_id and ${enabled}
      where handled_at is null and failure is null and settled_at < clock_timestamp()`,
  },
  {
    kind: 'deliver',
    without: 'answers are not sent to channels',
    promise: 'A part of an answer is sent within five minutes',
    lateAfterSeconds: 300,
    // A part waits for the one before it, and for the end of a platform's rate limit.
    oldestDue: sql`
      select min(next_attempt_at) from outbound_part
      join channel on channel.id = outbound_part.channel_id and ${enabled}
      where outbound_part.status = 'waiting' and next_attempt_at < clock_timestamp()
        and number = (
          select min(number) from outbound_part first
          where first.channel_id = outbound_part.channel_id and first.lane = outbound_part.lane
            and first.status = 'waiting'
        )
        and not exists (
          select from send_budget
          where send_budget.channel_id in (channel.id, channel.parent_id) and held_until > clock_timestamp()
        )`,
  },
  {
    kind: 'ingest',
    without: 'documents are not indexed',
    promise: 'No document waits for ten minutes while none is indexed',
    lateAfterSeconds: 600,
    oldestDue: sql`
      select min(updated_at) from document
      where status in ('queued', 'indexing')
        and not exists (select from indexing_lease where held_until > clock_timestamp())`,
  },
  {
    kind: 'webhooks',
    without: 'events are not sent to webhooks',
    promise: 'An event is sent within ten minutes',
    lateAfterSeconds: 600,
    oldestDue: sql`
      select min(coalesce(next_attempt_at, queued_at)) from webhook_delivery
      where status = 'pending' and (next_attempt_at is null or next_attempt_at < clock_timestamp())`,
  },
  {
    kind: 'sources',
    without: 'sources of documents are not read',
    promise: 'A run of a source goes on within ten minutes',
    lateAfterSeconds: 600,
    oldestDue: sql`
      select min(wake_at) from source_run
      where state in ('queued', 'running') and wake_at < clock_timestamp()
        and (reserved_until is null or reserved_until < clock_timestamp())`,
  },
  {
    kind: 'inbox',
    without: 'changes of many conversations are not made',
    promise: 'A change of many conversations ends within a quarter of an hour',
    lateAfterSeconds: 900,
    oldestDue: sql`
      select min(starts_at) from conversation_action
      where status in ('waiting', 'running', 'undoing') and starts_at < clock_timestamp()`,
  },
  {
    kind: 'evaluation',
    without: 'test questions are not asked',
    promise: 'A run of test questions goes on within a quarter of an hour',
    lateAfterSeconds: 900,
    oldestDue: sql`
      select min(greatest(held_until, created_at)) from test_run
      where state = 'running' and held_until < clock_timestamp()`,
  },
  {
    kind: 'tickets',
    without: 'imports of tickets are not answered',
    promise: 'An import of tickets goes on within a quarter of an hour',
    lateAfterSeconds: 900,
    oldestDue: sql`
      select min(greatest(held_until, created_at)) from ticket_import
      where state in ('reading', 'answering') and held_until < clock_timestamp()`,
  },
  {
    kind: 'gaps',
    without: 'questions without an answer are not sorted into gaps, and those of a gap are not asked again',
    promise: 'A check of a gap goes on within a quarter of an hour',
    lateAfterSeconds: 900,
    oldestDue: sql`
      select min(greatest(held_until, check_from)) from gap
      where check_from is not null and held_until < clock_timestamp() and exists (
        select from gap_question
        where gap_id = gap.id and (checked_at is null or checked_at < gap.check_from)
      )`,
  },
  {
    kind: 'summaries',
    without: 'long conversations get no summaries',
    promise: 'A process runs it',
    lateAfterSeconds: 0,
    oldestDue: null,
  },
  {
    kind: 'listeners',
    without: 'channels that this installation polls or listens to are not heard',
    promise: 'A process runs it',
    lateAfterSeconds: 0,
    oldestDue: null,
  },
  {
    kind: 'housekeeping',
    without: 'expired data is not removed, and lost work is not taken up again',
    promise: 'A round every minute, at least one in ten',
    lateAfterSeconds: 600,
    oldestDue: null,
    reportsRounds: true,
  },
];

/** Returns for each kind how many seconds the oldest work is overdue; null for nothing. */
export async function readOldestDue(database: Kysely<Tables>): Promise<ReadonlyMap<string, number | null>> {
  const columns = duties.flatMap(({ kind, oldestDue }) =>
    oldestDue === null
      ? []
      : [sql`extract(epoch from clock_timestamp() - (${oldestDue}))::float as ${sql.id(kind)}`],
  );
  const { rows } = await sql<Record<string, number | null>>`select ${sql.join(columns)}`.execute(database);
  return new Map(Object.entries(rows[0] ?? {}));
}
