import {
  ADVERBS,
  AUXILIARIES,
  BASE_FORMS,
  BEFORE_NOUNS,
  CLAUSES_OR_NOUNS,
  INTRANSITIVE,
  LEADING,
  NOUNS,
  OBJECTS,
  ONLY_PAST,
  ONLY_VERBS,
  PAST_FORMS,
  PLURAL_SUBJECTS,
  PREPOSITIONS,
  PRONOUNS,
  SUBJECTS,
  SUBORDINATORS,
  THIRD_PERSONS,
} from './english-words.ts';

/** A sentence with fewer words is a label: `Words.`, `Never negative.` */
const LABEL_WORDS = 5;

/** Stands for code, an address or quoted words: it may be the subject or an object. */
const NAME = '§';

/** Clauses of a docstring about what a function gives, as in the reference of an API. */
const CONTRACT =
  /^(?:(?:Throws|Returns|Rejects|Resolves|Yields|Defaults)\b|(?:Null|Undefined|True|False|Empty|Absent|Zero|None|§)(?::|(?: or [a-z§]+)? (?:if|for|unless|until|while|when|without|before|after|where|outside|at|in|on|otherwise)\b))/;

/** Splits a paragraph into sentences. Code, addresses and quoted words become `§`. */
export function splitSentences(paragraph: string): readonly string[] {
  return paragraph
    .replace(/`[^`]*`|"[^"]*"|“[^”]*”|https?:\/\/\S*[^\s.,;:)]/g, NAME)
    .replace(/\b(e\.g|i\.e|etc|vs|cf|approx|no)\./gi, '$1')
    .split(/(?<=[.!?]['’)]?)\s+(?=[A-ZÀ-Ý0-9§('‘])/)
    .map((sentence) => sentence.trim())
    .filter(Boolean);
}

/** Where a sentence stands: the first of a docstring may be a noun phrase or begin with a verb. */
export type Place = 'first' | 'docstring' | 'line';

/**
 * Returns what a sentence lacks, or null. It is a heuristic that prefers silence: a word that may be a finite verb counts
 * as one. Each relative or adverbial clause with a finite verb takes one; the main clause needs one that is left.
 */
export function findMissingPart(sentence: string, place: Place): 'subject' | 'verb' | null {
  const tokens = toTokens(sentence);
  if (/^[a-zà-ÿ\d.]|^[A-Z_]+=/.test(sentence)) return null;
  if (tokens.filter((token) => /[\wÀ-ÿ§]/.test(token)).length < LABEL_WORDS) return null;
  if (place === 'first' && !beginsAsFragment(tokens)) return null;
  if (place !== 'line' && CONTRACT.test(sentence)) return null;
  if (beginsWithVerb(tokens)) return 'subject';
  if (isParticiple(tokens)) return hasMainVerb(afterOpening(tokens)) ? null : 'verb';
  return isImperative(tokens) || hasMainVerb(tokens) ? null : 'verb';
}

/** `What came just now is on its way.`: a relative clause as the subject. Questions and bare clauses have none. */
export function hasClauseAsSubject(sentence: string): boolean {
  const tokens = toTokens(sentence);
  return /^(?:who|what)(?:ever)?$/.test(tokens[0] ?? '') && !tokens.includes('?') && hasMainVerb(tokens);
}

function toTokens(sentence: string): readonly string[] {
  const plain = sentence.replace(/\([^)]*\)/g, ' ').replace(/’/g, "'");
  return (plain.match(/[,;:.!?]|[^\s,;:.!?()]+/g) ?? []).map((token) => token.toLowerCase());
}

function hasMainVerb(tokens: readonly string[]): boolean {
  const finite = tokens.map((_, at) => mayBeFinite(tokens, at));
  const clauses = tokens.filter((_, at) => beginsClause(tokens, at) && hasVerb(tokens, finite, at));
  return finite.filter(Boolean).length > clauses.length;
}

/** `Of the visitor.`, `Called for each file.`: neither names a thing nor says what it does. */
function beginsAsFragment(tokens: readonly string[]): boolean {
  const [first = '', second = ''] = tokens;
  if (ADVERBS.has(first)) return PREPOSITIONS.has(second) || PAST_FORMS.has(second);
  return PREPOSITIONS.has(first) || (PAST_FORMS.has(first) && PREPOSITIONS.has(second));
}

/** `Keeps the order.`: a third person that nothing stands before. */
function beginsWithVerb(tokens: readonly string[]): boolean {
  const at = tokens.findIndex((token) => !LEADING.has(token));
  const [word = '', after = ''] = tokens.slice(at);
  if (/^(?:is|are|was|were|has|does|must|can|may|cannot)$/.test(word)) return !tokens.includes('?');
  // A plural is followed by no form in -s: `Marks messages as read.`
  const hasObject =
    OBJECTS.has(after) || (/[^s']s$/.test(after) && !AUXILIARIES.has(after) && !ADVERBS.has(after));
  return THIRD_PERSONS.has(word) && (ONLY_VERBS.has(word) || hasObject);
}

/** `Killed after the key was stored.` */
function isParticiple(tokens: readonly string[]): boolean {
  const [first = '', second = ''] = tokens.slice(tokens.findIndex((token) => !LEADING.has(token)));
  return PAST_FORMS.has(first) && (PREPOSITIONS.has(second) || ADVERBS.has(second));
}

/** Returns the tokens after the first comma that no clause or phrase follows. */
function afterOpening(tokens: readonly string[]): readonly string[] {
  const at = tokens.findIndex((token, index) => {
    const after = tokens[index + 1] ?? '';
    const continues =
      SUBORDINATORS.has(after) || PREPOSITIONS.has(after) || ADVERBS.has(after) || PAST_FORMS.has(after);
    return /^[,;:]$/.test(token) && !continues && after !== 'so';
  });
  return at === -1 ? [] : tokens.slice(at + 1);
}

function isImperative(tokens: readonly string[]): boolean {
  const at = tokens.findIndex((token) => !LEADING.has(token));
  const [first = '', second = ''] = tokens.slice(at);
  return first === 'do' || (BASE_FORMS.has(first) && !/^(?:of|for|and|or|in|at|is|are)$/.test(second));
}

/** Whether the word at a place may be a finite verb, by its form and by the words around it. */
function mayBeFinite(tokens: readonly string[], at: number): boolean {
  const word = tokens[at] ?? '';
  if (/^(?:do|have|be)$/.test(word) && AUXILIARIES.has(tokens[at - 1] ?? '')) return false;
  if (AUXILIARIES.has(word) || ONLY_PAST.has(word)) return true;
  if (/n't$|^(?:it|that|there|they|we|you|what)'/.test(word)) return true;
  const before = findBefore(tokens, at);
  if (before === undefined) return false;
  if (/^(?:it|which|that|who)$/.test(before) && /[^aiu's]s$/.test(word)) return true;
  if (THIRD_PERSONS.has(word)) return isSingularVerb(before, tokens[at + 1] ?? '.');
  if (BASE_FORMS.has(word)) return isPluralVerb(word, before, tokens.slice(0, at));
  if (!PAST_FORMS.has(word)) return false;
  return SUBJECTS.has(before) || before === 'who' || (INTRANSITIVE.has(word) && !BEFORE_NOUNS.has(before));
}

/** `answers` in `The worker answers it.` and `Each answers one.`, but not in `the answers`. */
function isSingularVerb(before: string, after: string): boolean {
  if (!BEFORE_NOUNS.has(before)) return true;
  if (/^[.,;]$/.test(after)) return /^(?:each|one|this|that|neither|none|others)$/.test(before);
  const opensRest =
    OBJECTS.has(after) || PREPOSITIONS.has(after) || ADVERBS.has(after) || /^\d|ed$/.test(after);
  return PRONOUNS.has(before) && opensRest;
}

/** `answer` in `Workers of one lane answer it.`, but not in `the answer`. */
function isPluralVerb(word: string, before: string, earlier: readonly string[]): boolean {
  if (AUXILIARIES.has(before) || /^(?:to|let|not|a|an|the|its|their|every|each|no)$/.test(before))
    return false;
  if (PLURAL_SUBJECTS.has(before) || before === NAME || !NOUNS.has(word)) return true;
  if (BEFORE_NOUNS.has(before) && !/^(?:below|above|before|after)$/.test(before)) return false;
  return earlier.some(
    (token) => /^(?:and|them|people|data)$/.test(token) || (/[^s']s$/.test(token) && token !== 'this'),
  );
}

/** The word before, adverbs left out. */
function findBefore(tokens: readonly string[], at: number): string | undefined {
  return tokens
    .slice(0, at)
    .findLast((token) => !ADVERBS.has(token) && (!/.ly$/.test(token) || BASE_FORMS.has(token)));
}

function beginsClause(tokens: readonly string[], at: number): boolean {
  const word = tokens[at] ?? '';
  const before = tokens[at - 1] ?? '.';
  if (SUBORDINATORS.has(word)) return before !== 'a' && before !== 'the';
  if (word !== 'that')
    return at === 0 && CLAUSES_OR_NOUNS.has(word) && /^(?:it|they|we)$/.test(tokens[1] ?? '');
  if (before === 'so' || before === 'such') return true;
  const alone = PREPOSITIONS.has(before) || ADVERBS.has(before) || SUBORDINATORS.has(before);
  return !alone && !/^[.,;:]$|^(?:and|or|but)$/.test(before);
}

/**
 * Whether the first verb of the clause that begins at a place is finite by its form. A past form is none of those that are
 * counted, so its clause takes none.
 */
function hasVerb(tokens: readonly string[], finite: readonly boolean[], start: number): boolean {
  const next = tokens.findIndex(
    (token, at) => at > start && (beginsClause(tokens, at) || (start === 0 && token === ',')),
  );
  const end = next === -1 ? tokens.length : next;
  if (tokens[start + 2] === ',') return false;
  for (let at = start + 1; at < end; at += 1) {
    if (finite[at]) return true;
    if (PAST_FORMS.has(tokens[at] ?? '') && !BEFORE_NOUNS.has(tokens[at - 1] ?? '')) return false;
  }
  return false;
}
