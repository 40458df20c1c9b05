import { detectLanguage } from '../language/language.ts';
import { type Embedder, spaceOf } from './embedding/embedder.ts';
import { passageUnits } from './passage-units.ts';
import type { WeighedVector } from './vectors.ts';

/** The vectors of a passage's units, one after the other, as signed bytes. Empty if none were made. */
export type SentenceVectors = Int8Array;

interface Titled {
  readonly title: string;
  readonly body: string;
}

/**
 * Returns the texts to embed for the units of a passage, in order: each with the document's title before it, because few
 * sentences say alone what they are about. None for a language that the built-in model cannot read, and none for models of
 * providers, for which each document would cost several times as much.
 */
export function sentenceTexts(
  { title, body }: Titled,
  embedder: Pick<Embedder, 'engine' | 'space'>,
): string[] {
  if (spaceOf(embedder)?.id !== 0) return [];
  if (embedder.engine !== 'remote' && detectLanguage(body).class !== 'english') return [];
  const name = title.trim();
  return passageUnits(body).map(({ words }) => (name === '' ? words.text : `${name}\n${words.text}`));
}

/** Returns whether passages can have sentence vectors to compare a question's vector with: those of the built-in model have. */
export function hasSentences({ modelId = 0 }: WeighedVector): boolean {
  return modelId === 0;
}

const MAX_BYTE = 127;

/** Packs vectors into bytes. Each is scaled to its largest number; the scale is not stored, since a cosine needs none. */
export function packSentenceVectors(vectors: readonly Float32Array[]): SentenceVectors {
  const packed = new Int8Array(vectors.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const vector of vectors) {
    let largest = 0;
    for (const value of vector) largest = Math.max(largest, Math.abs(value));
    const scale = largest === 0 ? 0 : MAX_BYTE / largest;
    for (const value of vector) {
      packed[at] = Math.round(value * scale);
      at += 1;
    }
  }
  return packed;
}

/** Returns the cosine of a question's vector, of unit length, and each of the packed vectors; null without vectors. */
export function sentenceCosines(packed: SentenceVectors, question: Float32Array): readonly number[] | null {
  const { length } = question;
  if (packed.length === 0 || packed.length % length !== 0) return null;
  const cosines: number[] = [];
  for (let start = 0; start < packed.length; start += length) {
    let product = 0;
    let square = 0;
    for (let at = 0; at < length; at += 1) {
      const value = packed[start + at] ?? 0;
      product += value * (question[at] ?? 0);
      square += value * value;
    }
    cosines.push(square === 0 ? 0 : product / Math.sqrt(square));
  }
  return cosines;
}

export function encodeSentenceVectors(packed: SentenceVectors): string {
  return Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength).toString('base64');
}

export function decodeSentenceVectors(base64: string): SentenceVectors {
  const bytes = Buffer.from(base64, 'base64');
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
