import { parentPort, workerData } from 'node:worker_threads';

/**
 * Stands in for an embedding thread: the vector of a text is its length. Some texts make it misbehave; `shared`
 * holds a gate at 0 (opened by writing 1) and a counter at 1 that all threads of a test share.
 */
interface FakeThreadData {
  readonly shared: Int32Array;
  readonly activity: Int32Array;
  readonly unloadable?: boolean;
}

const { shared, activity, unloadable }: FakeThreadData = workerData;
if (unloadable === true) throw new RangeError('no memory left');

parentPort?.on('message', (request: { kind: 'text'; text: string } | { kind: 'end' }) => {
  if (request.kind === 'end') {
    parentPort?.close();
    return;
  }
  misbehave(request.text);
  const vector = Float32Array.of(request.text.length);
  reply({ kind: 'vector', vector }, [vector.buffer]);
});
reply({ kind: 'loaded' });

function misbehave(text: string): void {
  if (text === 'wait') Atomics.wait(shared, 0, 0, 5000);
  if (text === 'throw') throw new RangeError('unreachable executed');
  if (text === 'exit') process.exit(7);
  if (text === 'throw once' && Atomics.add(shared, 1, 1) === 0) throw new RangeError('only the first time');
}

function reply(message: object, transfer: ArrayBuffer[] = []): void {
  Atomics.store(activity, 0, 0);
  Atomics.notify(activity, 0);
  parentPort?.postMessage(message, transfer);
}
