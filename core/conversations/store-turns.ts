import type { Kysely } from 'kysely';
import { batchOf, batchRows } from '../storage/batch.ts';
import { prepared } from '../storage/prepared.ts';
import type { Tables } from '../storage/tables.ts';
import type { Rider } from './riders.ts';
import type { Companion, CompanionKind } from './turn.ts';
import { countedColumns, type TurnRow, turnColumns } from './turn-row.ts';

/** A turn as it is stored, with what goes beside it. */
export interface PendingTurn {
  readonly row: TurnRow;
  readonly companion: Companion | undefined;
}

export interface KeptTurn {
  /** Of the answer. */
  readonly message_id: string;
  /** Of the conversation; null where that is not open to who asked. */
  readonly id: string | null;
  /** The deliveries to webhooks that were kept in the transaction so far. */
  readonly told: readonly string[];
  readonly span: readonly number[];
  /** What was computed beside the turn; null where nothing is stored there. */
  readonly beside: unknown;
}

export interface StoredTurns {
  readonly kept: readonly KeptTurn[];
  /** What was computed for each rider. */
  readonly noted: readonly unknown[];
}

interface Storing {
  /** Of all of them. */
  readonly kind: CompanionKind | undefined;
  readonly turns: readonly PendingTurn[];
  readonly riders?: readonly Rider[];
}

type Row = (KeptTurn & { readonly rider: null }) | { readonly rider: number; readonly beside: unknown };

const names = Object.keys(turnColumns).map((name) => `asked.${name}`);
const statements = new Map<string, ReturnType<typeof prepared<Row>>>();

/**
 * One round trip and, outside a transaction, one commit, however many there are. What computing something beside them
 * raises undoes all of them.
 */
export async function storeTurns(
  database: Kysely<Tables>,
  { kind, turns, riders = [] }: Storing,
): Promise<StoredTurns> {
  const counts = turns.some(({ row }) => row.counted_owner != null);
  const name = `${kind?.name} ${counts}`;
  const store = statements.get(name) ?? prepared<Row>(counts ? countingText(kind) : storingText(kind));
  statements.set(name, store);
  const rows = await store(database, batchOf(inPlaces(turns, riders)));
  const noted: unknown[] = [];
  for (const { rider, beside } of rows) if (rider !== null) noted[rider] = beside;
  return { kept: rows.filter((row) => row.rider === null), noted };
}

/**
 * In a channel a session is a lane: of two processes that lock several, neither waits for the other. In one lane turns come
 * first, as they lock its conversation before it.
 */
function inPlaces(turns: readonly PendingTurn[], riders: readonly Rider[]): object[] {
  const placed = [
    ...turns.map(({ row, companion }) => ({
      place: `${row.asked_session ?? ''} ${row.asked_conversation ?? ''}`,
      row: { ...row, ...companion?.values },
    })),
    ...riders.map(({ session, values }, rider) => ({ place: `${session} ~`, row: { ...values, rider } })),
  ];
  return placed.sort((one, other) => (one.place < other.place ? -1 : 1)).map(({ row }) => row);
}

function storingText(kind: CompanionKind | undefined, more = ''): string {
  const columns = { ...turnColumns, ...countedColumns, ...kind?.columns, ...kind?.rides?.columns };
  return `
    select asked.answer_id as message_id, asked.rider, kept as id, told_deliveries() as told,
           memory_span(kept) as span, ${besideText(kind)} as beside ${more}
    from ${batchRows({ ...columns, rider: 'integer' })}
    cross join lateral (
      select case when asked.rider is null then store_turn(${names.join(', ')}) end as kept
    ) as stored
  `;
}

function besideText(kind: CompanionKind | undefined): string {
  if (kind === undefined) return 'null';
  const ofRider = kind.rides && `when asked.rider is not null then ${kind.rides.expression}`;
  return `case when kept is not null then ${kind.expression} ${ofRider ?? ''} end`;
}

/** Counts behind all of them, so that nobody waits for long for what the owner's other turns count in as well. */
function countingText(kind: CompanionKind | undefined): string {
  return `
    with kept_turn as materialized (${storingText(kind, ', counted_owner, counted_month')}),
    counted as (
      insert into owner_usage as usage (owner_id, month, messages)
      select counted_owner, counted_month, count(*) from kept_turn
      where counted_owner is not null and id is not null
      group by counted_owner, counted_month order by counted_owner, counted_month
      on conflict (owner_id, month) do update set messages = usage.messages + excluded.messages
    )
    select message_id, rider, id, told, span, beside from kept_turn
  `;
}
