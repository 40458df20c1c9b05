import { threadId } from 'node:worker_threads';
import { serveThread } from '../../../core/contract/threads.ts';

/** A thread that follows a script. */
serveThread(async (order: { readonly do: string; readonly say?: string }) => {
  if (order.do === 'spin') for (;;);
  if (order.do === 'tell thread') return String(threadId);
  if (order.do === 'exit') process.exit(3);
  if (order.do === 'throw') throw new TypeError('as it was told');
  const kept: unknown[] = [];
  while (order.do === 'fill') kept.push(Array.from({ length: 10_000 }, () => ({ kept: kept.length })));
  const buffers: Uint8Array[] = [];
  while (order.do === 'fill outside') {
    buffers.push(new Uint8Array(20 * 2 ** 20).fill(1));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return order.say ?? 'done';
});
