import { describe, expect, test, vi } from 'vitest';
import { DocumentReader } from '../../../core/knowledge/read/document-reader.ts';
import { runIngestWorker } from '../../../workers/ingest/worker.ts';
import { openTestRuntime } from '../../helpers/servers/open-test-runtime.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

describe.each(testEngines)('queued documents on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const runtime = await openTestRuntime({ environment });
  const addTo = async (workspaceId: string, count: number) => {
    for (let index = 0; index < count; index += 1) {
      const bytes = Buffer.from(`Shelf ${index} is open on day ${index}.`);
      await runtime.documents.add({ workspaceId, bytes });
    }
  };
  const indexedOf = async (workspaceId: string) => {
    const { items } = await runtime.documents.list(workspaceId, { limit: 100 });
    return items.filter(({ status }) => status === 'indexed').length;
  };

  test('documents of one workspace do not delay those of another, and all are indexed', async () => {
    const { workspace: busy } = await runtime.workspaces.create({ name: 'Busy' });
    const { workspace: quiet } = await runtime.workspaces.create({ name: 'Quiet' });
    await addTo(busy.id, 40);
    await addTo(quiet.id, 1);
    const stop = await runIngestWorker(runtime);
    await vi.waitFor(async () => expect(await indexedOf(quiet.id)).toBe(1), {
      timeout: 20_000,
      interval: 5,
    });
    expect(await indexedOf(busy.id)).toBeLessThan(20);
    await vi.waitFor(async () => expect(await indexedOf(busy.id)).toBe(40), { timeout: 20_000 });
    const counts = async () => (await runtime.queue.depths()).find(({ name }) => name === 'ingest')?.counts;
    await expect.poll(counts).toMatchObject({ waiting: 0, active: 0, failed: 0 });
    await stop();
  });

  test('slow documents do not delay a document of another workspace', async () => {
    const { workspace: hostile } = await runtime.workspaces.create({ name: 'Hostile' });
    const { workspace: other } = await runtime.workspaces.create({ name: 'Other' });
    const reader = new DocumentReader();
    const stop = await runIngestWorker({ ...runtime, reader });
    for (const count of [100_000, 100_001, 100_002, 100_003, 100_004, 100_005]) {
      const bytes = Buffer.from('[a]('.repeat(count));
      await runtime.documents.add({ workspaceId: hostile.id, bytes, contentType: 'text/markdown' });
    }
    const statuses = async () => {
      const { items } = await runtime.documents.list(hostile.id, { limit: 100 });
      return items.map(({ status }) => status);
    };
    await vi.waitFor(async () => expect(await statuses()).toContain('indexing'), { timeout: 20_000 });
    await addTo(other.id, 1);
    await vi.waitFor(async () => expect(await indexedOf(other.id)).toBe(1), {
      timeout: 30_000,
      interval: 20,
    });
    expect(await statuses()).not.toContain('failed');
    await reader.close();
    await stop();
  });
});
