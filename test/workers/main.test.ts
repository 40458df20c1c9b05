import { expect, test } from 'vitest';
import { start } from '../../workers/main.ts';
import { openTestRuntime } from '../helpers/servers/open-test-runtime.ts';

test('workers that stop leave work that takes too long to other processes', async () => {
  const runtime = await openTestRuntime({ environment: { SHUTDOWN_SECONDS: '1' } });
  const begun = Promise.withResolvers<void>();
  const hanging: typeof runtime.embedder = {
    ...runtime.embedder,
    embedPassages() {
      begun.resolve();
      return new Promise(() => {});
    },
  };
  const { workspace } = await runtime.workspaces.create({ name: 'Stopped' });
  const workers = await start({ ...runtime, embedder: hanging }, ['ingest']);
  const { id } = await runtime.documents.add({
    workspaceId: workspace.id,
    bytes: Buffer.from('The kettle holds a litre.'),
    title: 'Kettle',
    contentType: 'text/plain',
    audience: [],
  });
  await begun.promise;
  await workers.stop();
  expect(await runtime.documents.get(workspace.id, id)).toMatchObject({ status: 'indexing' });
});

test('workers that cannot all start leave none running', async () => {
  const runtime = await openTestRuntime();
  const [begun, stopped]: [string[], string[]] = [[], []];
  const work: typeof runtime.queue.work = async (name, handler) => {
    const stop = await runtime.queue.work(name, handler);
    begun.push(name);
    return async () => {
      await stop();
      stopped.push(name);
    };
  };
  const processes = Object.assign(Object.create(runtime.processes), {
    addRole: () => Promise.reject(new TypeError('the database is gone')),
  });
  const starting = start({ ...runtime, processes, queue: { ...runtime.queue, work } }, [
    'ingest',
    'webhooks',
  ]);
  await expect(starting).rejects.toThrow('the database is gone');
  expect(stopped.toSorted()).toEqual(['ingest', 'webhooks']);
  expect(begun).toEqual(['ingest', 'webhooks']);
});
