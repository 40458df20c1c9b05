import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables/tables.ts';

/** How fast a model wrote answers. */
export interface ModelSpeed {
  /** Milliseconds from the request to the last word, at the median. */
  readonly medianMs: number;
  /** The number of answers that it is the median of. */
  readonly answers: number;
}

/** As many of the latest answers are looked at. */
const MEASURED_ANSWERS = 500;

/** Returns how fast each model wrote the latest answers of a workspace whose traces are kept, by its name. */
export async function measureModels(
  database: Kysely<Tables>,
  workspaceId: string,
): Promise<ReadonlyMap<string, ModelSpeed>> {
  const { rows } = await sql<{ model: string; median: number; answers: number }>`
    select attempt ->> 'model' as model,
           percentile_cont(0.5) within group (order by (attempt ->> 'ms')::float8) as median,
           count(*)::int as answers
    from (
      select trace from message
      where workspace_id = ${workspaceId} and trace is not null
      order by created_at desc
      limit ${MEASURED_ANSWERS}
    ) as latest
    cross join lateral jsonb_array_elements(trace -> 'attempts') as attempt
    where attempt ->> 'for' = 'answer' and attempt ->> 'outcome' = 'ok'
    group by 1
  `.execute(database);
  return new Map(
    rows.map(({ model, median, answers }) => [model, { medianMs: Math.round(median), answers }]),
  );
}
