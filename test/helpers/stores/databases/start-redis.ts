import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { freePort } from '../../servers/network/free-port.ts';

export interface TestServer {
  readonly url: string;
  /** The id of the process that is the parent of all others. */
  readonly pid: number;
  stop(): Promise<void>;
}

interface RedisOptions {
  /** Any free port when absent. */
  readonly port?: number;
  /** Further options of its command line. */
  readonly more?: readonly string[];
}

/** Starts a Redis server of this run's own; null if it is not installed. */
export async function startRedis(
  folder: string,
  { port: wanted, more = [] }: RedisOptions = {},
): Promise<TestServer | null> {
  if (spawnSync('redis-server', ['--version']).error !== undefined) return null;
  mkdirSync(folder, { recursive: true });
  const port = wanted ?? (await freePort());
  const options = [
    '--port',
    `${port}`,
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    folder,
    ...more,
  ];
  const server = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise<void>((resolve, reject) => {
    server.once('exit', () => reject(new Error('redis-server ended at its start')));
    server.stdout.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('Ready to accept connections')) resolve();
    });
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: server.pid ?? 0,
    async stop() {
      const gone = new Promise((resolve) => server.once('exit', resolve));
      server.kill();
      await gone;
    },
  };
}
