import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../../../core/storage/tables/tables.ts';

/**
 * Everything that the schema files make, one line each: extensions, columns, sequences, constraints, indexes, triggers and
 * functions, and which migrations the database has.
 */
export async function dumpCatalogue(database: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ line: string }>`
    with own as (select * from pg_class where relnamespace = 'public'::regnamespace)
    select line from (
      select 'extension ' || extname as line from pg_extension
      union all
      select concat_ws(' ', 'column', own.relname,
                       row_number() over (partition by own.oid order by attnum), attname,
                       format_type(atttypid, atttypmod), case when attnotnull then 'not null' end,
                       'default ' || pg_get_expr(adbin, adrelid), nullif(attidentity, ''), attstorage, own.reloptions::text)
      from own
      join pg_attribute on attrelid = own.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = own.oid and adnum = attnum
      where own.relkind = 'r'
      union all
      select concat_ws(' ', 'sequence', relname, seqstart, seqincrement, seqmax) from own
      join pg_sequence on seqrelid = own.oid
      union all
      select concat_ws(' ', 'constraint', own.relname, conname, pg_get_constraintdef(pg_constraint.oid)) from own
      join pg_constraint on conrelid = own.oid
      union all
      select pg_get_indexdef(indexrelid) from own join pg_index on indrelid = own.oid
      union all
      select pg_get_triggerdef(pg_trigger.oid) from own join pg_trigger on tgrelid = own.oid and not tgisinternal
      union all
      select pg_get_functiondef(pg_proc.oid) from pg_proc
      where pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
      union all
      select concat_ws(' ', 'migration', name, hash) from migration
    ) as lines
    order by line collate "C"`.execute(database);
  return rows.map(({ line }) => line);
}
