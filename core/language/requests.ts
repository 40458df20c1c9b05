/** Polite words around a request, in the form that `normaliseSpeech` returns: parts of regular expressions. */
export interface Courtesies {
  /** Words that may come before a request: `hello`, `please`. */
  readonly openers: readonly string[];
  /** Words that start a new clause: `and`, `but`. */
  readonly links: readonly string[];
  /** Words that may follow a request: `please`. */
  readonly closers: readonly string[];
}

/**
 * The forms of a request, as parts of regular expressions over normalised speech. A request matches from the start of a
 * clause, never by a single word, so that questions about such requests and refusals do not match.
 */
export interface RequestForms {
  readonly requests: readonly string[];
  /** Continuations of a request besides a comma; any text may follow them. */
  readonly tails: readonly string[];
  /** Texts that are a request only as a whole sentence: `agent`. */
  readonly bare: readonly string[];
}

/**
 * The words around names, e-mail addresses and phone numbers. They are alternatives of regular expressions, except
 * `notNames`. All but `questions`, `greetings` and `nameCues` match folded text.
 */
export interface ContactWords {
  /** Words of developers, whose sentences only look like a request for contact. */
  readonly technical?: string;
  /** Openings of a question. */
  readonly questions?: string;
  /** Answers that refuse to give contact details. */
  readonly refusals?: string;
  /** The details that are refused, and other words of a refusal. */
  readonly refusedDetails?: string;
  /** Polite words before a name. */
  readonly greetings?: string;
  readonly nameCues?: NameCues;
  /** Words in answers to `what is your name?` that are no name; folded, with spaces between them. */
  readonly notNames?: string;
  /** Words within a name that do not start with a capital: `de la`. */
  readonly nameParticles?: string;
  /** Words before contact details that mark them as the visitor's own. */
  readonly own?: string;
  /** Verbs with an ending that does so. */
  readonly ownVerbs?: string;
  /** Words right before contact details that mark them as another person's. */
  readonly otherOwners?: string;
  /** Words near digits that mark them as a phone number. */
  readonly phone?: string;
  /** The words of `my number`. */
  readonly numberOwner?: string;
  readonly numberNoun?: string;
  /** Words before digits that mark them as another number. */
  readonly otherNumbers?: string;
}

/** Phrases before a name with which people introduce themselves. */
interface NameCues {
  /** A name follows in any spelling. */
  readonly sure: string;
  /** Anything may follow: only capitalised words are a name. */
  readonly likely: string;
  /**
   * As `likely`, in a language that capitalises every noun: a single word is not enough. It includes the space after
   * it.
   */
  readonly unsure?: string;
}
