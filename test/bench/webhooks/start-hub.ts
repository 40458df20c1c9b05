import { freePort } from '../../helpers/servers/network/free-port.ts';
import { openBotWorkspace } from '../chaos/installation-client.ts';
import type { ManagedProcess } from '../http/managed-process.ts';
import { adminToken, startInstallation } from './start-installation.ts';
import { takeSecret } from './take-secret.ts';
import type { WebhookTarget } from './webhook-target.ts';

/** The product, with the channel that updates are posted to. */
interface HubTarget extends WebhookTarget {
  readonly channelId: string;
  readonly workspaceId: string;
}

interface Hub {
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly apiPort: number;
  /**
   * Whether its processes are not pinned, as with `npm start`: the database thread then need not share the core of
   * the others.
   */
  readonly onAllCores?: boolean;
}

/** The product as `npm start` runs it, with a bot whose answer is always the same and whose messages are not paced. */
export async function startHub({ name, environment, apiPort, onAllCores = false }: Hub): Promise<HubTarget> {
  const address = `http://127.0.0.1:${await freePort()}`;
  const server = await startInstallation({ address, environment, onAllCores });
  return openBot({ name, address, apiPort, server, number: 1 });
}

interface Bot {
  readonly name: string;
  readonly address: string;
  readonly apiPort: number;
  readonly server: ManagedProcess;
  readonly number: number;
}

/** Opens a bot in a workspace of its own, so that each of its chats is new. */
async function openBot(bot: Bot): Promise<HubTarget> {
  const { name, address, apiPort, server, number } = bot;
  let channelId = '';
  let workspaceId = '';
  const apiBaseUrl = `http://127.0.0.1:${apiPort}`;
  const secret = await takeSecret(apiPort, async () => {
    const settings = { pace: false, buttons: false };
    const channel = {
      channel: 'telegram',
      credentials: { bot_token: `${number}:x` },
      settings: { mode: 'webhook', api_base_url: apiBaseUrl, ...settings },
    };
    const opened = await openBotWorkspace({ address, adminToken }, [{ channel, postTo: () => {} }]);
    channelId = opened.channelIds[0] ?? '';
    workspaceId = opened.workspaceId;
  });
  return {
    name,
    address: `${address}/webhooks/${channelId}`,
    secret,
    channelId,
    workspaceId,
    pid: server.pid,
    renew: () => openBot({ ...bot, number: number + 1 }),
    stop: () => server.stop(),
  };
}
