import { type Kysely, sql } from 'kysely';
import type { Config } from '../../config/config.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { countOutcomes } from '../episode-panels.ts';
import { RETURN_MS } from '../outcomes.ts';
import type { InsightScope } from '../scope.ts';
import { listAddresses } from './list-addresses.ts';
import type { ReportKeys } from './report-keys.ts';
import { calibrationError, writeReportFile } from './verify-report.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly config: Config;
  readonly keys: ReportKeys;
}

interface Asked {
  readonly workspaceId: string;
  /** YYYY-MM. */
  readonly month: string;
  readonly zone: string;
  readonly now: Date;
}

const dayMs = 24 * 3_600_000;

/** Returns whether all days of a month are over everywhere. */
export function isMonthOver(month: string, now: Date): boolean {
  return now.getTime() >= monthEnd(month).getTime() + dayMs;
}

/**
 * Returns the file of a month: what happened in the conversations that ended in it, counted when it is issued, and signed by the
 * installation. Conversations that were deleted since are in none of the numbers.
 */
export async function issueReport(dependencies: Dependencies, asked: Asked): Promise<string> {
  const { database, config, keys } = dependencies;
  const { workspaceId, month, zone, now } = asked;
  const to = new Date(monthEnd(month).getTime() - dayMs).toISOString().slice(0, 10);
  const scope: InsightScope = { workspaceId, zone, from: `${month}-01`, to, filters: {}, now };
  const { ended, counts } = await countOutcomes(database, scope);
  const report = {
    format: 'parley-report-v1',
    workspace: workspaceId,
    month,
    time_zone: zone,
    issued_at: now.toISOString(),
    // A return after it changes no outcome.
    is_final: now.getTime() >= monthEnd(month).getTime() + RETURN_MS + dayMs,
    conversations: ended,
    outcomes: counts,
    disclosure: await countDisclosure(database, scope),
    calibration: await measureCalibration(database, scope),
    addresses: await listAddresses(database, config, workspaceId),
  };
  return writeReportFile({ report, signature: await keys.sign(JSON.stringify(report)) });
}

/** The first moment after the month, in UTC. */
function monthEnd(month: string): Date {
  const first = new Date(`${month}-01T00:00:00Z`);
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1));
}

function inMonth({ from, to, zone }: InsightScope, column: string) {
  const time = sql.ref(column);
  return sql`${time} >= ${from}::date::timestamp at time zone ${zone}
    and ${time} < (${to}::date + 1)::timestamp at time zone ${zone}`;
}

/** How visitors learned, before the first answer, that a machine answers. */
async function countDisclosure(database: Kysely<Tables>, scope: InsightScope) {
  const { rows } = await sql<{ disclosure: string; count: number }>`
    select disclosure, count(*)::int as count from insight_episode
    where workspace_id = ${scope.workspaceId} and ${inMonth(scope, 'ended_at')} and settles_at <= ${scope.now}
      and disclosure is not null
    group by disclosure
  `.execute(database);
  const countOf = (way: string) => rows.find(({ disclosure }) => disclosure === way)?.count ?? 0;
  return {
    answered: rows.reduce((sum, { count }) => sum + count, 0),
    by_sentence: countOf('sentence'),
    by_interface: countOf('interface'),
    not_disclosed: countOf('none'),
  };
}

interface BinRow {
  readonly bin: number;
  readonly answers: number;
  readonly right: number;
  readonly mean: number;
}

/** Compares the probability that answers state with how many of them visitors judged right, by tenths. */
async function measureCalibration(database: Kysely<Tables>, scope: InsightScope) {
  const { rows } = await sql<BinRow>`
    select least(9, floor(probability * 10))::int as bin, count(*)::int as answers,
           (count(*) filter (where opinion = 'up'))::int as right, avg(probability)::float8 as mean
    from insight_question
    where workspace_id = ${scope.workspaceId} and ${inMonth(scope, 'asked_at')}
      and probability is not null and opinion is not null
    group by 1
  `.execute(database);
  const bins = Array.from({ length: 10 }, (_, bin) => {
    const row = rows.find((each) => each.bin === bin);
    return {
      from: bin / 10,
      to: (bin + 1) / 10,
      answers: row?.answers ?? 0,
      right: row?.right ?? 0,
      mean_probability: row === undefined ? null : Math.round(row.mean * 10_000) / 10_000,
    };
  });
  return {
    judged: bins.reduce((sum, { answers }) => sum + answers, 0),
    error: calibrationError(bins),
    bins,
  };
}
