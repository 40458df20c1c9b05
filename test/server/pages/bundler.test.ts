import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { stop } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useBundler } from '../../../server/pages/bundler.ts';

const processes: ChildProcess[] = [];
/** Those of the bundler. A process knows its file after it was told of. */
const started = () => processes.filter(({ spawnfile }) => spawnfile.includes('esbuild'));

function note(message: unknown): void {
  if (message instanceof Object && 'process' in message && message.process instanceof ChildProcess) {
    processes.push(message.process);
  }
}

subscribe('child_process', note);
afterAll(() => void unsubscribe('child_process', note));

// The bundler of an earlier file of this process may still be there.
beforeAll(stop);

test('the process of the bundler ends with its last user, and not before', async () => {
  const others = Promise.withResolvers<void>();
  const last = useBundler(async ({ transform }) => {
    const before = await transform('one = 1');
    await others.promise;
    const after = await transform('two = 2');
    return before.code + after.code;
  });
  await useBundler(({ transform }) => transform('three = 3'));
  await expect(useBundler(({ transform }) => transform('four ='))).rejects.toThrow('Unexpected');
  expect(started().map(({ signalCode, exitCode }) => signalCode ?? exitCode)).toEqual([null]);
  others.resolve();
  expect(await last).toBe('one = 1;\ntwo = 2;\n');
  await expect
    .poll(() => started().map((bundler) => bundler.signalCode ?? bundler.exitCode))
    .not.toContain(null);
  expect(started()).toHaveLength(1);
});
