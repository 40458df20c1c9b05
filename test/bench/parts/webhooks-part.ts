import { chmodSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '../../helpers/free-port.ts';
import { startPostgres } from '../../helpers/start-postgres.ts';
import { startRedis } from '../../helpers/start-redis.ts';
import { attempt } from '../attempt.ts';
import type { BenchRun } from '../bench-run.ts';
import { table } from '../table.ts';
import { installChatSdk } from '../webhooks/install-chat-sdk.ts';
import { type Level, postUpdates } from '../webhooks/post-updates.ts';
import { startHub } from '../webhooks/start-hub.ts';
import { startPeer } from '../webhooks/start-peer.ts';
import { startStorageFloor } from '../webhooks/start-storage-floor.ts';
import type { WebhookTarget } from '../webhooks/webhook-target.ts';

const ownPackages = resolve(import.meta.dirname, '../../../node_modules');
const outstanding = [1, 10, 50];

type Start = (apiPort: number) => Promise<WebhookTarget>;

interface Chats {
  /** Whether it is measured also where chats go on. */
  readonly knownChats: boolean;
}

const inAllChats: Chats = { knownChats: true };

/**
 * From a platform's webhook to our reply, with a constant answer, beside a chat framework that keeps nothing and two
 * floors, that of a queue, which keeps nothing but its jobs, and that of storing what the product stores: needs `--load`, the
 * folder of load scripts.
 */
export async function webhooksPart(run: BenchRun): Promise<void> {
  const { loadScripts: scripts, folder } = run;
  if (scripts === null) {
    run.print('webhooks: not measured, for --load does not name the folder of the load scripts');
    return;
  }
  // PostgreSQL runs as nobody.
  chmodSync(folder, 0o755);
  const postgres = await startPostgres(join(folder, 'webhooks-postgres'), { durable: true });
  const redis = await startRedis(join(folder, 'webhooks-redis'));
  const rows: string[][] = [];
  const servers = [postgres, redis].flatMap((server) => server?.pid ?? []);
  const measure = (start: Start, { knownChats }: Chats = { knownChats: false }) =>
    attempt(run, async () => {
      const apiPort = await freePort();
      const target = await start(apiPort);
      run.progress(`webhooks: ${target.name}`);
      try {
        const load = { scripts, apiPort, servers };
        const levels = await postUpdates(target, { ...load, outstanding, newChats: true });
        rows.push(...levels.map((level) => rowOf(target.name, level)));
        if (!knownChats) return;
        const again = await postUpdates(target, { ...load, outstanding: [10], newChats: false });
        rows.push(...again.map((level) => rowOf(`${target.name}, the same chats`, level)));
      } finally {
        await target.stop();
      }
    });
  try {
    await measure(async (apiPort) => {
      const packages = await installChatSdk(join(folder, 'chat-sdk'));
      const at = { scripts, folder: join(folder, 'chat-sdk-peer'), packages, apiPort };
      const queued = { STRATEGY: 'queue' };
      return startPeer({
        name: 'Chat SDK, in memory',
        script: 'chatsdk-server.mjs',
        environment: queued,
        ...at,
      });
    });
    const floors = [
      { name: 'one job in PGlite', environment: { BACKEND: 'pglite', DATADIR: join(folder, 'floor') } },
      ...(postgres === null
        ? []
        : [
            {
              name: 'one job on PostgreSQL',
              environment: { BACKEND: 'pg', URL: await postgres.newDatabase() },
            },
          ]),
      ...(redis === null
        ? []
        : [
            {
              name: 'one job on Redis',
              environment: { BACKEND: 'redis', REDIS_PORT: new URL(redis.url).port },
            },
          ]),
    ];
    for (const { name, environment } of floors) {
      await measure((apiPort) => {
        const at = { scripts, folder: join(folder, name), packages: ownPackages, apiPort };
        return startPeer({ name, script: 'webhook-queue.mjs', environment, ...at });
      });
    }
    const storage = 'the same storing alone';
    await measure((apiPort) => {
      const environment = { DATA_DIR: join(folder, 'storage-floor') };
      return startStorageFloor({ name: `${storage}, embedded`, environment, apiPort });
    });
    for (const [name, onAllCores] of [
      ['Parley, embedded', false],
      ['Parley, embedded, on all cores', true],
    ] as const) {
      const environment = { DATA_DIR: join(folder, name) };
      await measure((apiPort) => startHub({ name, environment, apiPort, onAllCores }), inAllChats);
    }
    if (postgres !== null) {
      await measure(async (apiPort) => {
        const environment = { DATABASE_URL: await postgres.newDatabase() };
        return startStorageFloor({ name: `${storage}, PostgreSQL`, environment, apiPort });
      });
      await measure(async (apiPort) => {
        const environment = { DATABASE_URL: await postgres.newDatabase() };
        return startHub({ name: 'Parley, PostgreSQL', environment, apiPort });
      }, inAllChats);
      if (redis !== null) {
        await measure(async (apiPort) => {
          const environment = { DATABASE_URL: await postgres.newDatabase(), REDIS_URL: redis.url };
          return startHub({ name: 'Parley, PostgreSQL and Redis', environment, apiPort });
        }, inAllChats);
      }
    }
  } finally {
    await postgres?.stop();
    await redis?.stop();
  }
  const headings = [
    'server',
    'outstanding',
    'a second',
    'reply p50',
    'reply p99',
    'taken p50',
    'taken p99',
    'CPU µs',
    'lost',
  ];
  run.print(
    table(
      'Telegram updates, of new chats where nothing else is said, from the webhook to the reply at the platform (ms)',
      headings,
      rows,
    ),
  );
}

function rowOf(name: string, { c, evps, reply, ack, cpuUsPerEvent, lost }: Level): string[] {
  const times = [reply.p50, reply.p99, ack.p50, ack.p99].map((ms) => ms?.toFixed(1) ?? '-');
  return [name, `${c}`, evps.toFixed(0), ...times, `${cpuUsPerEvent ?? '-'}`, `${lost}`];
}
