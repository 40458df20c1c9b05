import { z } from 'zod';
import { createLog } from '../../../core/base/log.ts';
import { readConfig } from '../../../core/config/config.ts';
import { ingestDocument } from '../../../core/knowledge/indexing/ingest-document.ts';
import { openRuntime } from '../../../core/runtime/runtime.ts';
import { SEARCH_TABLES } from '../../../workers/ingest/worker.ts';
import { policies } from '../http/policies.ts';
import { defineStep } from './step.ts';

const boundless = 2_000_000_000;

/** Fills a database with the benchmark's articles, and makes keys with limits that they never reach. */
export const prepareStep = defineStep({
  name: 'prepare',
  input: z.object({ environment: z.record(z.string(), z.string()), keys: z.number() }),
  output: z.object({ keys: z.array(z.string()) }),
  async run({ environment, keys }) {
    const runtime = await openRuntime(readConfig(environment), createLog('warn'));
    const { workspace } = await runtime.workspaces.create({
      name: 'Benchmark',
      plan: 'enterprise',
      // The stand-in calls any tool that it is offered, which would double its calls and pass each question on to a
      // person.
      settings: { skills: ['knowledge_search'] },
    });
    for (const { title, text } of policies) {
      const document = await runtime.documents.add({
        workspaceId: workspace.id,
        bytes: Buffer.from(text),
        title,
        contentType: 'text/plain',
        audience: [],
      });
      await ingestDocument({ ...runtime, database: runtime.database.kysely }, document.id);
    }
    const made: string[] = [];
    for (let index = 0; index < keys; index += 1) {
      made.push((await runtime.apiKeys.create(workspace.id, { name: `Benchmark ${index}` })).value);
    }
    await runtime.database.pool.query(
      `update api_key set rate_limit_minute = ${boundless}, rate_limit_day = ${boundless}`,
    );
    // Only these tables are vacuumed: one that is known to be empty is read from end to end when it is no longer empty.
    await runtime.database.pool.query(`vacuum (analyze) ${SEARCH_TABLES.join(', ')}`);
    await runtime.close();
    return { keys: made };
  },
});
