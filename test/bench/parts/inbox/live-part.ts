import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock, systemWait } from '../../../../core/base/clock.ts';
import { newId } from '../../../../core/base/ids.ts';
import { createLog } from '../../../../core/base/log.ts';
import { storeMessage } from '../../../../core/conversations/messages/store-message.ts';
import { AgentNews } from '../../../../core/live/agent-news.ts';
import { SecretBox } from '../../../../core/secrets/secret-box.ts';
import { type Database, openDatabase } from '../../../../core/storage/database.ts';
import { NotificationHub } from '../../../../core/storage/notifications/notifications.ts';
import { Workspaces } from '../../../../core/workspaces/workspaces.ts';
import { startPostgres } from '../../../helpers/stores/databases/start-postgres.ts';
import type { BenchRun } from '../../bench-run.ts';
import { milliseconds, ratio } from '../../format.ts';
import { quantile } from '../../quantile.ts';
import { table } from '../../table.ts';

const rounds = 40;
const messagesEach = 320;
const writers = 8;
/** The ratio above which idle agents slow visitors down. */
const mostRatio = 1.05;

interface Mode {
  readonly name: string;
  readonly triggers: 'enable' | 'disable';
  readonly isHeard: boolean;
}

const modes: readonly Mode[] = [
  { name: 'without triggers', triggers: 'disable', isHeard: false },
  { name: 'nobody listens', triggers: 'enable', isHeard: false },
  { name: 'an agent listens', triggers: 'enable', isHeard: true },
];

/**
 * Measures the cost of agents' notices for storing a visitor's message: rounds with and without, one after the other.
 */
export async function livePart(run: BenchRun): Promise<void> {
  const folder = join(run.folder, 'live');
  // PostgreSQL runs as nobody.
  chmodSync(run.folder, 0o755);
  const postgres = await startPostgres(join(folder, 'postgres'));
  if (postgres === null) return run.fail('live: this machine has no PostgreSQL with pgvector');
  const place = { DATA_DIR: '', DATABASE_URL: await postgres.newDatabase() };
  const log = createLog('silent');
  const database = await openDatabase(place, log);
  try {
    const times = await measure(run, database);
    const [without = [], idle = []] = times;
    if (medianRatio(idle, without) > mostRatio) {
      run.fail(`live: triggers without listeners cost more than ${mostRatio} x`);
    }
    const rows = modes.map(({ name }, place) => {
      const each = times[place] ?? [];
      return [name, milliseconds(quantile(each, 0.5)), ratio(medianRatio(each, without), 1)];
    });
    const title = `${messagesEach} messages by ${writers} writers, median of ${rounds} rounds and of their ratios`;
    run.print(table(title, ['', 'time', 'ratio'], rows));
  } finally {
    await database.close();
    await postgres.stop();
  }
}

/** It compares within each round, because the speed of a machine changes from minute to minute. */
function medianRatio(times: readonly number[], baseline: readonly number[]): number {
  return quantile(
    times.map((ms, round) => ms / (baseline[round] ?? Number.NaN)),
    0.5,
  );
}

async function measure(run: BenchRun, database: Database): Promise<readonly (readonly number[])[]> {
  const stores = { database: database.kysely, clock: systemClock };
  const workspaces = new Workspaces({ ...stores, secretBox: new SecretBox(Buffer.alloc(32)) });
  const { workspace } = await workspaces.create({ name: 'Live', plan: 'enterprise' });
  const times: number[][] = modes.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    run.progress(`live: round ${round} of ${rounds}`);
    // Every other round runs backwards, so that no mode always follows the same one.
    const order = round % 2 === 0 ? [...modes.entries()] : [...modes.entries()].reverse();
    for (const [place, mode] of order) {
      const ms = await timeRound(database, workspace.id, mode);
      // The first round warms up.
      if (round > 0) times[place]?.push(ms);
    }
  }
  return times;
}

async function timeRound(database: Database, workspaceId: string, mode: Mode): Promise<number> {
  await database.pool.query(`alter table conversation ${mode.triggers} trigger agent_conversation`);
  const process = {
    database,
    clock: systemClock,
    wait: systemWait,
    log: createLog('silent'),
    processId: 'bench',
  };
  const hub = new NotificationHub(process);
  const news = new AgentNews({ ...process, notifications: hub.channel('agent_news') });
  if (mode.isHeard) await news.listen({ workspaceId, personId: null }, () => {});
  const conversations = await Promise.all(
    Array.from({ length: writers }, () => beginConversation(database, workspaceId)),
  );
  const begin = performance.now();
  await Promise.all(
    conversations.map(async (conversationId) => {
      for (let number = 0; number < messagesEach / writers; number += 1) {
        await database.kysely.transaction().execute((transaction) =>
          storeMessage(transaction, {
            ...{ workspaceId, conversationId, role: 'user', metadata: null, author: null },
            content: `Within how many days are refunds accepted? ${number}`,
            now: new Date(),
          }),
        );
      }
    }),
  );
  const ms = performance.now() - begin;
  await news.close();
  hub.close();
  return ms;
}

async function beginConversation({ pool }: Database, workspaceId: string): Promise<string> {
  const id = newId('conv');
  await pool.query(
    `insert into conversation (id, workspace_id, channel, started_at, last_message_at, updated_at)
     values ($1, $2, 'api', now(), now(), now())`,
    [id, workspaceId],
  );
  return id;
}
