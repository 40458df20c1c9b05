import { describe, expect, test } from 'vitest';
import { runMaintenance } from '../../../workers/maintenance/worker.ts';
import { openTestRuntime } from '../../helpers/servers/open-test-runtime.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

const minuteMs = 60_000;

describe.each(testEngines)('documents with lost jobs on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const runtime = await openTestRuntime({ environment });
  const waiting = async () => {
    const depths = await runtime.queue.depths();
    return depths.find(({ name }) => name === 'ingest')?.counts.waiting;
  };
  const tidy = async (afterMs: number) => {
    const at = new Date(runtime.clock.now().getTime() + afterMs);
    await runMaintenance({ ...runtime, clock: { now: () => at } }, new AbortController().signal);
    return waiting();
  };

  test('are requeued after a minute, but not twice while they wait', async () => {
    const { workspace } = await runtime.workspaces.create({ name: 'Shop' });
    const add = (text: string) =>
      runtime.documents.add({ workspaceId: workspace.id, bytes: Buffer.from(text) });
    await add('The shop is open on Mondays.');
    await add('Parcels take two days.');
    expect(await waiting()).toBe(2);
    await runtime.database.pool.query("delete from bullmq.job where data::text like '%doc_%'");
    expect(await tidy(0)).toBe(0);
    await add('Returns are free.');
    expect(await tidy(2 * minuteMs)).toBe(3);
    expect(await tidy(3 * minuteMs)).toBe(3);
  });

  test('are requeued for deletion as well', async () => {
    const { workspace } = await runtime.workspaces.create({ name: 'Shop' });
    const { id } = await runtime.documents.add({
      workspaceId: workspace.id,
      bytes: Buffer.from('Gone soon.'),
    });
    await runtime.documents.delete(workspace.id, id);
    await runtime.database.pool.query("delete from bullmq.job where data::text like '%doc_%'");
    expect(await tidy(2 * minuteMs)).toBe(4);
  });
});
