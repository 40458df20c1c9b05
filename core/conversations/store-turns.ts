import { type Kysely, type RawBuilder, sql } from 'kysely';
import { prepared, runPrepared } from '../storage/prepared.ts';
import type { Tables } from '../storage/tables.ts';
import { toStorableJson } from '../to-storable-json.ts';
import { type TurnRow, turnColumns } from './turn-row.ts';

export interface KeptTurn {
  /** Of the answer. */
  readonly message_id: string;
  /** Of the conversation; null where that is not open to who asked. */
  readonly id: string | null;
  /** The deliveries to webhooks that were kept in the transaction so far. */
  readonly told: readonly string[];
  readonly span: readonly number[];
  /** Absent where nothing is stored beside the turn. */
  readonly beside?: unknown;
}

const names = Object.keys(turnColumns).map((name) => `turn.${name}`);
const columns = Object.entries(turnColumns).map(([name, type]) => `${name} ${type}`);
const kept = 'turn.answer_id as message_id, kept as id, told_deliveries() as told, memory_span(kept) as span';
const stored = `as turn (${columns.join(', ')}) cross join lateral store_turn(${names.join(', ')}) as kept`;

const store = prepared<KeptTurn>(`select ${kept} from json_to_recordset(($1::text)::json) ${stored}`);

/** One round trip and, outside a transaction, one commit, however many there are. */
export function storeTurns(database: Kysely<Tables>, rows: readonly TurnRow[]): Promise<readonly KeptTurn[]> {
  return store(database, [toStorableJson(rows)]);
}

/** The same for one, with a value that is computed beside it: what computing it raises undoes the turn as well. */
export function storeTurnWith(
  database: Kysely<Tables>,
  row: TurnRow,
  expression: RawBuilder<unknown>,
): Promise<readonly KeptTurn[]> {
  const statement = sql<KeptTurn>`
    select ${sql.raw(kept)}, case when kept is not null then ${expression} end as beside
    from json_to_recordset((${toStorableJson([row])}::text)::json) ${sql.raw(stored)}
  `;
  return runPrepared(statement, database);
}
