import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../../servers/network/free-port.ts';
import { createDatabaseOn } from './create-database-on.ts';
import type { TestServer } from './start-redis.ts';

export interface PostgresServer extends TestServer {
  /** Makes an empty database; its address. */
  newDatabase(): Promise<string>;
  /** Once it was stopped. */
  start(): void;
}

/** Starts a PostgreSQL server of this run's own; null if the machine lacks PostgreSQL or pgvector. */
export async function startPostgres(
  folder: string,
  { durable = false }: { readonly durable?: boolean } = {},
): Promise<PostgresServer | null> {
  const programs = findPrograms();
  if (programs === null) return null;
  mkdirSync(folder, { recursive: true });
  const data = join(folder, 'data');
  const asUser =
    process.getuid?.() === 0 ? ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups'] : [];
  if (asUser.length > 0) {
    run(['chown', 'nobody:nogroup', folder]);
    run(['chmod', '755', dirname(folder)]);
  }
  const port = await freePort();
  run([
    ...asUser,
    join(programs, 'initdb'),
    '--no-sync',
    '-A',
    'trust',
    '-U',
    'parley',
    '-E',
    'UTF8',
    '-D',
    data,
  ]);
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=${durable ? 'on' : 'off'}`;
  const control = [...asUser, join(programs, 'pg_ctl'), '-w', '-D', data];
  const start = () => run([...control, '-l', join(folder, 'log'), '-o', options, 'start']);
  start();
  const url = `postgres://parley@127.0.0.1:${port}/postgres`;
  return {
    start,
    url,
    pid: Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]),
    newDatabase: () => createDatabaseOn(url),
    async stop() {
      run([...control, '-m', 'immediate', 'stop']);
    },
  };
}

/** The folder of the newest server programs on this machine that come with pgvector. */
function findPrograms(): string | null {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return null;
  const versions = readdirSync(root).sort((one, other) => Number(other) - Number(one));
  const found = versions.find(
    (version) =>
      existsSync(join(root, version, 'bin', 'initdb')) &&
      existsSync(join('/usr/share/postgresql', version, 'extension', 'vector.control')),
  );
  return found === undefined ? null : join(root, found, 'bin');
}

function run(command: readonly string[]): void {
  const [program = '', ...args] = command;
  const result = spawnSync(program, args, { cwd: '/', encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`${command.join(' ')}: ${result.stderr || result.error?.message}`);
}
