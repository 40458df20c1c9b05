import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { systemClock } from '../../../../core/base/clock.ts';
import { createLog } from '../../../../core/base/log.ts';
import { Inbox } from '../../../../core/conversations/inbox/inbox.ts';
import { SecretBox } from '../../../../core/secrets/secret-box.ts';
import { type Database, openDatabase } from '../../../../core/storage/database.ts';
import type { Tables } from '../../../../core/storage/tables/tables.ts';
import { type Workspace, Workspaces } from '../../../../core/workspaces/workspaces.ts';
import { explainStatements } from '../../../helpers/stores/databases/explain-statements.ts';
import { startPostgres } from '../../../helpers/stores/databases/start-postgres.ts';
import { fillConversations } from '../../../helpers/stores/inbox/fill-conversations.ts';
import type { BenchRun } from '../../bench-run.ts';
import { count, milliseconds } from '../../format.ts';
import { quantile } from '../../quantile.ts';
import { table } from '../../table.ts';

const messagesEach = 4;
/** The first has 30 per cent of a million messages. */
const sizes = [75_000, 25_000, 25_000, 25_000, 25_000, 25_000, 25_000, 25_000];
const changedEach = 40;
const readings = 20;
const pageRows = 100;
const mostMs = 50;
const minute = 60_000;

interface Poll {
  readonly name: string;
  readonly workspace: Workspace;
  readonly updatedSince: Date;
}

/** Measures how long integrators with a copy wait for changes, among a million messages of eight workspaces. */
export async function listsPart(run: BenchRun): Promise<void> {
  const folder = join(run.folder, 'lists');
  // PostgreSQL runs as nobody.
  chmodSync(run.folder, 0o755);
  const postgres = await startPostgres(join(folder, 'postgres'));
  if (postgres === null) {
    run.fail('lists: this machine has no PostgreSQL with pgvector');
    return;
  }
  const place = { DATA_DIR: '', DATABASE_URL: await postgres.newDatabase() };
  const database = await openDatabase(place, createLog('silent'));
  try {
    const polls = await fill(run, database);
    const rows: string[][] = [];
    for (const poll of polls) rows.push(await measure(run, database, poll));
    const header = [
      'updated since',
      'conversations',
      'pages',
      'p50',
      'p95',
      'slowest',
      'most rows of one read',
    ];
    const messages = count(sizes.reduce((sum, size) => sum + size, 0) * messagesEach);
    run.print(table(`A page of conversations, ${messages} messages on PostgreSQL`, header, rows));
  } finally {
    await database.close();
    await postgres.stop();
  }
}

async function fill(run: BenchRun, { kysely, pool }: Database): Promise<readonly Poll[]> {
  const secretBox = new SecretBox(Buffer.alloc(32));
  const workspaces = new Workspaces({ database: kysely, clock: systemClock, secretBox });
  const filled: Workspace[] = [];
  for (const [place, conversations] of sizes.entries()) {
    run.progress(`lists: filling workspace ${place + 1} of ${sizes.length}`);
    const { workspace } = await workspaces.create({ name: `Workspace ${place}`, plan: 'enterprise' });
    const rows = { conversations, messages: messagesEach, changed: changedEach };
    await fillConversations(pool, { workspaceId: workspace.id, ...rows });
    filled.push(workspace);
  }
  run.progress('lists: vacuum');
  await pool.query('vacuum analyze');
  const [large, small] = filled;
  if (large === undefined || small === undefined) return [];
  const since = (minutes: number) => new Date(Date.now() - minutes * minute);
  return [
    { name: 'ten minutes ago, in 75,000', workspace: large, updatedSince: since(11) },
    { name: 'ten minutes ago, in 25,000', workspace: small, updatedSince: since(11) },
    { name: 'a day ago, in 75,000', workspace: large, updatedSince: since(24 * 60) },
    { name: 'just now, in 75,000', workspace: large, updatedSince: new Date() },
  ];
}

async function measure(run: BenchRun, database: Database, poll: Poll): Promise<string[]> {
  run.progress(`lists: ${poll.name}`);
  const times: number[] = [];
  let [conversations, pages] = [0, 0];
  for (let reading = 0; reading < readings; reading += 1) {
    [conversations, pages] = [0, 0];
    for await (const { items, ms } of pagesOf(database.kysely, poll)) {
      times.push(ms);
      conversations += items;
      pages += 1;
    }
  }
  if (quantile(times, 0.5) > mostMs)
    run.fail(`lists: half the pages of "${poll.name}" took more than ${mostMs} ms`);
  const figures = [0.5, 0.95, 1].map((share) => milliseconds(quantile(times, share)));
  const most = await checkPlans(run, database, poll);
  return [poll.name, count(conversations), `${pages}`, ...figures, count(most)];
}

async function* pagesOf(database: Kysely<Tables>, { workspace, updatedSince }: Poll) {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const begin = performance.now();
    const page = { limit: pageRows, cursor };
    const wanted = { workspace, filters: { updated_since: updatedSince.toISOString() }, page };
    const { items, nextCursor } = await new Inbox({ database, clock: systemClock }).list(wanted);
    yield { items: items.length, ms: performance.now() - begin };
    cursor = nextCursor;
  }
}

/**
 * Returns the largest number of rows that one read of a table looked at. All indexes that are read lead with the
 * workspace or belong to one conversation, so that only a read of a whole table can meet rows of another tenant.
 */
async function checkPlans(run: BenchRun, { pool }: Database, poll: Poll): Promise<number> {
  const reads = await explainStatements(pool, async (recorded) => {
    for await (const _page of pagesOf(recorded, poll));
  });
  const kinds = new Set(reads.map(({ how, table: name, index }) => `${how} of ${name} by ${index}`));
  run.print(`${poll.name}: ${[...kinds].join(', ')}`);
  for (const { how, table: name } of reads) {
    if (how.includes('Seq Scan')) run.fail(`lists: "${poll.name}" reads all rows of ${name}`);
  }
  return Math.max(...reads.map(({ rows }) => rows));
}
