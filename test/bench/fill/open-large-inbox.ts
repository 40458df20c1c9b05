import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../../../core/base/log.ts';
import { readConfig } from '../../../core/config/config.ts';
import { openRuntime } from '../../../core/runtime/runtime.ts';
import { buildApp } from '../../../server/app.ts';
import { signInPerson } from '../../helpers/servers/sign-in-person.ts';
import { startPostgres } from '../../helpers/stores/databases/start-postgres.ts';
import { fillInbox } from '../../helpers/stores/inbox/fill-inbox.ts';
import { BenchError } from '../bench-error.ts';
import type { BenchRun } from '../bench-run.ts';

const conversations = 50_000;
const messagesEach = 10;
const settings = { sla: { first_response_minutes: 600, resolution_minutes: 6_000 } };

export type LargeInbox = Awaited<ReturnType<typeof openLargeInbox>>;

/** Starts a server on PostgreSQL with an inbox of 50,000 conversations and 500,000 messages, of two people. */
export async function openLargeInbox(run: BenchRun, name: string) {
  const folder = join(run.folder, name);
  // PostgreSQL runs as nobody.
  chmodSync(run.folder, 0o755);
  const postgres = await startPostgres(join(folder, 'postgres'));
  if (postgres === null) throw new BenchError('this machine has no PostgreSQL with pgvector');
  const config = readConfig({
    ...{ PORT: '0', ADMIN_TOKEN: 'a-token-for-the-bench-of-the-inbox', LOG_LEVEL: 'silent' },
    ...{ DATA_DIR: join(folder, 'data'), DATABASE_URL: await postgres.newDatabase() },
  });
  const runtime = await openRuntime(config, createLog('silent'));
  const app = buildApp(runtime);
  const { workspace } = await runtime.workspaces.create({ name: 'Shop', plan: 'enterprise', settings });
  const { owner: ownerId, id: workspaceId } = workspace;
  const ann = await signInPerson({ app, runtime }, { email: 'ann@shop.example', role: 'owner', ownerId });
  await signInPerson({ app, runtime }, { email: 'ben@shop.example', role: 'agent', ownerId });
  const { rows: people } = await runtime.database.pool.query('select id from person order by email');
  run.progress(`${name}: filling`);
  await fillInbox(runtime.database.pool, {
    ...{ workspaceId, conversations, messages: messagesEach },
    people: people.map(({ id }) => String(id)),
  });
  run.progress(`${name}: vacuum`);
  await runtime.database.pool.query('vacuum analyze');
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    address,
    workspaceId,
    /** The owner. */
    ann,
    async close() {
      app.server.closeAllConnections();
      await app.close();
      await runtime.close();
      await postgres.stop();
    },
  };
}
