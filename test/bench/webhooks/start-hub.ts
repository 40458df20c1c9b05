import { resolve } from 'node:path';
import { freePort } from '../../helpers/free-port.ts';
import { openBotWorkspace } from '../chaos/installation-client.ts';
import { startProcess } from '../http/managed-process.ts';
import { takeSecret } from './take-secret.ts';
import type { WebhookTarget } from './webhook-target.ts';

const main = resolve(import.meta.dirname, '../../../core/main.ts');
const adminToken = 'a-token-for-the-benchmark';

interface Hub {
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly apiPort: number;
  /** As `npm start` leaves it: its database thread need not share the core that all the others are held to. */
  readonly onAllCores?: boolean;
}

/** The product as `npm start` runs it, with a bot whose answer is always the same and whose messages are not paced. */
export async function startHub({
  name,
  environment,
  apiPort,
  onAllCores = false,
}: Hub): Promise<WebhookTarget> {
  const address = `http://127.0.0.1:${await freePort()}`;
  const server = await startProcess({
    program: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', main, 'server', 'workers'],
    environment: {
      ...{ ADMIN_TOKEN: adminToken, ALLOW_PRIVATE_CHANNELS: 'true', LOG_LEVEL: 'warn' },
      ...{ PORT: new URL(address).port, PUBLIC_URL: address, ...environment },
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
    ready: /listens on http/,
    ...(!onAllCores && { core: 0 }),
  });
  let channelId = '';
  const apiBaseUrl = `http://127.0.0.1:${apiPort}`;
  const secret = await takeSecret(apiPort, async () => {
    const settings = { pace: false, buttons: false };
    const channel = {
      channel: 'telegram',
      credentials: { bot_token: '1:x' },
      settings: { mode: 'webhook', api_base_url: apiBaseUrl, ...settings },
    };
    const opened = await openBotWorkspace({ address, adminToken }, [{ channel, postTo: () => {} }]);
    channelId = opened.channelIds[0] ?? '';
  });
  return {
    name,
    address: `${address}/webhooks/${channelId}`,
    secret,
    pid: server.pid,
    stop: () => server.stop(),
  };
}
