import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { toFields } from '../../base/fields.ts';
import type { Logger } from '../../base/log.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { createFilter } from '../patterns.ts';
import { insertRun, wakeRun } from '../runs/run-queue.ts';
import type { ListedItem } from '../source-reader.ts';
import { lockSource } from '../source-rows.ts';
import { locateItem } from './locate-item.ts';
import { insertItems } from './notice-rows.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly queue: Pick<JobQueue, 'add'>;
}

export interface NoticeTarget {
  readonly workspaceId: string;
  readonly id: string;
  /** The name in the list of runs. */
  readonly startedBy: string;
}

export interface NamedItem {
  /** A key or an address, as a stranger wrote it. */
  readonly name: string;
  /** It is removed if a reading finds that it does not exist. */
  readonly isDeletion?: boolean;
}

export const leftOutCodes = ['unknown_item', 'excluded', 'deleted_by_hand', 'too_many_items'] as const;

export interface TakenNotices {
  /** Items that are read now, also those that were waiting already. */
  readonly taken: number;
  readonly leftOut: readonly { readonly name: string; readonly code: (typeof leftOutCodes)[number] }[];
}

/** Names in one call. */
export const MOST_NAMES = 200;
/** Items that wait. A source that changes as a whole is read by a run. */
const MOST_WAITING = 2_000;
const CALLS = 30;
const CALL_SECONDS = 60;

type SourceRow = Selectable<Tables['source']>;
type Item = Pick<Selectable<Tables['source_item']>, 'key' | 'url' | 'code'>;

/** Takes the items of a source that somebody names as changed: they are read at once, beside a run that is going. */
export class SourceNotices {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Throws `source_not_found`, `source_paused`, `rate_limit_minute` and `too_many_changes`. Names that are not of the source
   * are left out.
   */
  async take(target: NoticeTarget, named: readonly NamedItem[]): Promise<TakenNotices> {
    const { database, clock, queue, log } = this.#dependencies;
    const now = clock.now();
    await this.#requireRoom(target, now);
    const { run, ...result } = await database.transaction().execute(async (transaction) => {
      const source = await lockSource(transaction, target);
      if (source.paused_at !== null) throw new AppError('source_paused');
      const { items, leftOut } = await choose(transaction, source, named);
      if (items.size > 0) await store(transaction, source, { items, now });
      const { startedBy } = target;
      const run =
        items.size === 0 ? null : await insertRun(transaction, { source, startedBy, now, isPartial: true });
      return { run, taken: items.size, leftOut };
    });
    if (run !== null) await wakeRun({ queue, log }, run);
    return result;
  }

  /** Limits calls, because each of them reads the source. */
  async #requireRoom({ id }: NoticeTarget, now: Date): Promise<void> {
    // Maintenance forgets buckets with this beginning when they are full again.
    const { rows } = await sql<{ wait: number }>`
      select take_token(${`public changed ${id}`}, ${CALLS}::int, ${CALL_SECONDS}::float8, ${now}::timestamptz) as wait
    `.execute(this.#dependencies.database);
    const wait = rows[0]?.wait ?? 0;
    if (wait === 0) return;
    throw new AppError('rate_limit_minute', {
      detail: `At most ${CALLS} calls a minute may name changes of a source. Name up to ${MOST_NAMES} items in one.`,
      retryAfterSeconds: Math.ceil(wait),
    });
  }
}

interface Chosen extends ListedItem {
  readonly isDeletion: boolean;
}

