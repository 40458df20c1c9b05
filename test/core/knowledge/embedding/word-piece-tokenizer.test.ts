import { describe, expect, it } from 'vitest';
import { WordPieceTokenizer } from '../../../../core/knowledge/embedding/minilm-onnx/word-piece-tokenizer.ts';

const pieces = ['[UNK]', '[CLS]', '[SEP]', 're', '##fund', '##s', 'a', '.', '$', 'x', '##x', '[MASK]'];
const [UNKNOWN, BEGIN, END, RE, FUND, S, A, DOT, DOLLAR, X, XX, MASK] = pieces.keys();

function tokenizerOf(vocabulary: readonly string[]): WordPieceTokenizer {
  const vocab = Object.fromEntries(vocabulary.map((piece, number) => [piece, number]));
  return new WordPieceTokenizer(JSON.stringify({ model: { vocab } }));
}

describe('WordPieceTokenizer', () => {
  const tokenizer = tokenizerOf(pieces);
  const encode = (text: string, limit = 256) => [...tokenizer.encode(text, limit)];

  it('splits a word into the longest known pieces', () => {
    expect(encode('Refunds')).toEqual([BEGIN, RE, FUND, S, END]);
  });

  it('treats a word with an unknown part as unknown', () => {
    expect(encode('refundz a')).toEqual([BEGIN, UNKNOWN, A, END]);
  });

  it('does not treat names of object members as pieces', () => {
    expect(encode('constructor toString')).toEqual([BEGIN, UNKNOWN, UNKNOWN, END]);
  });

  it('separates every punctuation mark', () => {
    expect(encode('a.$a')).toEqual([BEGIN, A, DOT, DOLLAR, A, END]);
  });

  it('splits words at every kind of space', () => {
    expect(encode(' a\u00a0a\u2028a\u3000a\n')).toEqual([BEGIN, A, A, A, A, END]);
  });

  it('recognises special pieces in the text', () => {
    expect(encode('a[MASK]a')).toEqual([BEGIN, A, MASK, A, END]);
  });

  it('accepts words of up to 100 characters', () => {
    expect(encode('x'.repeat(100))).toEqual([BEGIN, X, ...new Array(99).fill(XX), END]);
    expect(encode('x'.repeat(101))).toEqual([BEGIN, UNKNOWN, END]);
  });

  it('respects the limit including [CLS] and [SEP]', () => {
    expect(encode('a a a a a', 4)).toEqual([BEGIN, A, A, END]);
    expect(encode('refunds', 4)).toEqual([BEGIN, RE, FUND, END]);
  });

  it('encodes an empty text as [CLS] [SEP]', () => {
    expect(encode('')).toEqual([BEGIN, END]);
  });

  it('counts pieces without [CLS], [SEP] or a limit', () => {
    expect(tokenizer.count('refunds. '.repeat(500))).toBe(2000);
    expect(tokenizer.count('')).toBe(0);
  });

  it('rejects a vocabulary without special pieces', () => {
    expect(() => tokenizerOf(['a'])).toThrow(/vocabulary lacks \[CLS\]/);
  });
});
