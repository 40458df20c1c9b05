import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import { type PostgresServer, startPostgres } from '../../helpers/stores/databases/start-postgres.ts';
import { startRedis } from '../../helpers/stores/databases/start-redis.ts';
import { attempt } from '../attempt.ts';
import { startBalancer } from '../balancer/haproxy.ts';
import { Installation } from '../balancer/installation.ts';
import { type LoadResult, type LoadTarget, runLoad } from '../balancer/load.ts';
import type { BenchRun } from '../bench-run.ts';
import { chatRecord } from '../chaos/chat-record.ts';
import { openBotWorkspace, storedConversations } from '../chaos/installation-client.ts';
import { judge, type Verdict } from '../chaos/judge.ts';
import { startTelegramPlatform } from '../chaos/platforms/telegram-platform.ts';
import { untilSettled } from '../chaos/until-settled.ts';
import { pacedAnswer } from '../model/paced-answer.ts';
import { startPacedProvider } from '../model/start-paced-provider.ts';
import { table } from '../table.ts';

const adminToken = 'a-token-for-the-benchmark';
const question = 'Within how many days of purchase are refunds accepted?';
const beforeMs = 3_000;
const afterMs = 6_000;
const readOnlySeconds = 8;
const slowModelMs = 5_000;
const settling = { longestMs: 120_000, quietMs: 6_000 };

interface Drill {
  readonly name: string;
  readonly happen: () => Promise<void>;
}

/**
 * Tests servers and workers behind a load balancer that asks for their readiness, while parts of the installation
 * fail.
 */
export async function balancerPart(run: BenchRun): Promise<void> {
  const folder = join(run.folder, 'balancer');
  // PostgreSQL runs as nobody.
  chmodSync(run.folder, 0o755);
  const ports = [await freePort(), await freePort()];
  const port = await freePort();
  const balancer = await startBalancer(folder, { port, servers: ports });
  if (balancer === null) return run.print('balancer: skipped, because haproxy is not installed');
  const postgres = await startPostgres(join(folder, 'postgres'));
  const redisPort = await freePort();
  const startOwnRedis = () => startRedis(join(folder, 'redis'), { port: redisPort });
  let redis = await startOwnRedis();
  const provider = await startPacedProvider();
  const telegram = await startTelegramPlatform();
  let installation: Installation | undefined;
  try {
    if (postgres === null || redis === null)
      return run.print('balancer: skipped, because PostgreSQL with pgvector or Redis is not installed');
    const own = new Installation({
      ports,
      workers: 2,
      folder,
      environment: {
        ADMIN_TOKEN: adminToken,
        ALLOW_PRIVATE_CHANNELS: 'true',
        DATABASE_URL: await postgres.newDatabase(),
        REDIS_URL: redis.url,
        ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
        LOG_LEVEL: 'error',
        PUBLIC_URL: balancer.address,
        TRUST_PROXY: '127.0.0.1',
        LLM_MODELS: 'openai:paced',
        OPENAI_API_KEY: 'none',
        OPENAI_BASE_URL: `${provider.address}/v1`,
      },
    });
    installation = own;
    run.progress('balancer: starting');
    await own.start();
    const away = run.awaySeconds * 1_000;
    const drills: readonly Drill[] = [
      { name: 'nothing happens', happen: () => wait(5_000) },
      {
        name: `all workers killed with -9, back after ${run.awaySeconds} s`,
        async happen() {
          await own.killWorkers();
          await wait(away);
          await own.startWorkers();
        },
      },
      {
        name: `Redis away for ${run.awaySeconds} s`,
        async happen() {
          await redis?.stop();
          await wait(away);
          redis = await startOwnRedis();
        },
      },
      {
        name: `database read-only for ${readOnlySeconds} s`,
        async happen() {
          await setReadOnly(postgres, true);
          await wait(readOnlySeconds * 1_000);
          await setReadOnly(postgres, false);
        },
      },
      {
        name: 'rolling restart, a model that takes 5 s',
        async happen() {
          await provider.setPace({ shortestThoughtMs: slowModelMs, thoughtSpreadMs: 0, sentences: 1 });
          await own.restartAll();
        },
      },
    ];
    await attempt(run, async () => {
      const bot = await openBotWorkspace({ address: balancer.address, adminToken }, [telegram]);
      const shop = await openShop(balancer.address);
      const target = { address: balancer.address, servers: own.servers, ...shop, question, telegram };
      const rows: string[][] = [];
      for (const [index, drill] of drills.entries()) {
        run.progress(`balancer: ${drill.name}`);
        const { result, verdict } = await play({ drill, target, bot, firstChat: 100 * (index + 1) });
        rows.push(rowOf(drill.name, result, verdict));
        const statuses = [...result.statuses].map(([status, times]) => `${times} × ${status || 'no answer'}`);
        run.print(`balancer: ${drill.name}: ${statuses.join(', ')}`);
        if (verdict.unanswered + verdict.neverAnswered > 0)
          run.fail(`balancer: ${drill.name}: messages lost`);
      }
      run.print(
        table(
          '2 servers and 2 workers behind HAProxy (GET /readyz each second, out after 2 failures)',
          header,
          rows,
        ),
      );
    });
  } finally {
    await installation?.stop();
    telegram.close();
    await provider.stop();
    await redis?.stop();
    await postgres?.stop();
    await balancer.stop();
  }
}