async function choose(transaction: Transaction<Tables>, source: SourceRow, named: readonly NamedItem[]) {
  const settings = toFields(source.settings);
  const located = named.map(({ name, isDeletion = false }) => {
    return { name, isDeletion, found: locateItem(source.kind, settings, name) };
  });
  const known = await findKnown(
    transaction,
    source,
    located.flatMap(({ name, found }) => (found === null ? [name] : [name, found.key])),
  );
  const isWanted = createFilter({ include: source.include, exclude: source.exclude });
  let room = source.max_items - (await countItems(transaction, source));
  const items = new Map<string, Chosen>();
  const leftOut: TakenNotices['leftOut'][number][] = [];
  for (const { name, isDeletion, found } of located) {
    const item = known.get(found?.key ?? name) ?? known.get(name);
    const chosen =
      item === undefined ? found : { key: item.key, ...(item.url !== null && { url: item.url }) };
    const isNew = item === undefined && chosen !== null && !items.has(chosen.key);
    if (chosen === null || (isNew && isDeletion)) {
      leftOut.push({ name, code: 'unknown_item' });
      continue;
    }
    const isExcluded = !isWanted(chosen.url ?? chosen.key);
    const code = reasonAgainst(item, { isExcluded, isFull: isNew && room <= 0 });
    if (isNew && code === null) room -= 1;
    // The last word counts.
    if (code === null) items.set(chosen.key, { ...chosen, isDeletion });
    else leftOut.push({ name, code });
  }
  return { items, leftOut };
}

function reasonAgainst(
  item: Item | undefined,
  { isExcluded, isFull }: { readonly isExcluded: boolean; readonly isFull: boolean },
): (typeof leftOutCodes)[number] | null {
  if (item?.code === 'deleted_by_hand') return 'deleted_by_hand';
  if (isExcluded) return 'excluded';
  return isFull ? 'too_many_items' : null;
}

/** Returns items by their keys and by their addresses. */
async function findKnown(
  transaction: Transaction<Tables>,
  source: SourceRow,
  names: readonly string[],
): Promise<ReadonlyMap<string, Item>> {
  const rows = await transaction
    .selectFrom('source_item')
    .select(['key', 'url', 'code'])
    .where('workspace_id', '=', source.workspace_id)
    .where('source_id', '=', source.id)
    .where(sql<boolean>`(key = any(${names}::text[]) or url = any(${names}::text[]))`)
    .execute();
  const byName = new Map<string, Item>();
  for (const row of rows) if (row.url !== null) byName.set(row.url, row);
  for (const row of rows) byName.set(row.key, row);
  return byName;
}

async function countItems(transaction: Transaction<Tables>, { id }: SourceRow): Promise<number> {
  const { count } = await transaction
    .selectFrom('source_item')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('source_id', '=', id)
    .where('state', 'in', ['waiting', 'current', 'failed'])
    .executeTakeFirstOrThrow();
  return count;
}

/** A notice that waits already is not doubled; one that was read is read again. Throws `too_many_changes`. */
async function store(
  transaction: Transaction<Tables>,
  source: SourceRow,
  { items, now }: { readonly items: ReadonlyMap<string, Chosen>; readonly now: Date },
): Promise<void> {
  const place = { source_id: source.id, workspace_id: source.workspace_id };
  await insertItems(transaction, place, [...items.values()]);
  await transaction
    .insertInto('source_notice')
    .values(
      [...items].map(([key, { isDeletion }]) => ({
        ...{ ...place, key, is_deletion: isDeletion, noticed_at: now },
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['source_id', 'key']).doUpdateSet({
        is_deletion: sql`excluded.is_deletion`,
        noticed_at: sql`case when source_notice.run is null then source_notice.noticed_at else excluded.noticed_at end`,
        ...{ run: null, read_at: null },
      }),
    )
    .execute();
  // If this run is lost, the next whole one reads them whatever their version.
  await transaction
    .updateTable('source_item')
    .set({ version: null })
    .where('source_id', '=', source.id)
    .where(sql<boolean>`key = any(${[...items.keys()]}::text[])`)
    .execute();
  const { waiting } = await transaction
    .selectFrom('source_notice')
    .select(sql<number>`count(*)::int`.as('waiting'))
    .where('source_id', '=', source.id)
    .where('run', 'is', null)
    .executeTakeFirstOrThrow();
  if (waiting > MOST_WAITING) throw new AppError('too_many_changes');
}
