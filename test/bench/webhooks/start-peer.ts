import { copyFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import { startProcess } from '../http/managed-process.ts';
import { benchSecret } from './bench-secret.ts';
import type { WebhookTarget } from './webhook-target.ts';

interface Peer {
  readonly name: string;
  /** Of the load scripts' folder of peers. */
  readonly script: string;
  readonly scripts: string;
  /** For its copy of the script, which finds its packages from where it lies. */
  readonly folder: string;
  readonly packages: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly apiPort: number;
}

/** What others answer webhooks with, with the same constant answer. */
export async function startPeer(peer: Peer): Promise<WebhookTarget> {
  mkdirSync(peer.folder, { recursive: true });
  copyFileSync(join(peer.scripts, 'peers', peer.script), join(peer.folder, peer.script));
  // One that was stopped left its own.
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
