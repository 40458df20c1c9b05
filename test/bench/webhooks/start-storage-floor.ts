import { join } from 'node:path';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import { startProcess } from '../http/managed-process.ts';
import { benchSecret } from './bench-secret.ts';
import { startHub } from './start-hub.ts';
import type { WebhookTarget } from './webhook-target.ts';

interface Floor {
  readonly name: string;
  /** The environment of the database. */
  readonly environment: Readonly<Record<string, string>>;
  readonly apiPort: number;
}

/**
 * Starts a program that stores of a message all that the product stores, in a database that the product has prepared,
 * and does no more.
 */
export async function startStorageFloor({ name, environment, apiPort }: Floor): Promise<WebhookTarget> {
  const hub = await startHub({ name, environment, apiPort });
  await hub.stop();
  const port = await freePort();
  const server = await startProcess({
    program: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'storage-floor.ts')],
    environment: {
      ...{ PORT: `${port}`, API: `http://127.0.0.1:${apiPort}`, SECRET: benchSecret },
      ...{ CHANNEL_ID: hub.channelId, WORKSPACE_ID: hub.workspaceId, ...environment },
    },
    ready: / ready /,
    core: 0,
  });
  return {
    name,
    address: `http://127.0.0.1:${port}/telegram`,
    secret: benchSecret,
    pid: server.pid,
    stop: () => server.stop(),
  };
}
