import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../servers/network/free-port.ts';
import type { TestServer } from './start-redis.ts';

interface PgbouncerOptions {
  /** An empty folder for its configuration. */
  readonly folder: string;
  /** The PostgreSQL database behind it. */
  readonly database: string;
  readonly mode: 'session' | 'transaction' | 'statement';
  /** Lines of its section `pgbouncer`. */
  readonly settings?: readonly string[];
}

/** Debian keeps it where only the superuser looks. */
const programs = ['pgbouncer', '/usr/sbin/pgbouncer'];
const program = programs.find((name) => spawnSync(name, ['--version']).error === undefined);

export const hasPgbouncer = program !== undefined;

/** A PgBouncer before a database; needs `hasPgbouncer`. */
export async function startPgbouncer(options: PgbouncerOptions): Promise<TestServer> {
  if (program === undefined) throw new TypeError('this machine has no PgBouncer');
  const { folder, database, mode, settings = [] } = options;
  mkdirSync(folder, { recursive: true });
  const { hostname, port, pathname, username } = new URL(database);
  const ownPort = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port} user=${username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${ownPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'max_client_conn = 200',
    'default_pool_size = 60',
    ...settings,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  // It does not run as root.
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const server = spawn(program, [...asUser, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    server.once('exit', () => reject(new Error(`pgbouncer ended at its start: ${said.join('')}`)));
    server.stderr.on('data', (chunk: Buffer) => {
      said.push(chunk.toString());
      if (said.join('').includes('process up')) resolve();
    });
  });
  return {
    url: `postgres://parley@127.0.0.1:${ownPort}${pathname}`,
    pid: server.pid ?? 0,
    async stop() {
      const gone = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      server.kill('SIGTERM');
      await gone;
    },
  };
}
