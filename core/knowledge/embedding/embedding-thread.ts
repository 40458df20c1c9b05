import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { TextEngine } from './thread-messages.ts';
import {
  type EmbeddingReply,
  type EmbeddingRequest,
  IDLE,
  type ThreadData,
  type ThreadSettings,
} from './thread-messages.ts';

/** In the terms of `nice`: a third of the share of others, which lets queries come first and starves nothing. */
const BACKGROUND_PRIORITY = 5;

/**
 * The thread in which texts become vectors. Nothing is caught here: an engine that has thrown may be broken
 * (WebAssembly memory is), so the thread ends and its owner starts another.
 */
const data: ThreadData = workerData;
// On Linux a priority belongs to one thread and those that it starts; elsewhere it would be the whole process's.
if (data.background && process.platform === 'linux') setPriority(BACKGROUND_PRIORITY);
const engine = await openEngine(data);

parentPort?.on('message', async (request: EmbeddingRequest) => {
  if (request.kind === 'end') return parentPort?.close();
  const vector = await engine.embed(request.text);
  reply({ kind: 'vector', vector }, [vector.buffer]);
});
reply({ kind: 'loaded' });

async function openEngine({ engine, threads }: ThreadSettings): Promise<TextEngine> {
  if (engine === 'wasm') return (await import('./wasm-engine.ts')).openWasmEngine();
  return (await import('./minilm-onnx/onnx-engine.ts')).openOnnxEngine({ threads });
}

function reply(message: EmbeddingReply, transfer: ArrayBuffer[] = []): void {
  // Before the answer: the owner marks the thread busy again as soon as it has that.
  Atomics.store(data.activity, 0, IDLE);
  Atomics.notify(data.activity, 0);
  parentPort?.postMessage(message, transfer);
}
