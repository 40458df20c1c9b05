import { EmbeddingError } from '../embedder.ts';

type Vocabulary = ReadonlyMap<string, number>;

const PUNCTUATION = '\\p{P}\\u0021-\\u002F\\u003A-\\u0040\\u005B-\\u0060\\u007B-\\u007E';
const WORD = new RegExp(`[${PUNCTUATION}]|[^\\p{White_Space}${PUNCTUATION}]+`, 'gu');
const SPECIAL = /(\[(?:PAD|UNK|CLS|SEP|MASK)\])/u;
/** In characters; longer words are unknown to the model as a whole. */
const LONGEST_WORD = 100;

/** Cuts text into the word pieces of an uncased BERT model. */
export class WordPieceTokenizer {
  readonly #vocabulary: Vocabulary;
  readonly #begin: number;
  readonly #end: number;
  readonly #unknown: number;

  /** Takes the model's `tokenizer.json` as text: parsing it costs about 40 ms. */
  constructor(tokenizerJson: string) {
    const file: { model: { vocab: Record<string, number> } } = JSON.parse(tokenizerJson);
    this.#vocabulary = new Map(Object.entries(file.model.vocab));
    this.#begin = this.#special('[CLS]');
    this.#end = this.#special('[SEP]');
    this.#unknown = this.#special('[UNK]');
  }

  /** The numbers of the pieces, between the two marks of beginning and end: `limit` in all at most. */
  encode(text: string, limit: number): Int32Array<ArrayBuffer> {
    const numbers = [this.#begin];
    for (const piece of this.#pieces(text)) {
      if (numbers.length === limit - 1) break;
      numbers.push(piece);
    }
    return Int32Array.from([...numbers, this.#end]);
  }

  /** How many pieces the text has, without the marks of beginning and end. */
  count(text: string): number {
    return this.#pieces(text).reduce((pieces) => pieces + 1, 0);
  }

  *#pieces(text: string): Generator<number, void> {
    for (const [index, part] of text.split(SPECIAL).entries()) {
      if (index % 2 === 1) yield this.#special(part);
      else for (const [word] of normaliseForBert(part).matchAll(WORD)) yield* this.#split(word);
    }
  }

  /** The longest known piece again and again; a word that cannot be covered wholly is unknown. */
  #split(word: string): readonly number[] {
    if (word.length > LONGEST_WORD && [...word].length > LONGEST_WORD) return [this.#unknown];
    const pieces: number[] = [];
    for (let begin = 0; begin < word.length; ) {
      const found = this.#longest(word, begin);
      if (found === undefined) return [this.#unknown];
      pieces.push(found.piece);
      begin = found.end;
    }
    return pieces;
  }

  #longest(word: string, begin: number): { piece: number; end: number } | undefined {
    const prefix = begin === 0 ? '' : '##';
    for (let end = word.length; end > begin; end--) {
      const piece = this.#vocabulary.get(prefix + word.slice(begin, end));
      if (piece !== undefined) return { piece, end };
    }
    return undefined;
  }

  #special(mark: string): number {
    const number = this.#vocabulary.get(mark);
    if (number === undefined) throw new EmbeddingError(`The model's vocabulary lacks ${mark}.`);
    return number;
  }
}

const LAYOUT = new Set(['\t', '\n', '\r']);
const CONTROL = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu;
const MARK = /\p{Mn}/gu;
/** The blocks that BERT's vocabulary treats as one word a character. */
const IDEOGRAPH =
  /[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B81F}\u{2B920}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/gu;

/**
 * Text as the uncased BERT models were trained on it: no control characters, ideographs apart, no accents,
 * lower case.
 */
export function normaliseForBert(text: string): string {
  return (
    text
      .replace(CONTROL, (character) => (LAYOUT.has(character) ? character : ''))
      .replace(IDEOGRAPH, ' $& ')
      .normalize('NFD')
      .replace(MARK, '')
      // The model never saw a final sigma: its lower case knows no context, that of JavaScript does.
      .replaceAll('Σ', 'σ')
      .toLowerCase()
  );
}
