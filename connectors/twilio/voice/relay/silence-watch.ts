/** Slower than any voice reads. */
const MS_A_LETTER = 80;
/** So long nobody has to say anything. */
const PATIENCE_MS = 10_000;

/** Notices that a caller whose turn it is says nothing: ConversationRelay does not tell. */
export class SilenceWatch {
  readonly #onSilence: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(onSilence: () => void) {
    this.#onSilence = onSilence;
  }

  /** It is his turn once so many letters were read to him. */
  begin(letters: number): void {
    this.end();
    this.#timer = setTimeout(this.#onSilence, letters * MS_A_LETTER + PATIENCE_MS);
  }

  /** He says something, or is gone. */
  end(): void {
    clearTimeout(this.#timer);
  }
}
