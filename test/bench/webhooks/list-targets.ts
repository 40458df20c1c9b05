import { join, resolve } from 'node:path';
import type { PostgresServer } from '../../helpers/stores/databases/start-postgres.ts';
import type { TestServer } from '../../helpers/stores/databases/start-redis.ts';
import { installChatSdk } from './install-chat-sdk.ts';
import { startHub } from './start-hub.ts';
import { startPeer } from './start-peer.ts';
import { startStorageFloor } from './start-storage-floor.ts';
import type { WebhookTarget } from './webhook-target.ts';

const ownPackages = resolve(import.meta.dirname, '../../../node_modules');

type Environment = Readonly<Record<string, string>>;

/** A target: a framework, one job of a queue alone, the product's statements alone, or the product. */
export interface ListedTarget {
  readonly name: string;
  readonly kind: 'framework' | 'job' | 'storage' | 'product';
  /** The store of its queue: its own process's storage, PostgreSQL or Redis. The framework has none. */
  readonly queue: Queue | null;
  /** Starts it with its Bot API on that port. */
  start(apiPort: number): Promise<WebhookTarget>;
}

export const queues = ['embedded', 'PostgreSQL', 'Redis'] as const;

type Queue = (typeof queues)[number];

interface Place {
  readonly scripts: string;
  readonly folder: string;
  /** Null if this machine has no PostgreSQL: the targets that need it are not listed. */
  readonly postgres: PostgresServer | null;
  readonly redis: TestServer | null;
}

/** The targets, each with storage of its own, made when it is started. */
export function listTargets({ scripts, folder, postgres, redis }: Place): readonly ListedTarget[] {
  const job = (name: string, queue: Queue, environment: () => Promise<Environment>): ListedTarget => {
    const at = { scripts, folder: join(folder, name), packages: ownPackages, script: 'webhook-queue.mjs' };
    const start = async (apiPort: number) =>
      startPeer({ name, environment: await environment(), apiPort, ...at });
    return { name, kind: 'job', queue, start };
  };
  const storage = (name: string, queue: Queue, environment: () => Promise<Environment>): ListedTarget => {
    const start = async (apiPort: number) =>
      startStorageFloor({ name, environment: await environment(), apiPort });
    return { name, kind: 'storage', queue, start };
  };
  const product = (
    name: string,
    queue: Queue,
    environment: () => Promise<Environment>,
    onAllCores = false,
  ): ListedTarget => {
    const start = async (apiPort: number) =>
      startHub({ name, environment: await environment(), apiPort, onAllCores });
    return { name, kind: 'product', queue, start };
  };
  const files = (name: string) => async () => ({ DATA_DIR: join(folder, name) });
  const onPostgres = (server: PostgresServer): readonly ListedTarget[] => {
    const database = async () => ({ DATABASE_URL: await server.newDatabase() });
    return [
      job('one job on PostgreSQL', 'PostgreSQL', async () => ({
        BACKEND: 'pg',
        URL: await server.newDatabase(),
      })),
      storage('the same storing alone, PostgreSQL', 'PostgreSQL', database),
      product('Parley, PostgreSQL', 'PostgreSQL', database),
    ];
  };
  const onRedis = (server: TestServer): readonly ListedTarget[] => {
    const queue = { BACKEND: 'redis', REDIS_PORT: new URL(server.url).port };
    const bare = job('one job on Redis', 'Redis', async () => queue);
    if (postgres === null) return [bare];
    return [
      bare,
      product('Parley, PostgreSQL and Redis', 'Redis', async () => {
        return { DATABASE_URL: await postgres.newDatabase(), REDIS_URL: server.url };
      }),
    ];
  };
  return [
    chatSdk(scripts, folder),
    job('one job in PGlite', 'embedded', async () => ({
      BACKEND: 'pglite',
      DATADIR: join(folder, 'floor'),
    })),
    storage('the same storing alone, embedded', 'embedded', files('storage-floor')),
    product('Parley, embedded', 'embedded', files('embedded')),
    product('Parley, embedded, on all cores', 'embedded', files('embedded-on-all-cores'), true),
    ...(postgres === null ? [] : onPostgres(postgres)),
    ...(redis === null ? [] : onRedis(redis)),
  ];
}

function chatSdk(scripts: string, folder: string): ListedTarget {
  const name = 'Chat SDK, in memory';
  let installed: Promise<string> | undefined;
  const start = async (apiPort: number) => {
    installed ??= installChatSdk(join(folder, 'chat-sdk'));
    const at = { scripts, folder: join(folder, 'chat-sdk-peer'), packages: await installed, apiPort };
    return startPeer({ name, script: 'chatsdk-server.mjs', environment: { STRATEGY: 'queue' }, ...at });
  };
  return { name, kind: 'framework', queue: null, start };
}
