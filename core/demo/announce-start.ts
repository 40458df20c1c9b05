import { relative } from 'node:path';
import type { Runtime } from '../runtime.ts';
import type { ServiceName } from '../service.ts';
import { openDemo } from './open-demo.ts';

interface Started {
  readonly services: readonly ServiceName[];
  /** Where the server listens; null without one. */
  readonly address: string | null;
}

/** Tells the operator, a line each, what there is to know; on an empty installation the demo is made first. */
export async function announceStart(runtime: Runtime, { services, address }: Started): Promise<void> {
  const { config, database, embedder, installation } = runtime;
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const demo = services.length > 1 ? await openDemo(runtime) : null;
  const folder = relative(process.cwd(), config.DATA_DIR) || '.';
  if (address !== null) say(`Parley listens on ${address}`);
  say(`Storage     ${database.engine === 'embedded' ? `embedded, in ${folder}` : 'PostgreSQL'}`);
  say(`Queue       ${config.REDIS_URL === undefined ? 'in the database' : 'Redis'}`);
  if (embedder.engine !== 'none') say(`Embeddings  ${embedder.model} (${embedder.engine})`);
  if (installation.adminTokenIsNew) {
    say(`Admin token ${installation.adminToken}   (shown once, kept in ${folder}/admin-token)`);
  }
  if (demo === null || address === null) return;
  say(`Demo        workspace ${demo.workspaceId}, ${demo.documentCount} documents`);
  say(
    demo.newKey === null
      ? `Demo key    in ${demo.keyFile}`
      : `Demo key    ${demo.newKey}   (kept in ${demo.keyFile})`,
  );
  if (demo.slug !== null) say(`Demo page   ${config.PUBLIC_URL ?? address}/c/${demo.slug}`);
  say('');
  say(
    `  curl -s ${address}/v1/query -H "Authorization: Bearer ${demo.newKey ?? `$(cat '${demo.keyFile}')`}" \\`,
  );
  say(`    -H "Content-Type: application/json" -d '${JSON.stringify({ query: demo.question })}'`);
  say('');
}
