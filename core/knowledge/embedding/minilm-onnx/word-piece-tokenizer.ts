import { EmbeddingError } from '../embedder.ts';

type Vocabulary = ReadonlyMap<string, number>;

const PUNCTUATION = '\\p{P}\\u0021-\\u002F\\u003A-\\u0040\\u005B-\\u0060\\u007B-\\u007E';
const WORD = new RegExp(`[${PUNCTUATION}]|[^\\p{White_Space}${PUNCTUATION}]+`, 'gu');
const SPECIAL = /(\[(?:PAD|UNK|CLS|SEP|MASK)\])/u;
/** As in BERT's reference tokeniser: a longer word is unknown as a whole. */
const MAX_WORD_CHARACTERS = 100;

/** Splits text into the word pieces of an uncased BERT model. */
export class WordPieceTokenizer {
  readonly #vocabulary: Vocabulary;
  /** The number of `[CLS]`. */
  readonly begin: number;
  /** The number of `[SEP]`. */
  readonly end: number;
  readonly #unknown: number;

  /** Takes the text of the model's `tokenizer.json`. Parsing it takes about 40 ms. */
  constructor(tokenizerJson: string) {
    const file: { model: { vocab: Record<string, number> } } = JSON.parse(tokenizerJson);
    this.#vocabulary = new Map(Object.entries(file.model.vocab));
    this.begin = this.#special('[CLS]');
    this.end = this.#special('[SEP]');
    this.#unknown = this.#special('[UNK]');
  }

  /** Returns the numbers of the pieces between `[CLS]` and `[SEP]`, at most `limit` including both. */
  encode(text: string, limit: number): Int32Array<ArrayBuffer> {
    const numbers = [this.begin];
    for (const piece of this.#pieces(text)) {
      if (numbers.length === limit - 1) break;
      numbers.push(piece);
    }
    return Int32Array.from([...numbers, this.end]);
  }

  /**
   * Returns the numbers of the first pieces of a text, at most `limit`, without `[CLS]` and `[SEP]`. Marks in the text are
   * words like others: a visitor who writes `[SEP]` ends nothing.
   */
  encodeWords(text: string, limit: number): readonly number[] {
    const numbers: number[] = [];
    for (const [word] of normaliseForBert(text).matchAll(WORD)) {
      if (numbers.length >= limit) break;
      numbers.push(...this.#split(word));
    }
    return numbers.slice(0, limit);
  }

  /** Returns the number of pieces, without `[CLS]` and `[SEP]`. */
  count(text: string): number {
    return this.#pieces(text).reduce((pieces) => pieces + 1, 0);
  }

  *#pieces(text: string): Generator<number, void> {
    for (const [index, part] of text.split(SPECIAL).entries()) {
      if (index % 2 === 1) yield this.#special(part);
      else for (const [word] of normaliseForBert(part).matchAll(WORD)) yield* this.#split(word);
    }
  }

  /** Takes the longest known piece repeatedly. A word that cannot be covered completely is unknown. */
  #split(word: string): readonly number[] {
    if (word.length > MAX_WORD_CHARACTERS && [...word].length > MAX_WORD_CHARACTERS) return [this.#unknown];
    const pieces: number[] = [];
    for (let begin = 0; begin < word.length; ) {
      const found = this.#longestPiece(word, begin);
      if (found === undefined) return [this.#unknown];
      pieces.push(found.piece);
      begin = found.end;
    }
    return pieces;
  }

  #longestPiece(word: string, begin: number): { piece: number; end: number } | undefined {
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

const KEPT_CONTROLS = new Set(['\t', '\n', '\r']);
const CONTROL = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu;
const MARK = /\p{Mn}/gu;
/** Unicode blocks in which BERT's tokeniser treats each character as a word. */
const IDEOGRAPH =
  /[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B81F}\u{2B920}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/gu;

/**
 * Normalises text as in the training of uncased BERT models: without control characters and accents, with spaces
 * around ideographs, in lower case.
 */
export function normaliseForBert(text: string): string {
  return (
    text
      .replace(CONTROL, (character) => (KEPT_CONTROLS.has(character) ? character : ''))
      .replace(IDEOGRAPH, ' $& ')
      .normalize('NFD')
      .replace(MARK, '')
      // BERT's lower-casing ignores context, but JavaScript's would turn a final Σ into ς, which the model never saw.
      .replaceAll('Σ', 'σ')
      .toLowerCase()
  );
}
