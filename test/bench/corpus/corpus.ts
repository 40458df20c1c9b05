import { type CorpusChunk, makeChunk } from './make-chunk.ts';
import { random } from './random.ts';
import { readSamples, type Samples } from './samples.ts';

export interface KnownQuestion {
  readonly text: string;
  readonly vector: Float32Array;
}

/** Returns the requested number of chunks, each with a vector of unit length, the same ones in every process. */
export interface Corpus {
  readonly questions: readonly KnownQuestion[];
  chunk(index: number): CorpusChunk;
  vector(index: number): Float32Array;
}

/** Half the width of the noise: a noisy vector keeps a cosine of about 0.86 to the real one. */
const noise = 0.053;

export async function openCorpus(samplesFile: string): Promise<Corpus> {
  const samples = await readSamples(samplesFile);
  return {
    questions: samples.questions.map(({ text, vector }) => ({ text, vector: Float32Array.from(vector) })),
    chunk: (index) => makeChunk(samples.pages, index),
    vector: (index) => makeVector(samples, index),
  };
}

/** The vector of a real chunk of the same page, plus noise. */
function makeVector({ pages, passages }: Samples, index: number): Float32Array {
  const { page } = makeChunk(pages, index);
  const next = random(-1 - index);
  const ofPage = passages.filter((passage) => passage.page === page);
  const real = ofPage[Math.floor(next() * ofPage.length)] ?? passages[0];
  const noisy = Float32Array.from(real?.vector ?? [], (value) => value + (2 * next() - 1) * noise);
  const length = Math.hypot(...noisy);
  return noisy.map((value) => value / length);
}
