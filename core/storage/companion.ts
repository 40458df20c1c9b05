/** A kind of data that is stored in the same statement as turns. Each kind has a statement of its own. */
export interface CompanionKind {
  readonly name: string;
  /** The kind's columns with their types. No name may equal a column of the turn. */
  readonly columns: Readonly<Record<string, string>>;
  /**
   * An SQL expression over these columns, those of the turn (such as `asked.answer_id`) and `kept`, the conversation's
   * id.
   */
  readonly expression: string;
  /** The maximum number of turns for each statement; unlimited if absent. */
  readonly most?: number;
}

/** Data that is stored atomically with a turn, in the same statement. */
export interface Companion {
  /** If its expression raises an error, the turn is not stored either. */
  readonly kind: CompanionKind;
  /** Keyed by the columns of its kind. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Maps an error of the statement to the error to throw. */
  errorOf(error: unknown): unknown;
  /** Receives the expression's value after both are stored. */
  stored?(value: unknown): void;
}
