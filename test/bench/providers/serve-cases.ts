import { openModels } from '../../../core/answering/open-models.ts';
import { createLog } from '../../../core/base/log.ts';
import { readConfig } from '../../../core/config/config.ts';
import { ingestDocument } from '../../../core/knowledge/indexing/ingest-document.ts';
import { disableTelemetry } from '../../../core/runtime/compile-cache.ts';
import { openRuntime } from '../../../core/runtime/runtime.ts';
import { buildApp } from '../../../server/app.ts';
import { faults } from './fault.ts';
import type { ProviderCase } from './provider-case.ts';

/** This program runs the product: one server for each case, all on the same documents. */
disableTelemetry(process.env);
const { REFUSED_URL, ...environment } = process.env;
const config = readConfig(environment);
const log = createLog(config.LOG_LEVEL);
const runtime = await openRuntime(config, log);
const { workspace } = await runtime.workspaces.create({ name: 'Benchmark', plan: 'enterprise' });
const document = await runtime.documents.add({
  workspaceId: workspace.id,
  bytes: Buffer.from('Parcels arrive within three working days. Express delivery costs 9.50 euros.'),
  title: 'Delivery',
  contentType: 'text/plain',
  audience: [],
});
await ingestDocument({ ...runtime, database: runtime.database.kysely }, document.id);
const limits = { rateLimitMinute: 100_000, rateLimitDay: 1_000_000 };
const { value: key } = await runtime.apiKeys.create(workspace.id, { name: 'Benchmark', ...limits });

const paths = ['/v1/query', '/v1/query/stream'];
const cases: ProviderCase[] = [];
for (const { model } of faults) {
  const first = model === 'refused' ? 'openai:refused' : `openai-compatible:${model}`;
  for (const hasSpare of [false, true]) {
    const models = hasSpare ? `${first},openai-compatible:healthy` : first;
    for (const path of paths) {
      cases.push({ name: model, hasSpare, path, address: await serve(models) });
    }
  }
}
process.stdout.write(`${JSON.stringify({ key, cases })}\n`);
process.once('SIGTERM', () => process.exit(0));

async function serve(choices: string): Promise<string> {
  const settings = readConfig({ ...environment, LLM_MODELS: choices, OPENAI_BASE_URL: REFUSED_URL });
  const models = await openModels({ config: settings, clock: runtime.clock, log });
  return buildApp({ ...runtime, ...models }).listen({ host: '127.0.0.1', port: 0 });
}
