import { on, once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { copyTemplate } from '../../../helpers/stores/databases/test-data-folder.ts';

const thread = new URL('../../../../core/storage/embedded/pglite-thread.ts', import.meta.url);
/** Megabytes: the thread's own needs and a fraction of the data requested here. */
const heap = 64;
const answers = 90;

/** A statement in bytes of PostgreSQL's protocol. */
function query(text: string): Uint8Array {
  const words = Buffer.from(`${text}\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(words.length + 4);
  return new Uint8Array([...Buffer.from('Q'), ...length, ...words]);
}

test('the database does not retain its responses', async () => {
  const worker = new Worker(thread, {
    workerData: { folder: copyTemplate() },
    resourceLimits: { maxOldGenerationSizeMb: heap },
  });
  onTestFinished(async () => {
    await worker.terminate();
  });
  const replies = on(worker, 'message');
  await replies.next();
  for (let asked = 0; asked < answers; asked += 1) {
    worker.postMessage(query("select repeat('x', 1000000) as text"));
    const { value } = await replies.next();
    expect(value?.[0].length).toBeGreaterThan(1_000_000);
  }
  const gone = once(worker, 'exit');
  worker.postMessage('close');
  await gone;
});
