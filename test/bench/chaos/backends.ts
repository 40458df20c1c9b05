import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import type { PostgresServer } from '../../helpers/stores/databases/start-postgres.ts';
import type { TestServer } from '../../helpers/stores/databases/start-redis.ts';
import type { PoolMember, ProductPool } from './product-pool.ts';

/** An installation, and the faults that it meets while it is used. */
export interface Backend {
  readonly name: string;
  readonly members: readonly PoolMember[];
  /** Goes on until `signal` is aborted. */
  trouble(pool: ProductPool, signal: AbortSignal): Promise<void>;
}

interface Servers {
  readonly folder: string;
  readonly adminToken: string;
  /** Null if this machine has no PostgreSQL. */
  readonly postgres: PostgresServer | null;
  readonly redis: TestServer | null;
}

const onceAfterMs = 8_000;

export async function chaosBackends({
  folder,
  adminToken,
  postgres,
  redis,
}: Servers): Promise<readonly Backend[]> {
  const common = async () => {
    const port = `${await freePort()}`;
    return {
      ADMIN_TOKEN: adminToken,
      ALLOW_PRIVATE_CHANNELS: 'true',
      LOG_LEVEL: 'info',
      PORT: port,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      // Visitors of pages state their own address.
      TRUST_PROXY: '127.0.0.1',
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
  };
  const embedded = { ...(await common()), DATA_DIR: join(folder, 'embedded') };
  const backends: Backend[] = [
    {
      name: 'embedded, one process, kills',
      members: [{ services: ['server', 'workers'], environment: embedded }],
      trouble: killOften,
    },
  ];
  if (postgres === null) return backends;
  const scaledOut = async (more: Readonly<Record<string, string>>): Promise<readonly PoolMember[]> => {
    const environment = { ...(await common()), DATABASE_URL: await postgres.newDatabase(), ...more };
    const member = (service: string, name: string): PoolMember => ({
      services: [service],
      environment: { ...environment, DATA_DIR: join(folder, name) },
    });
    return [member('server', 'server'), member('workers', 'one'), member('workers', 'other')];
  };
  backends.push({ name: 'PostgreSQL, kills', members: await scaledOut({}), trouble: killOften });
  if (redis !== null) {
    const onRedis = () => scaledOut({ REDIS_URL: redis.url });
    const flush = () => flushRedis(redis.url);
    backends.push(
      { name: 'PostgreSQL and Redis, kills', members: await onRedis(), trouble: killOften },
      {
        name: 'PostgreSQL and Redis, Redis flushed',
        members: await onRedis(),
        trouble: (_, signal) => often(flush, signal),
      },
    );
  }
  const restart = async () => {
    await postgres.stop();
    postgres.start();
  };
  backends.push({
    name: 'PostgreSQL, PostgreSQL restarted',
    members: await scaledOut({}),
    trouble: (_, signal) => often(restart, signal),
  });
  return backends;
}

async function killOften(pool: ProductPool, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await wait(1_000 + Math.random() * 3_000);
    if (!signal.aborted) await pool.killOne(Math.random());
  }
}

async function often(happen: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await wait(onceAfterMs, undefined, { signal }).catch(() => {
      // An abort rejects the pause; the loop then checks the signal.
    });
    if (!signal.aborted) await happen();
  }
}

function flushRedis(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.end('FLUSHALL\r\nQUIT\r\n'));
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.resume();
  });
}
