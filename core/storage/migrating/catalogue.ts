import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { readSchema, type Schema } from './schema-files.ts';

/** The names of the objects that this version needs and the database lacks. */
export interface MissingObjects {
  /** Nothing works without them. */
  readonly tables: readonly string[];
  /** Without a primary key, rows can be stored twice. */
  readonly keys: readonly string[];
  /** Also indexes that were never finished. */
  readonly indexes: readonly string[];
  readonly functions: readonly string[];
  readonly triggers: readonly string[];
}

/** The number of objects that this version needs, and those that are missing. */
interface CatalogueState {
  readonly count: number;
  readonly missing: MissingObjects;
}

/**
 * Compares the catalogue of the database with the stored schema: the records of migrations say what was done once, not what
 * a restore or a person left of it.
 */
export async function readCatalogue(database: Kysely<Tables>): Promise<CatalogueState> {
  const needed = listObjects(await readSchema());
  const { rows } = await sql<MissingObjects>`
    select
      array(
        select name from unnest(${needed.tables}::text[]) name
        where not exists (select from pg_class where relname = name and relkind in ('r', 'p') and ${inPublic('relnamespace')})
      ) as tables,
      array(
        select name from unnest(${needed.keys}::text[]) name
        where exists (select from pg_class where relname = name and ${inPublic('relnamespace')})
          and not exists (
            select from pg_index join pg_class on pg_class.oid = indrelid
            where relname = name and ${inPublic('relnamespace')} and indisprimary and indisvalid
          )
      ) as keys,
      array(
        select name from unnest(${needed.indexes}::text[]) name
        where not exists (
          select from pg_index join pg_class on pg_class.oid = indexrelid
          where relname = name and ${inPublic('relnamespace')} and indisvalid
        )
      ) as indexes,
      array(
        select name from unnest(${needed.functions}::text[]) name
        where not exists (select from pg_proc where proname = name and ${inPublic('pronamespace')})
      ) as functions,
      array(
        select name from unnest(${needed.triggers}::text[]) name
        where not exists (select from pg_trigger where tgname = name)
      ) as triggers
  `.execute(database);
  const [missing = { tables: [], keys: [], indexes: [], functions: [], triggers: [] }] = rows;
  const { tables, keys, indexes, functions, triggers } = needed;
  const count = [tables, keys, indexes, functions, triggers].reduce((sum, { length }) => sum + length, 0);
  return { count, missing };
}

const inPublic = (column: string) => sql`${sql.ref(column)} = 'public'::regnamespace`;

/** The names of everything that the files of the schema create. */
function listObjects({ tables, migrationTable, functions, triggers }: Schema): {
  readonly [Kind in keyof MissingObjects]: string[];
} {
  const text = `${migrationTable}\n${tables}`;
  const bodies = [...text.matchAll(/^create (?:unlogged )?table (\w+) \(\n([\s\S]*?)^\)/gm)];
  return {
    tables: bodies.map(([, name = '']) => name),
    keys: bodies.flatMap(([, name = '', body = '']) => (body.includes('primary key') ? [name] : [])),
    indexes: names(text, /^create (?:unique )?index (\w+)/gm),
    functions: [...new Set(names(functions, /^create or replace function (\w+)/gm))],
    triggers: names(triggers, /^create (?:or replace )?(?:constraint )?trigger (\w+)/gm),
  };
}

function names(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}
