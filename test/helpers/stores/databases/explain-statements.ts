import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import { z } from 'zod';
import type { DatabasePool } from '../../../../core/storage/database.ts';
import type { Tables } from '../../../../core/storage/tables/tables.ts';

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** How one table was read, with all rows that were looked at, those that a filter threw away included. */
export interface TableRead {
  readonly table: string;
  readonly how: string;
  readonly index: string | null;
  readonly rows: number;
}

const node = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Index Name': z.string().optional(),
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().default(0),
  'Rows Removed by Index Recheck': z.number().default(0),
  get Plans() {
    return z.array(node).default([]);
  },
});
type Node = z.output<typeof node>;

const answer = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: node })]) })]);

/** How the statements of `work` read their tables, each run once more to see it. */
export async function explainStatements(
  pool: DatabasePool,
  work: (database: Kysely<Tables>) => Promise<unknown>,
): Promise<readonly TableRead[]> {
  const statements: Statement[] = [];
  const recording = {
    async connect() {
      const client = await pool.connect();
      return {
        query(text: string, values: readonly unknown[]) {
          statements.push({ text, values });
          return client.query(text, [...values]);
        },
        release: () => client.release(),
      };
    },
    end: async () => {},
  };
  if (!isPool(recording)) throw new TypeError('not a pool');
  await work(new Kysely<Tables>({ dialect: new PostgresDialect({ pool: recording }) }));
  const reads: TableRead[] = [];
  for (const { text, values } of statements) {
    const { rows } = await pool.query(`explain (analyze, format json) ${text}`, [...values]);
    reads.push(...readsOf(answer.parse(rows)[0]['QUERY PLAN'][0].Plan));
  }
  return reads;
}

/** Kysely's own type also names cursors, which we never use. */
function isPool(pool: object): pool is PostgresPool {
  return 'connect' in pool && 'end' in pool;
}

function readsOf(plan: Node): TableRead[] {
  const inner = plan.Plans.flatMap(readsOf);
  const table = plan['Relation Name'];
  if (table === undefined) return inner;
  const each = plan['Actual Rows'] + plan['Rows Removed by Filter'] + plan['Rows Removed by Index Recheck'];
  const index = plan['Index Name'] ?? plan.Plans[0]?.['Index Name'] ?? null;
  return [{ table, how: plan['Node Type'], index, rows: each * plan['Actual Loops'] }, ...inner];
}
