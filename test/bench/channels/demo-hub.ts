import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import { BenchError } from '../bench-error.ts';
import type { ChatPlatform } from '../chaos/platforms/chat-platform.ts';
import { ProductPool } from '../chaos/product-pool.ts';

const workspacesSchema = z.object({
  workspaces: z.array(z.object({ id: z.string(), public_token: z.string() })),
});
const documentsSchema = z.object({ documents: z.array(z.object({ status: z.string() })) });
const channelSchema = z.object({
  status: z.string(),
  last_error: z.string().nullable(),
  webhook_url: z.string().nullable(),
});

export interface DemoHub {
  /** Adds a channel on a platform to the demo workspace. Throws a BenchError if the channel does not connect. */
  connect(platform: ChatPlatform): Promise<void>;
  end(): void;
}

const adminToken = 'a-token-for-the-benchmark';
const lookMs = 200;
/** The demo is indexed before the first start is over. */
const patienceMs = 300_000;

/** The product as `npm start` runs it on an empty folder, once the demo's documents are indexed. */
export async function startDemoHub(folder: string): Promise<DemoHub> {
  const port = `${await freePort()}`;
  const address = `http://127.0.0.1:${port}`;
  const environment = {
    ADMIN_TOKEN: adminToken,
    ALLOW_PRIVATE_CHANNELS: 'true',
    DATA_DIR: join(folder, 'channels'),
    LOG_LEVEL: 'warn',
    PORT: port,
    PUBLIC_URL: address,
    // Visitors have addresses of their own, in the header of a proxy, because the limits of one address would delay
    // them.
    TRUST_PROXY: '127.0.0.1',
  };
  const pool = new ProductPool([{ services: ['server', 'workers'], environment }], patienceMs);
  await pool.start();
  const call = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${address}/admin/v1${path}`, {
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new BenchError(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const { id, public_token: publicToken } = await demoWorkspace(call);
  const at = `/workspaces/${id}`;
  await documentsRead(call, at);
  return {
    async connect({ channel, postTo, visit }) {
      const added = channelSchema.parse(await call(`${at}/channels`, { name: 'Demo', ...channel }));
      if (added.status === 'error') throw new BenchError(`${channel.channel}: ${added.last_error}`);
      postTo(added.webhook_url ?? '');
      visit?.({ address, publicToken });
    },
    end: () => pool.end(),
  };
}

type Call = (path: string) => Promise<unknown>;
type DemoWorkspace = z.infer<typeof workspacesSchema>['workspaces'][number];

/** It is made after the server listens. */
async function demoWorkspace(call: Call): Promise<DemoWorkspace> {
  for (;;) {
    const [first] = workspacesSchema.parse(await call('/workspaces')).workspaces;
    if (first !== undefined) return first;
    await wait(lookMs);
  }
}

async function documentsRead(call: Call, at: string): Promise<void> {
  for (;;) {
    const { documents } = documentsSchema.parse(await call(`${at}/documents?limit=100`));
    if (documents.length > 0 && documents.every(({ status }) => status === 'indexed')) return;
    await wait(lookMs);
  }
}
