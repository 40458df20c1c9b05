import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { connectors } from '../../../connectors/registry.ts';
import type { Clock, Wait } from '../../../core/base/clock.ts';
import { createLog } from '../../../core/base/log.ts';
import { readConfig } from '../../../core/config/config.ts';
import { openRuntime } from '../../../core/runtime/runtime.ts';
import { buildApp } from '../../../server/app.ts';
import { runBulkWorker } from '../../../workers/inbox/worker.ts';
import { wordEmbedder } from '../models/embedding/word-embedder.ts';
import { signInPerson } from '../servers/sign-in-person.ts';
import { stageInbox } from '../stores/inbox/stage-inbox.ts';

interface Waiting {
  dueAt: number;
  readonly end: AbortController;
}

/** A clock that runs, and that the test moves forward. */
let movedMs = Number(process.argv[2] ?? 0);
const waiting = new Set<Waiting>();
const now = () => Date.now() + movedMs;
const clock: Clock = { now: () => new Date(now()) };
const wait: Wait = async (ms, signal) => {
  const one: Waiting = { dueAt: now() + ms, end: new AbortController() };
  waiting.add(one);
  try {
    while (now() < one.dueAt) {
      const isOver = await sleep(one.dueAt - now(), true, {
        signal: AbortSignal.any([signal, one.end.signal]),
      }).catch(() => one.end.signal.aborted);
      signal.throwIfAborted();
      if (isOver) return;
    }
  } finally {
    waiting.delete(one);
  }
};

async function advance(ms: number): Promise<void> {
  const until = movedMs + ms;
  // The clock moves a second at a time, because a wait that ends begins the next one.
  while (movedMs < until) {
    movedMs = Math.min(until, movedMs + 1_000);
    for (const one of [...waiting]) if (one.dueAt <= now()) one.end.abort();
    await sleep(5);
  }
}

const orderSchema = z.union([
  z.object({ do: z.literal('advance'), ms: z.number() }),
  z.object({ do: z.literal('setup'), slug: z.string() }),
]);

const config = readConfig(process.env);
const runtime = await openRuntime(config, createLog('error'), {
  clock,
  wait,
  connectors: {
    connectors,
    findConnector: (channel) => connectors.find(({ manifest }) => manifest.channel === channel),
  },
  openEmbedder: async () => wordEmbedder(),
});
const stopWorker = await runBulkWorker(runtime);
const app = buildApp(runtime);
await app.listen({ host: '127.0.0.1', port: config.PORT });

async function setUp(slug: string) {
  const { workspace } = await runtime.workspaces.create({ name: 'Shop', plan: 'growth' });
  const added = await app.inject({
    method: 'POST',
    url: `/admin/v1/workspaces/${workspace.id}/channels`,
    headers: { authorization: `Bearer ${runtime.installation.adminToken}` },
    payload: { channel: 'hosted', settings: { slug } },
  });
  if (added.statusCode !== 201) throw new TypeError(added.body);
  const people = [];
  for (const name of ['ann', 'ben']) {
    const email = `${name}@shop.example`;
    const person = await signInPerson({ app, runtime }, { email, role: 'owner', ownerId: workspace.owner });
    people.push({ name, cookie: person.cookie });
  }
  const others = await stageInbox({ database: runtime.database.kysely, workspaceId: workspace.id }, [
    { status: 'resolved', ago: 30 },
    { status: 'escalated', ago: 40 },
  ]);
  return { workspace: workspace.id, people, others };
}

process.on('message', (message) => {
  const order = orderSchema.parse(message);
  const done = order.do === 'advance' ? advance(order.ms) : setUp(order.slug);
  done.then(
    (result) => process.send?.({ result: result ?? null }),
    (error: unknown) => process.send?.({ fault: String(error) }),
  );
});
process.on('disconnect', () => process.exit(1));
process.on('SIGTERM', () => {
  app.server.closeAllConnections();
  app
    .close()
    .then(() => stopWorker())
    .then(() => runtime.close())
    .finally(() => process.exit(0));
});
process.send?.({ result: 'listening' });
