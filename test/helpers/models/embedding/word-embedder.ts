import type { Embedder } from '../../../../core/knowledge/embedding/embedder.ts';

/** A stand-in for the model, for tests of what surrounds it: texts with the same words get the same vector. */
export interface WordEmbedder extends Embedder {
  /** Every passage that was embedded so far. */
  readonly embedded: string[];
  /** Called before each passage: throw in it to fail, await in it to hold. */
  onPassage: (text: string) => void | Promise<void>;
  /** The same before each question. */
  onQuestion: (text: string) => void | Promise<void>;
}

export function wordEmbedder(): WordEmbedder {
  const embedder: WordEmbedder = {
    model: 'words',
    dimensions: 384,
    engine: 'remote',
    embedded: [],
    onPassage: () => {},
    onQuestion: () => {},
    async embedQuery(text) {
      await embedder.onQuestion(text);
      return vectorOf(text);
    },
    async embedPassages(texts) {
      for (const text of texts) {
        await embedder.onPassage(text);
        embedder.embedded.push(text);
      }
      return texts.map(vectorOf);
    },
    check: async () => {},
    close: async () => {},
  };
  return embedder;
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(384);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? ['-']) {
    let hash = 7;
    for (const letter of word) hash = (hash * 31 + letter.charCodeAt(0)) % 384;
    vector[hash] = (vector[hash] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
