import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import {
  type EmbeddingReply,
  type EmbeddingRequest,
  IDLE,
  type ReadingPair,
  type TextEngine,
  type ThreadData,
  type ThreadResult,
  type ThreadSettings,
} from './thread-messages.ts';

/** A `nice` value that gives a third of the CPU share: queries run first, and passages never starve. */
const BACKGROUND_PRIORITY = 5;

/**
 * Entry point of the thread that embeds texts and reads pairs. Errors of embedding are not caught: an engine that threw may be broken (WebAssembly
 * memory is), so the thread ends and the pool starts another.
 */
const data: ThreadData = workerData;
// On Linux a priority applies to one thread and the threads that it starts; elsewhere to the whole process.
if (data.background && process.platform === 'linux') setPriority(BACKGROUND_PRIORITY);
const engine = await openEngine(data);

parentPort?.on('message', async (request: EmbeddingRequest) => {
  if (request.kind === 'end') return parentPort?.close();
  if (request.kind === 'pair') return reply(await read(request.pair));
  const vector = await engine.embed(request.text);
  reply({ kind: 'vector', vector }, [vector.buffer]);
});
reply({ kind: 'loaded' });

async function openEngine({ engine, threads }: ThreadSettings): Promise<TextEngine> {
  if (engine === 'wasm') return (await import('./wasm-engine.ts')).openWasmEngine();
  return (await import('./minilm-onnx/onnx-engine.ts')).openOnnxEngine({ threads });
}

/** A reader that does not load or run leaves the model that embeds as it is, so the thread goes on. */
async function read(pair: ReadingPair): Promise<ThreadResult> {
  if (engine.read === undefined) return { kind: 'unread', reason: 'the engine has no reader' };
  try {
    return { kind: 'reading', reading: await engine.read(pair) };
  } catch (error) {
    return { kind: 'unread', reason: String(error) };
  }
}

function reply(message: EmbeddingReply, transfer: ArrayBuffer[] = []): void {
  // Before the reply: the owner may mark the thread busy again as soon as it receives the reply.
  Atomics.store(data.activity, 0, IDLE);
  Atomics.notify(data.activity, 0);
  parentPort?.postMessage(message, transfer);
}
