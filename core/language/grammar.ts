/**
 * The words by which the engine reads questions, documents and answers in one language. A string holds words with spaces
 * between them, or alternatives of a regular expression with `|` between them, as each field says.
 */
export interface Grammar {
  /** Question words and the most frequent function words: a passage that answers has none of them. Words. */
  readonly stopWords?: string;
  /** Words of the form of a question rather than its subject: they count only if a passage holds them. Words. */
  readonly formWords?: string;
  readonly followUp?: FollowUpSigns;
  readonly comparison?: Comparison;
  /** Words. */
  readonly articles?: string;
  /** Pronouns for a person who was named before. Alternatives. */
  readonly personPronouns?: string;
  /** Words of questions that mean nothing without the question before them: `How much is it?`. Words. */
  readonly emptyWords?: string;
  /** Openings that ask for a degree, which no passage repeats: `how long`. Alternatives. */
  readonly degrees?: string;
  readonly abbreviations?: Abbreviations;
  /** Words with which a sentence starts after an abbreviation that may end one. Words. */
  readonly sentenceStarts?: string;
  /** Words after a number with a full stop, which is then an ordinal: `3. Mai`. Words. */
  readonly ordinalNouns?: string;
  readonly numbers?: NumberWords;
  readonly units?: UnitWords;
  readonly negation?: Negation;
  /** Sentences that say nothing, with which models open an answer, in lower case and without their end. */
  readonly openers?: readonly string[];
  readonly claims?: ActionClaims;
  readonly secrets?: SecretWords;
  /** Titles of a page that does not exist. Alternatives. */
  readonly missingPage?: string;
}

/** The signs by which a question refers to earlier messages. */
export interface FollowUpSigns {
  /** Openings that continue the previous question (`and`, `what about`), at the start. */
  readonly openings: RegExp;
  /** Words that refer to something named earlier. */
  readonly pronouns: RegExp;
  /** Uses of those words that refer to nothing: `is it possible to pay later?`. */
  readonly empty: RegExp;
  /** Openings of an independent question. */
  readonly questions: RegExp;
  /** Questions addressed to the assistant itself. */
  readonly smallTalk: RegExp;
  /** The first word of a bare phrase such as `for students?`, and of the phrase that it replaces. */
  readonly prepositions: ReadonlySet<string>;
  /** Words that state what is asked about a topic but do not name one. */
  readonly general: ReadonlySet<string>;
}

/** How two things are compared. Alternatives. */
interface Comparison {
  /** `differences between`. */
  readonly lead: string;
  /** `and`, between the two. */
  readonly between: string;
}

/** Words whose full stop may not end the sentence. Words. */
interface Abbreviations {
  /** They never end a sentence, because a name, number or example follows. */
  readonly inner: string;
  /** They end a sentence only if the next word starts one. */
  readonly final?: string;
}

/** Number words, folded, with spaces between them. */
interface NumberWords {
  /** Counts only before a unit: `one year`. */
  readonly one?: string;
  /** The number words from two on. */
  readonly fromTwo: string;
  /** The tens, from thirty to a hundred. */
  readonly tens: string;
}

/** Words after a number that tell what it counts, folded, with spaces between them. */
export interface UnitWords {
  readonly second?: string;
  readonly minute?: string;
  readonly hour?: string;
  readonly day?: string;
  /** Names of a day that is no weekend. */
  readonly workday?: string;
  readonly week?: string;
  readonly month?: string;
  readonly year?: string;
  readonly percent?: string;
  /** The names of currencies by their ISO 4217 code. */
  readonly currencies?: Readonly<Record<string, string>>;
  /** Words after the hour of a time: `14 Uhr 30`. */
  readonly clock?: string;
  /** Words in the place of a price. */
  readonly free?: string;
}

/** How a clause denies something. Folded. */
export interface Negation {
  /** Words that deny or exclude. Words. */
  readonly words: string;
  /** Phrases with such a word that deny nothing: `at no cost`. Alternatives. */
  readonly affirming?: string;
  /** Words between two things that are denied together. Alternatives. */
  readonly and: string;
  /** Other words between two clauses, each of which may be denied alone. Alternatives. */
  readonly joins: string;
}

/** Sentences in which a model claims to have done something. Alternatives. */
interface ActionClaims {
  /** How the first person starts. */
  readonly firstPerson: string;
  readonly claims: string;
}

/** Words before a secret, by which it is masked. Alternatives. */
interface SecretWords {
  readonly names?: string;
  /** Names that are short, so that no letter may precede them. */
  readonly wholeNames?: string;
  /** Verbs between the name and the secret. */
  readonly is?: string;
  /** Further verbs, before a secret without a colon. */
  readonly was?: string;
}
