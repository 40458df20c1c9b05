import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { documentStatuses } from '../knowledge/document.ts';
import type { Runtime } from '../runtime.ts';

export type MeasuredStores = Pick<Runtime, 'corpora' | 'database' | 'queue' | 'readiness' | 'log'>;

/** What is counted in the stores when somebody asks. A store that cannot be asked is left out of that answer. */
export function addStoreGauges(
  registry: Registry,
  { corpora, database, queue, readiness, log }: MeasuredStores,
): void {
  const registers = [registry];
  const measure = async (gauge: Gauge, read: () => Promise<void>): Promise<void> => {
    gauge.reset();
    await read().catch((err: unknown) => log.warn({ err }, 'a store cannot be measured'));
  };
  new Gauge({
    name: 'parley_part_up',
    help: 'Whether a part that this process uses works (1) or not (0).',
    labelNames: ['part'],
    registers,
    collect() {
      return measure(this, async () => {
        for (const [part, state] of Object.entries(await readiness.parts())) {
          this.set({ part }, state === 'ok' ? 1 : 0);
        }
      });
    },
  });
  new Gauge({
    name: 'queue_jobs',
    help: 'Jobs of the queue by their state; failed ones were given up.',
    labelNames: ['queue', 'state'],
    registers,
    collect() {
      return measure(this, async () => {
        for (const { name, counts } of await queue.depths()) {
          for (const [state, count] of Object.entries(counts)) this.set({ queue: name, state }, count);
        }
      });
    },
  });
  new Gauge({
    name: 'search_memory_bytes',
    help: 'What documents that are searched in memory take of it, about.',
    registers,
    collect() {
      this.set(corpora.bytesKept);
    },
  });
  new Gauge({
    name: 'documents',
    help: 'Documents by their status.',
    labelNames: ['status'],
    registers,
    collect() {
      return measure(this, async () => {
        const rows = await database.kysely
          .selectFrom('document')
          .select(['status', sql<number>`count(*)::integer`.as('count')])
          .groupBy('status')
          .execute();
        for (const status of documentStatuses) this.set({ status }, 0);
        for (const { status, count } of rows) this.set({ status }, count);
      });
    },
  });
}
