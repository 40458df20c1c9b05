import { join } from 'node:path';
import { z } from 'zod';
import { freePort } from '../../helpers/free-port.ts';
import { ProductPool } from '../chaos/product-pool.ts';
import { startTwilioPlatform, type TwilioPlatform } from '../chaos/twilio-platform.ts';

const visitors = 50;
const messagesEach = 20;
const adminToken = 'a-token-for-the-benchmark';
const madeSchema = z.object({ id: z.string() });
const channelSchema = z.object({ webhook_url: z.string() });

/** How long each signed message of visitors who write at once waited for its acknowledgement, in milliseconds. */
export async function measureWebhooks(folder: string): Promise<readonly number[]> {
  const platform = await startTwilioPlatform();
  const port = `${await freePort()}`;
  const address = `http://127.0.0.1:${port}`;
  const environment = {
    ADMIN_TOKEN: adminToken,
    ALLOW_PRIVATE_CHANNELS: 'true',
    DATA_DIR: join(folder, 'webhooks'),
    LOG_LEVEL: 'info',
    PORT: port,
    PUBLIC_URL: address,
  };
  const pool = new ProductPool([{ services: ['server', 'workers'], environment }]);
  try {
    await pool.start();
    platform.hookAt(await addNumber(address, platform));
    await talk(platform, { visitor: 0, messages: messagesEach });
    const each = Array.from({ length: visitors }, (_, index) =>
      talk(platform, { visitor: index + 1, messages: messagesEach }),
    );
    return (await Promise.all(each)).flat();
  } finally {
    pool.end();
    platform.close();
  }
}

/** One visitor: each message after the one before was acknowledged. */
async function talk(
  platform: TwilioPlatform,
  { visitor, messages }: { readonly visitor: number; readonly messages: number },
): Promise<readonly number[]> {
  const waits: number[] = [];
  for (let index = 0; index < messages; index += 1) {
    const sid = `SM${(visitor * 1_000 + index).toString(16).padStart(32, '0')}`;
    const startedAt = performance.now();
    await platform.post({
      sid,
      from: `+1555000${1_000 + visitor}`,
      body: `Message ${index} of visitor ${visitor}`,
    });
    waits.push(performance.now() - startedAt);
  }
  return waits;
}

async function addNumber(address: string, platform: TwilioPlatform): Promise<string> {
  const call = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${address}/admin/v1/workspaces${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const settings = { skills: [], fallback_message: 'Noted.' };
  const { id } = madeSchema.parse(await call('', { name: 'Bench', plan: 'enterprise', settings }));
  const added = await call(`/${id}/channels`, {
    channel: 'sms',
    name: 'Bench',
    credentials: { account_sid: platform.accountSid, auth_token: platform.authToken },
    settings: { from: platform.number, api_base_url: platform.url },
  });
  return channelSchema.parse(added).webhook_url;
}
