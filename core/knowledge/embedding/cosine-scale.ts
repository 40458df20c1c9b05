import { z } from 'zod';
import type { CosineScale } from './embedder.ts';
import type { EmbedTexts } from './providers/embedding-api.ts';
import texts from './scale-texts.json' with { type: 'json' };

/** The built-in model's own scale. A test measures it. */
export const BUILT_IN_SCALE: CosineScale = { unrelated: 0.022, related: 0.651 };

/** A scale with less between its ends than this tells nothing apart. */
const MIN_SPAN = 0.02;

/**
 * Measures the scale of a model with two calls; its vectors have unit length. Thresholds are made for the built-in model, and models differ: one has
 * cosines from 0 to .8, another from .7 to .9. The texts are the same for every model, so the scale does not depend on
 * what a workspace's documents are about.
 */
export async function measureScale(embed: EmbedTexts): Promise<CosineScale> {
  const passages = await embed(
    PAIRS.map(([, passage]) => passage),
    'passage',
  );
  const questions = await embed(
    PAIRS.map(([question]) => question),
    'query',
  );
  let [unrelated, related] = [0, 0];
  for (const [row, question] of questions.entries()) {
    for (const [column, passage] of passages.entries()) {
      const cosine = innerProduct(question, passage);
      if (row === column) related += cosine / PAIRS.length;
      else unrelated += cosine / (PAIRS.length * (PAIRS.length - 1));
    }
  }
  return { unrelated, related };
}

/** A linear map of cosines: `offset + slope * cosine`. */
export interface CosineMap {
  readonly offset: number;
  readonly slope: number;
}

/** Returns the map from a model's cosines to what they are for the built-in model. */
export function mapToBuiltIn({ unrelated, related }: CosineScale): CosineMap {
  const span = Math.max(MIN_SPAN, related - unrelated);
  const slope = (BUILT_IN_SCALE.related - BUILT_IN_SCALE.unrelated) / span;
  return { slope, offset: BUILT_IN_SCALE.unrelated - slope * unrelated };
}

function innerProduct(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (const [index, value] of one.entries()) sum += value * (other[index] ?? 0);
  return sum;
}

/** Questions with the passage that answers each, about matters that have nothing to do with each other. */
const PAIRS = z.array(z.tuple([z.string(), z.string()])).parse(texts);
