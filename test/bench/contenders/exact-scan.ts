import { indexTokens } from '../../../core/knowledge/indexing/postings.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { type Contender, passagesWanted } from './contender.ts';
import { WordIndex } from './word-index.ts';

const dimensions = 384;

/** No index of the vectors, everything in the memory of the process: the floor that a database has to beat. */
export const exactScan: Contender = {
  async open(_folder, corpus, { chunks }) {
    const words = new WordIndex();
    const vectors = new Float32Array(chunks * dimensions);
    const bodies: string[] = [];
    for (let index = 0; index < chunks; index++) {
      const { title, body } = corpus.chunk(index);
      bodies.push(body);
      words.add(indexTokens(`${title}\n${body}`));
      vectors.set(corpus.vector(index), index * dimensions);
    }
    return {
      async search({ text, vector }) {
        const { scores, ideal } = words.score(indexTokens(text));
        const fused = scores.map(
          (score, index) => 0.4 * (score / ideal) + 0.6 * cosine(vectors, index, vector),
        );
        return best(fused).map((index) => bodies[index]).length;
      },
      async close() {},
    };
  },
};

function cosine(
  vectors: Float32Array,
  index: number,
  question: Corpus['questions'][number]['vector'],
): number {
  const start = index * dimensions;
  let sum = 0;
  for (let at = 0; at < dimensions; at++) sum += (vectors[start + at] ?? 0) * (question[at] ?? 0);
  return sum;
}

function best(scores: Float32Array): number[] {
  const found: number[] = [];
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index] ?? 0;
    if (found.length === passagesWanted && score <= (scores[found.at(-1) ?? 0] ?? 0)) continue;
    const place = found.findIndex((other) => score > (scores[other] ?? 0));
    found.splice(place === -1 ? found.length : place, 0, index);
    if (found.length > passagesWanted) found.pop();
  }
  return found;
}
