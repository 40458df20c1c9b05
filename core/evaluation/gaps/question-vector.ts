import { extractWordKeys } from '../../answering/generated/word-keys.ts';
import { mapToBuiltIn } from '../../knowledge/embedding/cosine-scale.ts';
import { type Embedder, spaceOf } from '../../knowledge/embedding/embedder.ts';
import { LEAST_COSINE, type SortableQuestion } from './cluster.ts';

export type QuestionVector = Pick<SortableQuestion, 'modelId' | 'vector'> & {
  /** The least cosine to a cluster, on the scale of the model. */
  readonly leastCosine: number;
  /** The least cosine of two wordings of one question, on the same scale. */
  readonly sameCosine: number;
};

/** With the built-in model, wordings of one question that share their content words are above it, and other questions are not. */
const SAME_COSINE = 0.85;

const WORDS_MODEL = -1;
const DIMENSIONS = 384;

/**
 * Returns the vector by which a question is compared: that of the embedding model, if it reads the language, and otherwise
 * one of its words, by which only questions with mostly the same words are near. Null if it has no words.
 */
export async function embedForGaps(
  embedder: Embedder,
  text: string,
  language: string,
): Promise<QuestionVector | null> {
  const space = spaceOf(embedder);
  if (space === null || (language !== 'en' && !space.isMultilingual)) return embedWords(text);
  const vector = Array.from(await embedder.embedQuery(text));
  const { offset, slope } = space.scale === null ? { offset: 0, slope: 1 } : mapToBuiltIn(space.scale);
  const toScale = (cosine: number) => (cosine - offset) / slope;
  return {
    ...{ modelId: space.id, vector },
    leastCosine: toScale(LEAST_COSINE),
    sameCosine: toScale(SAME_COSINE),
  };
}

/** Returns the vector of the words of a text. Null if it has none. */
function embedWords(text: string): QuestionVector | null {
  const vector = new Array<number>(DIMENSIONS).fill(0);
  for (const { hash } of extractWordKeys(text)) {
    const unsigned = hash >>> 0;
    const place = unsigned % DIMENSIONS;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  if (length === 0) return null;
  return {
    modelId: WORDS_MODEL,
    vector: vector.map((value) => value / length),
    leastCosine: LEAST_COSINE,
    sameCosine: SAME_COSINE,
  };
}