const header = [
  'drill',
  'requests',
  'failed',
  'a server would have served',
  'webhooks',
  'deliveries refused',
  'messages lost',
  'answered twice',
];

interface Played {
  readonly drill: Drill;
  readonly target: LoadTarget;
  readonly bot: { readonly workspaceId: string; readonly key: string };
  readonly firstChat: number;
}

async function play({ drill, target, bot, firstChat }: Played) {
  const over = new AbortController();
  const loading = runLoad(target, { signal: over.signal, firstChat });
  await wait(beforeMs);
  try {
    await drill.happen();
    await wait(afterMs);
  } finally {
    over.abort();
  }
  const result = await loading;
  const [server = ''] = target.servers;
  const look = async () => {
    const stored = await storedConversations(server, bot);
    return result.acknowledged.map(({ chat, acknowledged }) =>
      chatRecord(stored, { chat, acknowledged, answers: target.telegram.sent.get(chat)?.length ?? 0 }),
    );
  };
  const { records } = await untilSettled(look, settling);
  return { result, verdict: judge(records) };
}

function rowOf(name: string, { count }: LoadResult, verdict: Verdict): string[] {
  const { requests, failed, servable, webhooks, webhooksFailed } = count;
  const lost = verdict.unanswered + verdict.neverAnswered;
  const twice = verdict.doubled + verdict.answeredTwice;
  return [name, ...[requests, failed, servable, webhooks, webhooksFailed, lost, twice].map(String)];
}

/** A managed database server does this when its disk is full. */
async function setReadOnly(postgres: PostgresServer, isReadOnly: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('set default_transaction_read_only to off');
  await client.query(`alter system set default_transaction_read_only to ${isReadOnly ? 'on' : 'off'}`);
  await client.query('select pg_reload_conf()');
  await client.end();
}

const workspaceMade = z.object({ id: z.string(), public_token: z.string() });
const keyMade = z.object({ key: z.string() });

/** A workspace with a document that answers the question, a key and a widget. */
async function openShop(address: string): Promise<Pick<LoadTarget, 'workspaceId' | 'publicToken' | 'key'>> {
  const post = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${address}/admin/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const { id, public_token } = workspaceMade.parse(
    await post('/workspaces', { name: 'Shop', plan: 'enterprise' }),
  );
  const at = `/workspaces/${id}`;
  const limits = { rate_limit_minute: 1_000, rate_limit_day: 100_000 };
  const { key } = keyMade.parse(await post(`${at}/keys`, { name: 'bench', ...limits }));
  await post(`${at}/documents?wait=true`, {
    title: 'Refunds',
    content: `${pacedAnswer}.`,
    content_type: 'text/plain',
  });
  await post(`${at}/channels`, { channel: 'widget', name: 'Widget', settings: {} });
  return { workspaceId: id, publicToken: public_token, key };
}
