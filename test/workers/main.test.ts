import { expect, test } from 'vitest';
import { start } from '../../workers/main.ts';
import { openTestRuntime } from '../helpers/open-test-runtime.ts';

test('workers that end leave to others what takes longer than a stop may', async () => {
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
