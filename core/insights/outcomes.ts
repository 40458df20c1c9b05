/**
 * The five outcomes of a conversation. They add up: an episode in which the visitor asked something, or asked for a person,
 * has exactly one. `judgeEpisode` is their only definition.
 *
 * - `confirmed`: the visitor's last question was answered, and they said that it helped (a thumb up, or thanks).
 * - `assumed`: the last question was answered, and the visitor left quietly.
 * - `handed_over`: a person replied or resolved it, and nothing was asked after that.
 * - `unanswered`: the last question or message was not answered. An answer that says it is unsure counts as none, unless the visitor
 *   said that it helped.
 * - `left`: the visitor asked for a person and got none, rated the last answer down, or had asked the same before.
 */
export const outcomes = ['confirmed', 'assumed', 'handed_over', 'unanswered', 'left'] as const;

export type Outcome = (typeof outcomes)[number];

/** An event in a conversation, at one time. */
export type Happening = { readonly at: Date } & (
  | {
      /** The visitor asked the engine something. */
      readonly kind: 'question';
      readonly answer: 'answer' | 'maybe' | 'none';
      readonly opinion: { readonly value: 'up' | 'down'; readonly at: Date } | null;
      /** Hashes of its words. */
      readonly words: readonly number[];
    }
  /** The visitor wrote something that the engine did not answer. */
  | { readonly kind: 'message' }
  /** Small talk. It asks nothing. */
  | { readonly kind: 'courtesy'; readonly thanks: boolean }
  /** The conversation was passed to people. */
  | { readonly kind: 'handover' }
  /** A person took it. */
  | { readonly kind: 'taken' }
  /** A person replied. */
  | { readonly kind: 'reply' }
  /** A person resolved it. */
  | { readonly kind: 'resolved' }
  /** People gave it back to the engine. */
  | { readonly kind: 'returned' }
);

/** A part of a conversation that has one outcome: what follows a longer pause is the next episode. */
export interface Episode<Item extends Happening = Happening> {
  readonly happenings: readonly Item[];
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** It counts from then on, if nothing else happens before. */
  readonly settlesAt: Date;
  readonly outcome: Outcome;
  /** When it was first passed to people. Null: it was not. */
  readonly handedAt: Date | null;
  /** The first reply of a person after that. */
  readonly repliedAt: Date | null;
  /** The last reply or resolution by a person, if the outcome is `handed_over` and it was passed to people. */
  readonly solvedAt: Date | null;
}

const hourMs = 3_600_000;
/** A visitor who writes nothing for so long has left. */
const QUIET_MS = 24 * hourMs;
/** A visitor who comes back within it goes on with the same episode; after it, an outcome stays as it is. */
export const RETURN_MS = 7 * 24 * hourMs;
/** The share of equal words from which two questions are the same. */
const SAME_WORDS = 0.6;

/** Splits what happened in a conversation, in order of time, into episodes. Those in which nothing was asked are left out. */
export function judgeConversation<Item extends Happening>(
  happenings: readonly Item[],
): readonly Episode<Item>[] {
  return splitByPauses(happenings).flatMap((part) => judgeEpisode(part) ?? []);
}

/** Splits before each happening that follows a pause of more than seven days. */
function splitByPauses<Item extends Happening>(items: readonly Item[]): readonly (readonly Item[])[] {
  const parts: Item[][] = [];
  for (const item of items) {
    const part = parts.at(-1);
    const last = part?.at(-1);
    if (part === undefined || last === undefined || item.at.getTime() - last.at.getTime() > RETURN_MS)
      parts.push([item]);
    else part.push(item);
  }
  return parts;
}

type Question = Extract<Happening, { kind: 'question' }>;

/** The state at the end of an episode. */
interface Ending {
  /** The last message got nothing at all. */
  readonly isIgnored: boolean;
  readonly question: Question | null;
  readonly repeats: boolean;
  readonly thanked: boolean;
  /** `waits` for a person; people gave it back without a reply (`unsolved`), or solved it. */
  readonly people: 'none' | 'waits' | 'unsolved' | 'solved';
}

