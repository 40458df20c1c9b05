/**
 * The words by which facts are read from sentences: values, periods, and whether something is so. They are folded,
 * with spaces between them. `core/knowledge/facts` reads them.
 */
export interface FactWords {
  /** The twelve months in order; the forms of one with `|` between them. */
  readonly months: string;
  /** Words before `days` that leave out weekends. */
  readonly workdayAdjectives?: string;
  readonly noon?: string;
  /** Words before the end of a period. */
  readonly until: string;
  /** Words before the start of a period. */
  readonly since: string;
  /** Words before a year in which something is so. */
  readonly during: string;
  /** Words between the two ends of a range. */
  readonly to: string;
  /** Words between a day and its month, and before the end of a period. */
  readonly fillers: string;
  /** Words of a statement about the past, which cannot be out of date. */
  readonly past: string;
  readonly negations: string;
  /** Words after a negation that make it a bound: `no later than`. */
  readonly bounds: string;
  /** Words with the word whose negation they are: `forbidden=allowed`. */
  readonly opposites: string;
  /** Words of a statement that something is so, which its negation denies. */
  readonly assertions: string;
  /** Words of a second case in the same sentence, so that a negation may belong to that. */
  readonly contrasts: string;
  /** Cells of tables. */
  readonly yes: string;
  readonly no: string;
  /** Words before a number that names something: `version 2`. */
  readonly numbered: string;
  /** Endings by which a verb is told from a noun. */
  readonly verbEndings?: string;
  /** Prepositions of a restriction: `for students`. */
  readonly restrictions: string;
  /** Words with a more frequent word that means the same in facts. */
  readonly synonyms?: string;
  /** Words that do not tell what a fact is about: function words, verbs of rules, and words of titles of pages. */
  readonly plain: string;
  /** The prefix of participles: `geöffnet`. */
  readonly participle?: string;
  /** Endings that inflect a word, the longest first; for languages without stems. */
  readonly endings?: string;
}
