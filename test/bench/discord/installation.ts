import { join } from 'node:path';
import { z } from 'zod';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import { BenchError } from '../bench-error.ts';
import type { DiscordPlatform } from '../chaos/platforms/discord-platform.ts';
import { type PoolMember, ProductPool } from '../chaos/product-pool.ts';

const adminToken = 'a-token-for-the-benchmark';
const made = z.object({ id: z.string() });
const keyMade = z.object({ key: z.string() });
const listed = z.object({ status: z.string() });

/** The product as one process on storage of its own, with a bot whose every answer is the same. */
export interface Installation {
  readonly pool: ProductPool;
  readonly address: string;
  readonly workspace: { readonly workspaceId: string; readonly key: string };
  /** Returns the status of the channel in the server's health. */
  status(): Promise<string>;
}

export async function installFor(platform: DiscordPlatform, folder: string): Promise<Installation> {
  const port = `${await freePort()}`;
  const address = `http://127.0.0.1:${port}`;
  const environment = {
    ADMIN_TOKEN: adminToken,
    ALLOW_PRIVATE_CHANNELS: 'true',
    LOG_LEVEL: 'info',
    PORT: port,
    PUBLIC_URL: address,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    DATA_DIR: join(folder, 'data'),
  };
  const member: PoolMember = { services: ['server', 'workers'], environment };
  const pool = new ProductPool([member]);
  await pool.start();
  const call = async (method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${address}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new BenchError(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const settings = { skills: [], fallback_message: 'Noted.' };
  const wanted = { name: 'Bench', plan: 'enterprise', settings };
  const { id: workspaceId } = made.parse(await call('POST', '/workspaces', wanted));
  const limits = { name: 'bench', rate_limit_minute: 1_000, rate_limit_day: 100_000 };
  const { key } = keyMade.parse(await call('POST', `/workspaces/${workspaceId}/keys`, limits));
  const channels = `/workspaces/${workspaceId}/channels`;
  const { id } = made.parse(await call('POST', channels, { name: 'Bench', ...platform.channel }));
  return {
    pool,
    address,
    workspace: { workspaceId, key },
    status: async () => listed.parse(await call('GET', `${channels}/${id}`)).status,
  };
}
