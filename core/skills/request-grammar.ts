/**
 * How a language asks for something, in parts of regular expressions over plain speech. A request is recognised whole,
 * from the start of a clause on, never by a word in it: so questions about such requests, and refusals, are none.
 */
export interface RequestGrammar {
  /** Words that may come before a request: `hello`, `please`. */
  readonly openers: readonly string[];
  /** Words that begin a clause of its own: `and`, `but`. */
  readonly links: readonly string[];
  readonly requests: readonly string[];
  /** What a request may go on with, beside a comma; whatever follows that. */
  readonly tails: readonly string[];
  /** What is a request only as a whole sentence: `agent`. */
  readonly bare: readonly string[];
  /** What may follow those: `please`. */
  readonly closers: readonly string[];
}
