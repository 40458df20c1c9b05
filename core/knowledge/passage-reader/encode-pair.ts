import type { WordPieceTokenizer } from '../embedding/minilm-onnx/word-piece-tokenizer.ts';
import type { ReadingPair } from '../embedding/thread-messages.ts';

/** A pair as the reader's model takes it. All three arrays have one entry for each word piece. */
export interface EncodedPair {
  readonly pieces: Int32Array<ArrayBuffer>;
  /** 0 for the question, 1 for the passage. */
  readonly types: Int32Array<ArrayBuffer>;
  /** The index of the unit that the piece belongs to; -1 outside of units. */
  readonly owners: Int32Array<ArrayBuffer>;
}

/** The limit in word pieces, as in the reader's training. */
const MAX_PIECES = 320;
const MAX_QUESTION = 64;
const MAX_HEAD = 40;

/**
 * Encodes a pair as `[CLS] question [SEP] head . units [SEP]`. A question, a head or units that are too long lose their end.
 */
export function encodePair(
  tokenizer: Pick<WordPieceTokenizer, 'begin' | 'end' | 'encodeWords'>,
  { question, head, units }: ReadingPair,
): EncodedPair {
  const { begin, end } = tokenizer;
  const asked = [begin, ...tokenizer.encodeWords(question, MAX_QUESTION), end];
  const path = tokenizer.encodeWords(head, MAX_HEAD);
  const pieces = [...asked, ...path, ...(path.length > 0 ? tokenizer.encodeWords('.', 1) : [])];
  const owners = pieces.map(() => -1);
  for (const [index, unit] of units.entries()) {
    const found = tokenizer.encodeWords(unit, MAX_PIECES - 1 - pieces.length);
    pieces.push(...found);
    owners.push(...found.map(() => index));
  }
  pieces.push(end);
  owners.push(-1);
  return {
    pieces: Int32Array.from(pieces),
    types: Int32Array.from(pieces, (_, index) => (index < asked.length ? 0 : 1)),
    owners: Int32Array.from(owners),
  };
}

/**
 * Returns, for each unit, the probability that the answer begins or ends in it. `span` has two logits for each piece: that
 * the answer begins there, and that it ends there.
 */
export function sumUnitShares(span: Float32Array, owners: Int32Array, units: number): readonly number[] {
  const shares = new Array<number>(units).fill(0);
  for (const side of [0, 1]) {
    const logits = Array.from(owners, (_, piece) => span[2 * piece + side] ?? 0);
    const top = logits.reduce(
      (best, logit, piece) => (owners[piece] === -1 ? best : Math.max(best, logit)),
      -Infinity,
    );
    const weights = logits.map((logit, piece) => (owners[piece] === -1 ? 0 : Math.exp(logit - top)));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    for (const [piece, weight] of weights.entries()) {
      const unit = owners[piece] ?? -1;
      if (unit >= 0) shares[unit] = (shares[unit] ?? 0) + weight / sum / 2;
    }
  }
  return shares;
}
