import type { Kysely } from 'kysely';
import { batchOf, batchRows } from '../storage/batch.ts';
import { prepared } from '../storage/prepared.ts';
import type { Tables } from '../storage/tables.ts';
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

type Store = ReturnType<typeof prepared<KeptTurn>>;

const names = Object.keys(turnColumns).map((name) => `asked.${name}`);
const statements = new Map<string, Store>();

/**
 * One round trip and, outside a transaction, one commit, however many there are. What goes beside them is of the kind for
 * all, and what computing it raises undoes all of them.
 */
export function storeTurns(
  database: Kysely<Tables>,
  kind: CompanionKind | undefined,
  turns: readonly PendingTurn[],
): Promise<readonly KeptTurn[]> {
  const counts = turns.some(({ row }) => row.counted_owner != null);
  const name = `${kind?.name} ${counts}`;
  const store = statements.get(name) ?? prepared<KeptTurn>(counts ? countingText(kind) : storingText(kind));
  statements.set(name, store);
  return store(database, batchOf(turns.map(({ row, companion }) => ({ ...row, ...companion?.values }))));
}

function storingText(kind: CompanionKind | undefined, more = ''): string {
  const beside = kind === undefined ? 'null' : `case when kept is not null then ${kind.expression} end`;
  return `
    select asked.answer_id as message_id, kept as id, told_deliveries() as told, memory_span(kept) as span,
           ${beside} as beside ${more}
    from ${batchRows({ ...turnColumns, ...countedColumns, ...kind?.columns })}
    cross join lateral store_turn(${names.join(', ')}) as kept
  `;
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
    select message_id, id, told, span, beside from kept_turn
  `;
}
