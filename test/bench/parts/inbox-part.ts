import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../../core/config.ts';
import { createLog } from '../../../core/log.ts';
import { openRuntime } from '../../../core/runtime.ts';
import { buildApp } from '../../../server/app.ts';
import { sameOrigin, signInPerson } from '../../helpers/servers/sign-in-person.ts';
import { fillInbox } from '../../helpers/stores/fill-inbox.ts';
import { startPostgres } from '../../helpers/stores/start-postgres.ts';
import type { BenchRun } from '../bench-run.ts';
import { milliseconds } from '../format.ts';
import { quantile } from '../quantile.ts';
import { table } from '../table.ts';

const conversations = 50_000;
const messagesEach = 10;
const readings = 60;
const warmUps = 5;
const mostMs = 30;

/** The calls of an inbox: its lists, and the counts of all views. */
const calls = [
  'conversation-counts',
  'conversations?view=waiting',
  'conversations?view=mine',
  'conversations?view=unread',
  'conversations?view=sla_at_risk',
  'conversations?view=snoozed',
  'conversations?view=low_confidence',
  'conversations?view=open',
  'conversations?view=open&sort=waiting',
  'conversations?view=resolved',
  'conversations?view=all',
  'conversations?tag=returns',
  'conversations?tag=vip',
  'conversations?channel=sms&channel=email',
  'conversations?priority=high&view=open',
  'conversations?customer=customer%204999',
  'conversations?q=parcel',
  'conversations?q=kiln',
  'conversations?q=nothing',
  'conversations?email=customer77@shop.example',
];

const savedViews = [
  { view: 'open', tag: ['returns'] },
  { view: 'open', priority: ['high'] },
  { status: ['escalated', 'claimed'], assignee: 'none' },
  { channel: ['email'], view: 'open' },
];

/** How long agents wait for lists and counts of an inbox of 50,000 conversations and 500,000 messages, over HTTP. */
export async function inboxPart(run: BenchRun): Promise<void> {
  const folder = join(run.folder, 'inbox');
  // PostgreSQL runs as nobody.
  chmodSync(run.folder, 0o755);
  const postgres = await startPostgres(join(folder, 'postgres'));
  if (postgres === null) {
    run.fail('inbox: this machine has no PostgreSQL with pgvector');
    return;
  }
  const config = readConfig({
    ...{ PORT: '0', ADMIN_TOKEN: 'a-token-for-the-bench-of-the-inbox', LOG_LEVEL: 'silent' },
    ...{ DATA_DIR: join(folder, 'data'), DATABASE_URL: await postgres.newDatabase() },
  });
  const runtime = await openRuntime(config, createLog('silent'));
  const app = buildApp(runtime);
  try {
    await measureInbox(run, { app, runtime });
  } finally {
    await app.close();
    await runtime.close();
    await postgres.stop();
  }
}

interface Server {
  readonly app: ReturnType<typeof buildApp>;
  readonly runtime: Awaited<ReturnType<typeof openRuntime>>;
}

async function measureInbox(run: BenchRun, { app, runtime }: Server): Promise<void> {
  const settings = { sla: { first_response_minutes: 600, resolution_minutes: 6_000 } };
  const { workspace } = await runtime.workspaces.create({ name: 'Shop', plan: 'enterprise', settings });
  const { owner: ownerId, id: workspaceId } = workspace;
  const server = { app, runtime };
  const ann = await signInPerson(server, { email: 'ann@shop.example', role: 'owner', ownerId });
  await signInPerson(server, { email: 'ben@shop.example', role: 'agent', ownerId });
  const { rows: people } = await runtime.database.pool.query('select id from person order by email');
  run.progress('inbox: filling');
  await fillInbox(runtime.database.pool, {
    ...{ workspaceId, conversations, messages: messagesEach },
    people: people.map(({ id }) => String(id)),
  });
  run.progress('inbox: vacuum');
  await runtime.database.pool.query('vacuum analyze');
  const base = `/admin/v1/workspaces/${workspaceId}`;
  for (const filters of savedViews) {
    await ann.call('POST', `${base}/views`, { name: 'View', filters, shared: true });
  }
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const headers = { ...sameOrigin, cookie: ann.cookie };
  const rows: string[][] = [];
  for (const call of calls) {
    run.progress(`inbox: ${call}`);
    const times = await time(`http://127.0.0.1:${port}${base}/${call}`, headers);
    const [half, most] = [quantile(times, 0.5), quantile(times, 0.95)];
    if (!(most <= mostMs)) run.fail(`inbox: 95 of 100 calls of ${call} should take at most ${mostMs} ms`);
    rows.push([call, milliseconds(half), milliseconds(most), milliseconds(quantile(times, 1))]);
  }
  run.print(
    table('An inbox of 50,000 conversations and 500,000 messages', ['call', 'p50', 'p95', 'slowest'], rows),
  );
}

async function time(url: string, headers: Readonly<Record<string, string>>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let reading = -warmUps; reading < readings; reading += 1) {
    const begin = performance.now();
    const answer = await fetch(url, { headers });
    await answer.text();
    if (answer.status !== 200) return [Number.POSITIVE_INFINITY];
    if (reading >= 0) times.push(performance.now() - begin);
  }
  return times;
}
