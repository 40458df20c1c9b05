import { expect, test } from 'vitest';
import {
  decodeSentenceVectors,
  encodeSentenceVectors,
  packSentenceVectors,
  sentenceCosines,
  sentenceTexts,
} from '../../../core/knowledge/sentence-vectors.ts';

function vectorOf(seed: number): Float32Array {
  const vector = Float32Array.from({ length: 384 }, (_, index) => Math.sin(seed * 97 + index * index));
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

const dot = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

test('stored bytes give the cosine of each sentence within .01', () => {
  const vectors = [1, 2, 3].map(vectorOf);
  const question = vectorOf(2.001);
  const stored = decodeSentenceVectors(encodeSentenceVectors(packSentenceVectors(vectors)));
  const cosines = sentenceCosines(stored, question) ?? [];
  expect(cosines).toHaveLength(3);
  for (const [index, cosine] of cosines.entries()) {
    expect(Math.abs(cosine - dot(vectors[index] ?? new Float32Array(384), question))).toBeLessThan(0.01);
  }
});

test('no vectors, or vectors of another length, give no cosines', () => {
  expect(sentenceCosines(packSentenceVectors([]), vectorOf(1))).toBeNull();
  expect(sentenceCosines(packSentenceVectors([vectorOf(1).slice(0, 100)]), vectorOf(1))).toBeNull();
});

test('each sentence, row and piece of code is embedded with the title of its document', () => {
  const body =
    'The kettle boils in two minutes. The lid of it is made of glass.\n\n| Part | Price |\n| --- | --- |\n| Lid | 4 pounds |\n| Cord | 9 pounds |';
  expect(sentenceTexts({ title: 'Kettle', body }, { engine: 'onnx' })).toEqual([
    'Kettle\nThe kettle boils in two minutes.',
    'Kettle\nThe lid of it is made of glass.',
    'Kettle\nPart: Lid; Price: 4 pounds',
    'Kettle\nPart: Cord; Price: 9 pounds',
  ]);
});

test('a language that the built-in model cannot read gets none, a provider’s model gets them', () => {
  const page = {
    title: 'Чайник',
    body: 'Чайник закипает за две минуты. У него есть прозрачная стеклянная крышка.',
  };
  expect(sentenceTexts(page, { engine: 'onnx' })).toEqual([]);
  expect(sentenceTexts(page, { engine: 'remote' })).toHaveLength(2);
});
