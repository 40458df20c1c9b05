import { copyFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import { startProcess } from '../http/managed-process.ts';
import { benchSecret } from './bench-secret.ts';
import type { WebhookTarget } from './webhook-target.ts';

interface Peer {
  readonly name: string;
  /** The script, in the peers' folder of the load scripts. */
  readonly script: string;
  readonly scripts: string;
  /** The folder for its copy of the script, which finds its packages from there. */
  readonly folder: string;
  readonly packages: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly apiPort: number;
}

/** Starts another project that answers webhooks, with the same constant answer. */
export async function startPeer(peer: Peer): Promise<WebhookTarget> {
  mkdirSync(peer.folder, { recursive: true });
  copyFileSync(join(peer.scripts, 'peers', peer.script), join(peer.folder, peer.script));
  // A stopped run leaves its own.
  rmSync(join(peer.folder, 'node_modules'), { force: true });
  symlinkSync(peer.packages, join(peer.folder, 'node_modules'));
  const port = await freePort();
  const server = await startProcess({
    program: process.execPath,
    args: [peer.script],
    folder: peer.folder,
    environment: {
      ...{ PORT: `${port}`, API: `http://127.0.0.1:${peer.apiPort}`, SECRET: benchSecret, KEEP: '0' },
      ...peer.environment,
    },
    ready: / ready /,
    core: 0,
  });
  return {
    name: peer.name,
    address: `http://127.0.0.1:${port}/telegram`,
    secret: benchSecret,
    pid: server.pid,
    stop: () => server.stop(),
  };
}
