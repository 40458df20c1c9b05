import type { Kysely } from 'kysely';
import { batchOf, batchRows } from '../storage/batch.ts';
import { prepared } from '../storage/prepared.ts';
import type { Tables } from '../storage/tables.ts';
import type { Companion, CompanionKind } from './turn.ts';
import { type TurnRow, turnColumns } from './turn-row.ts';

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
const statements = new Map<CompanionKind | undefined, Store>();

/**
 * One round trip and, outside a transaction, one commit, however many there are. What goes beside them is of the kind for
 * all, and what computing it raises undoes all of them.
 */
export function storeTurns(
  database: Kysely<Tables>,
  kind: CompanionKind | undefined,
  turns: readonly PendingTurn[],
): Promise<readonly KeptTurn[]> {
  const store = statements.get(kind) ?? prepareFor(kind);
  return store(database, batchOf(turns.map(({ row, companion }) => ({ ...row, ...companion?.values }))));
}

function prepareFor(kind: CompanionKind | undefined): Store {
  const beside = kind === undefined ? 'null' : `case when kept is not null then ${kind.expression} end`;
  const store = prepared<KeptTurn>(`
    select asked.answer_id as message_id, kept as id, told_deliveries() as told, memory_span(kept) as span,
           ${beside} as beside
    from ${batchRows({ ...turnColumns, ...kind?.columns })}
    cross join lateral store_turn(${names.join(', ')}) as kept
  `);
  statements.set(kind, store);
  return store;
}
