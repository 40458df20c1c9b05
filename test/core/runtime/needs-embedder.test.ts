import { expect, test } from 'vitest';
import { unavailableEmbedder } from '../../../core/knowledge/embedding/embedder.ts';
import { needsEmbedder } from '../../../core/runtime/start-services.ts';
import { start } from '../../../workers/main.ts';
import { openTestRuntime } from '../../helpers/servers/open-test-runtime.ts';

const without = ['deliver', 'housekeeping', 'listeners', 'summaries', 'webhooks'];

test.each([
  [true, 'server'],
  [true, 'server workers'],
  [true, 'workers'],
  [true, 'workers ingest'],
  [true, 'workers deliver answer'],
  [true, 'workers of-another-version'],
  [false, 'workers deliver'],
  [false, `workers ${without.join(' ')}`],
])('%s: %s', (needs, words) => {
  expect(needsEmbedder(words.split(' '))).toBe(needs);
});

test('workers that need no model start without one, and its use throws an error with advice', async () => {
  const runtime = await openTestRuntime();
  const workers = await start({ ...runtime, embedder: unavailableEmbedder }, without);
  await workers.stop();
  await expect(unavailableEmbedder.embedQuery('a kettle')).rejects.toThrow(
    'Start a worker that searches or indexes',
  );
});