function judgeEpisode<Item extends Happening>(happenings: readonly Item[]): Episode<Item> | null {
  const [first, last] = [happenings[0], happenings.at(-1)];
  if (first === undefined || last === undefined) return null;
  const ending = findEnding(happenings);
  const outcome = judgeEnding(ending, last.at);
  if (outcome === null) return null;
  const handedAt = happenings.find(({ kind }) => kind === 'handover')?.at ?? null;
  const after = handedAt === null ? [] : happenings.filter(({ at }) => at >= handedAt);
  const byPeople = after.filter(({ kind }) => kind === 'reply' || kind === 'resolved');
  return {
    happenings,
    startedAt: first.at,
    endedAt: last.at,
    settlesAt: new Date(last.at.getTime() + pauseAfter(ending, last)),
    outcome,
    handedAt,
    repliedAt: after.find(({ kind }) => kind === 'reply')?.at ?? null,
    solvedAt: outcome === 'handed_over' ? (byPeople.at(-1)?.at ?? null) : null,
  };
}

/** How long nothing must happen after the end. A person who was asked for has a week. */
function pauseAfter({ people }: Ending, { kind }: Happening): number {
  if (people === 'waits') return RETURN_MS;
  return people === 'solved' && kind === 'resolved' ? 0 : QUIET_MS;
}

function findEnding(happenings: readonly Happening[]): Ending {
  const answered: Question[] = [];
  let question: Question | null = null;
  let repeats = false;
  let thanked = false;
  let people: Ending['people'] = 'none';
  let isIgnored = false;
  let withPeople = false;
  for (const happening of happenings) {
    switch (happening.kind) {
      case 'question':
        repeats = answered.some((earlier) => hasSameWords(earlier.words, happening.words));
        if (happening.answer === 'answer') answered.push(happening);
        question = happening;
        [thanked, isIgnored] = [false, false];
        // An integrator can ask the engine on while a person is awaited.
        if (people !== 'waits') people = 'none';
        break;
      case 'handover':
        people = 'waits';
        withPeople = true;
        break;
      case 'taken':
        withPeople = true;
        break;
      case 'message':
        if (withPeople) people = 'waits';
        else isIgnored = true;
        break;
      case 'courtesy':
        thanked ||= happening.thanks;
        break;
      case 'reply':
        people = 'solved';
        [withPeople, isIgnored] = [true, false];
        break;
      case 'resolved':
        // A person who files away what the engine answered has solved nothing.
        if (withPeople) people = 'solved';
        withPeople = false;
        break;
      case 'returned':
        if (people === 'waits') people = 'unsolved';
        withPeople = false;
    }
  }
  return { question, repeats, thanked, people, isIgnored };
}

function judgeEnding(
  { question, repeats, thanked, people, isIgnored }: Ending,
  endedAt: Date,
): Outcome | null {
  if (people === 'waits' || people === 'unsolved') return 'left';
  if (people === 'solved') return 'handed_over';
  if (isIgnored) return 'unanswered';
  if (question === null) return null;
  const opinion = opinionInTime(question, endedAt);
  if (question.answer === 'none') return 'unanswered';
  if (question.answer === 'maybe') return opinion === 'up' ? 'confirmed' : 'unanswered';
  if (opinion === 'down') return 'left';
  if (opinion === 'up' || thanked) return 'confirmed';
  return repeats ? 'left' : 'assumed';
}

/** A later opinion would change an outcome that stays as it is. */
function opinionInTime({ opinion }: Question, endedAt: Date): 'up' | 'down' | null {
  if (opinion === null || opinion.at.getTime() - endedAt.getTime() > RETURN_MS) return null;
  return opinion.value;
}

function hasSameWords(one: readonly number[], other: readonly number[]): boolean {
  const words = new Set(one);
  const all = new Set([...one, ...other]);
  const common = new Set(other.filter((word) => words.has(word))).size;
  return common > 0 && common >= SAME_WORDS * all.size;
}
