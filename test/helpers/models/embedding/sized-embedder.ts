import type { Embedder } from '../../../../core/knowledge/embedding/embedder.ts';

/** A provider's model of any size in this process: texts with the same words get the same vector. */
export interface SizedEmbedder extends Embedder {
  /** Every passage that was embedded so far. */
  readonly embedded: string[];
  /** Called before each batch of passages: throw in it to fail, await in it to hold. */
  onBatch: () => void | Promise<void>;
}

interface SizedModel {
  readonly model: string;
  readonly dimensions: number;
}

export function sizedEmbedder({ model, dimensions }: SizedModel): SizedEmbedder {
  const embedder: SizedEmbedder = {
    ...{ model, dimensions, engine: 'remote' },
    embedded: [],
    onBatch: () => {},
    measure: async () => ({ unrelated: 0, related: 0.5 }),
    embedQuery: async (text) => vectorOf(text, dimensions),
    async embedPassages(texts) {
      await embedder.onBatch();
      embedder.embedded.push(...texts);
      return texts.map((text) => vectorOf(text, dimensions));
    },
    check: async () => {},
    close: async () => {},
  };
  return embedder;
}

function vectorOf(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['-']) {
    let hash = 7;
    for (const letter of word) hash = (hash * 31 + letter.charCodeAt(0)) % dimensions;
    vector[hash] = (vector[hash] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
