import { type Clause, hashesOf, readClauses, type Unit } from './clauses.ts';
import { areComparable, isSameQuantity, type Quantity } from './quantities.ts';

/**
 * `bound`: every number, name and denial of a sentence stands in one unit of the passages that speaks of the same.
 * `missing`: one of them stands in none. `contradicted`: a unit says otherwise.
 */
export interface ClaimCheck {
  readonly outcome: 'bound' | 'missing' | 'contradicted';
  /** How many numbers and names were found. */
  readonly found: number;
}

/** A sentence of a model with its surroundings. */
export interface Stated {
  readonly sentence: string;
  readonly language: string;
  readonly question: string;
  /** The sentence before it. */
  readonly before: string;
}

interface Context {
  readonly clause: Clause;
  /** Words of the whole sentence. */
  readonly sentence: ReadonlySet<number>;
  /** Words of the question and of the sentence before. */
  readonly around: ReadonlySet<number>;
}

/** A claim with the hashes of its own words, which prove nothing about its subject. */
type Claim = { readonly own: ReadonlySet<number> } & (
  | { readonly kind: 'quantity'; readonly quantity: Quantity }
  | { readonly kind: 'name' }
);

/** How much nearer a clause with another number must be to disprove a sentence. */
const NEARER = 1.1;
/** The same for a clause without one. */
const MUCH_NEARER = 2;
/** Weights of words of the sentence around a clause, and of the question, beside its own. */
const SENTENCE_WEIGHT = 0.4;
const AROUND_WEIGHT = 0.6;
/** The weight of a word that stands elsewhere in a unit, or above it. */
const NEIGHBOUR = 0.5;
const ABOVE = 0.25;
/** The share of a clause's words from which on a sentence says the same, or the opposite. */
const SAME_CLAUSE = 0.6;
const SAME_WORDING = 0.6;
/** The share of the words of a row's first cell that names the row. */
const NAMED = 0.34;

/** Checks the numbers, names and denials of a sentence against units of passages in its language. Pure. */
export function checkClaims(stated: Stated, units: readonly Unit[]): ClaimCheck {
  const clauses = readClauses(stated.sentence, stated.language);
  const asked = {
    words: hashesOf(stated.question),
    quantities: readClauses(stated.question, stated.language).flatMap(({ quantities }) => quantities),
  };
  const sentence = new Set(clauses.flatMap(({ words }) => [...words]));
  const around = new Set([...asked.words, ...hashesOf(stated.before)]);
  const weights = weigh(units);
  let found = 0;
  for (const clause of clauses) {
    const context = { clause, sentence, around };
    if (isOpposite(clause, units)) return { outcome: 'contradicted', found };
    const claims = claimsOf(clause);
    const held = claims.filter((claim) => units.some((unit) => holds(unit, claim)));
    for (const claim of claims) {
      if (held.includes(claim)) continue;
      const isVagueCount = claim.kind === 'quantity' && isVague(claim.quantity);
      if (isVagueCount && hasRival(clause, claim, units)) return { outcome: 'contradicted', found };
      if (!isVagueCount && !isAsked(claim, asked)) return { outcome: 'missing', found };
    }
    const holders = units.filter((unit) => held.every((claim) => holds(unit, claim)));
    if (held.length > 0 && !isBound({ context, claims: held, holders, units, weights }))
      return { outcome: 'contradicted', found };
    found += held.length;
  }
  return { outcome: 'bound', found };
}

interface Asked {
  readonly words: ReadonlySet<number>;
  readonly quantities: readonly Quantity[];
}

function isAsked(claim: Claim, { words, quantities }: Asked): boolean {
  if (claim.kind === 'name') return countShared(claim.own, words) > 0;
  return quantities.some((quantity) => isSameQuantity(quantity, claim.quantity));
}

/** Whether all numbers of a sentence stand somewhere in passages of another language. */
export function hasQuantities(sentence: string, units: readonly Unit[]): boolean {
  const quantities = readClauses(sentence, '').flatMap((clause) => clause.quantities);
  return quantities
    .filter((quantity) => !isVague(quantity))
    .every((quantity) => units.some((unit) => holdsQuantity(unit, quantity)));
}

/** `two ways`, `free`: what the passages need not state in a number. */
function isVague({ isWord, unit }: Quantity): boolean {
  return isWord && (unit === '' || unit === 'free');
}

function claimsOf({ quantities, names }: Clause): readonly Claim[] {
  return [
    ...quantities.map(
      (quantity): Claim => ({
        kind: 'quantity',
        quantity,
        own: hashesOf(quantity.text),
      }),
    ),
    ...[...names].map((name): Claim => ({ kind: 'name', own: new Set([name]) })),
  ];
}

function holds(unit: Unit, claim: Claim): boolean {
  if (claim.kind === 'quantity') return holdsQuantity(unit, claim.quantity);
  return [...claim.own].some((hash) => unit.words.has(hash) || unit.above.has(hash));
}

function holdsQuantity({ clauses, quantitiesAbove }: Unit, quantity: Quantity): boolean {
  const isSame = (other: Quantity) => isSameQuantity(quantity, other);
  const own = clauses.flatMap(({ quantities }) => quantities);
  if (own.some(isSame)) return true;
  return quantitiesAbove.some(isSame) && !own.some((other) => areComparable(quantity, other));
}

interface Binding {
  readonly context: Context;
  readonly claims: readonly Claim[];
  /** The units that hold all claims. */
  readonly holders: readonly Unit[];
  readonly units: readonly Unit[];
  readonly weights: Weights;
}

/** Whether a unit that holds all claims is about what the clause is about, and no other is nearer to it. */
function isBound({ context, claims, holders, units, weights }: Binding): boolean {
  const fitting = holders.filter((unit) => !claims.some((claim) => isOtherRow(unit, claim, context, units)));
  if (fitting.length === 0) return false;
  return claims.every((claim) => {
    const near = (all: readonly Unit[], isMeant: (unit: Unit, clause: Clause) => boolean): number => {
      const scores = all.flatMap((unit) =>
        unit.clauses
          .filter((clause) => isMeant(unit, clause))
          .map((clause) => nearness(context, { unit, clause, claim, weights })),
      );
      return Math.max(0, ...scores);
    };
    const own = near(
      fitting,
      (unit, clause) => states(clause, claim) || !unit.clauses.some((one) => states(one, claim)),
    );
    const rival = near(units, (unit, clause) => isRival(unit, clause, claim));
    const other = near(units, (unit) => !holds(unit, claim));
    return rival <= own * NEARER && other <= own * MUCH_NEARER;
  });
}

function states(clause: Clause, claim: Claim): boolean {
  if (claim.kind === 'name') return [...claim.own].some((hash) => clause.words.has(hash));
  return clause.quantities.some((quantity) => isSameQuantity(quantity, claim.quantity));
}

/** Whether a clause states something of the same kind, but not the same. */
function isRival(unit: Unit, clause: Clause, claim: Claim): boolean {
  if (states(clause, claim)) return false;
  if (claim.kind === 'name') return !holds(unit, claim) && clause.names.size > 0;
  return clause.quantities.some((quantity) => areComparable(quantity, claim.quantity));
}

/** Whether a clause with another bare number shares two words with the one of a number word. */
function hasRival(clause: Clause, claim: Claim, units: readonly Unit[]): boolean {
  return units.some((unit) =>
    unit.clauses.some((other) => isRival(unit, other, claim) && countShared(clause.words, other.words) >= 2),
  );
}

type Weights = ReadonlyMap<number, number>;

/** Words that many units have say little about which one is meant. */
function weigh(units: readonly Unit[]): Weights {
  const counts = new Map<number, number>();
  for (const { words } of units) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Map([...counts].map(([word, count]) => [word, Math.log(1 + units.length / count)]));
}

interface Place {
  readonly unit: Unit;
  readonly clause: Clause;
  readonly claim: Claim;
  readonly weights: Weights;
}

/** How much a clause of a passage is about the same as a clause of the answer. */
function nearness(
  { clause, sentence, around }: Context,
  { unit, clause: other, claim, weights }: Place,
): number {
  let sum = 0;
  const counted = new Set(claim.own);
  const add = (words: ReadonlySet<number>, share: number): void => {
    for (const word of words) {
      if (counted.has(word)) continue;
      counted.add(word);
      const place = other.words.has(word) || unit.key.has(word) ? 1 : neighbourhood(unit, word);
      sum += share * place * (weights.get(word) ?? Math.LN2);
    }
  };
  add(clause.words, 1);
  add(sentence, SENTENCE_WEIGHT);
  add(around, AROUND_WEIGHT);
  return sum / Math.sqrt(2 + other.words.size);
}

function neighbourhood({ words, above }: Unit, word: number): number {
  if (words.has(word)) return NEIGHBOUR;
  return above.has(word) ? ABOVE : 0;
}

/**
 * Whether a claim in a row belongs to another row: the clause, else the sentence, else the text around it names
 * others only. If none is named, it tells whether the rows differ in that column.
 */
function isOtherRow(unit: Unit, claim: Claim, context: Context, units: readonly Unit[]): boolean {
  const { row } = unit.unit;
  if (row === null || claim.kind !== 'quantity') return false;
  const rows = units.filter((other) => other.unit.row?.labels === row.labels);
  const columns = unit.clauses.flatMap((clause, index) => (states(clause, claim) ? [index] : []));
  if (rows.length < 2 || columns.length === 0 || columns.includes(0)) return false;
  for (const words of [context.clause.words, context.sentence, context.around]) {
    const named = namedRows(rows, words);
    if (named.length > 0) return !named.includes(unit);
  }
  return rows.some(
    (other) =>
      !columns.some((column) => {
        const clause = other.clauses[column];
        return clause !== undefined && states(clause, claim);
      }),
  );
}

/** Returns the rows whose first cells fit the words best; of `Pro` and `Pro Plus`, the longer. */
function namedRows(rows: readonly Unit[], words: ReadonlySet<number>): readonly Unit[] {
  const shared = (word: number) => rows.every(({ key }) => key.has(word));
  const fits = rows.map((row) => {
    const key = new Set([...row.key].filter((word) => !shared(word)));
    return { row, key, fit: key.size === 0 ? 0 : countShared(key, words) / key.size };
  });
  const best = Math.max(...fits.map(({ fit }) => fit));
  const named = best < NAMED ? [] : fits.filter(({ fit }) => fit === best);
  return named
    .filter(({ key }) => !named.some((other) => other.key.size > key.size && isWithin(key, other.key)))
    .map(({ row }) => row);
}

/** Whether passages say the opposite of the start of a sentence. */
export function isDeniedBy(start: string, language: string, units: readonly Unit[]): boolean {
  return readClauses(start, language).some((clause) => isOpposite(clause, units));
}

/** Whether a clause of the passages says the opposite, and none says the same in words as near. */
function isOpposite(clause: Clause, units: readonly Unit[]): boolean {
  if (clause.isDenied === null) return false;
  const likes = units.flatMap((unit) => unit.clauses.map((other) => compareClauses(clause, other, unit)));
  const same = nearestOf(likes.filter(({ isDenied }) => isDenied === clause.isDenied));
  const opposite = nearestOf(likes.filter(({ isDenied }) => isDenied === !clause.isDenied));
  if (opposite === null) return false;
  if (opposite.fit >= SAME_WORDING && opposite.fit > (same?.fit ?? 0)) return true;
  return (
    opposite.share >= SAME_CLAUSE && [...opposite.shared].some((word) => same?.shared.has(word) !== true)
  );
}

interface Likeness {
  readonly isDenied: boolean | null;
  readonly shared: ReadonlySet<number>;
  /** The share of the other clause that both have. */
  readonly share: number;
  /** The same of both clauses; without the words of the answer that only stand above the unit. */
  readonly fit: number;
}

function compareClauses({ words }: Clause, other: Clause, { above }: Unit): Likeness {
  const shared = intersect(words, other.words);
  const wanted = [...words].filter((word) => other.words.has(word) || !above.has(word)).length;
  const fit = (2 * shared.size) / (wanted + other.words.size || 1);
  return { isDenied: other.isDenied, shared, share: shared.size / (other.words.size || 1), fit };
}

function nearestOf(likes: readonly Likeness[]): Likeness | null {
  let best: Likeness | null = null;
  for (const like of likes) if (like.shared.size >= 2 && like.fit > (best?.fit ?? 0)) best = like;
  return best;
}

function countShared(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  return intersect(one, other).size;
}

function intersect(one: ReadonlySet<number>, other: ReadonlySet<number>): ReadonlySet<number> {
  return new Set([...one].filter((word) => other.has(word)));
}

function isWithin(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  return [...one].every((word) => other.has(word));
}

/** The share of a sentence's words that a unit must have to be quoted in its place. */
const NEAR_UNIT = 0.34;

/** Returns the unit that is nearest to a sentence by its words, its numbers apart; null if none is near. */
export function nearestUnit(
  { sentence, language, question, before }: Stated,
  units: readonly Unit[],
): Unit | null {
  const quantities = readClauses(sentence, language).flatMap((clause) => clause.quantities);
  const own = new Set(quantities.flatMap(({ text }) => [...hashesOf(text)]));
  const words = new Set([...hashesOf(sentence)].filter((hash) => !own.has(hash)));
  const around = new Set([...hashesOf(question), ...hashesOf(before)]);
  const weights = weigh(units);
  let best: { unit: Unit; score: number } | null = null;
  for (const unit of units) {
    const shared = intersect(words, unit.words);
    const above = [...words].filter((word) => !shared.has(word) && unit.above.has(word));
    if (shared.size === 0 || shared.size + above.length < NEAR_UNIT * words.size) continue;
    if (shared.size + above.length < 2 && words.size > 1) continue;
    const sum = (all: Iterable<number>) =>
      [...all].reduce((total, word) => total + (weights.get(word) ?? 0), 0);
    const held = quantities.filter((quantity) => holdsQuantity(unit, quantity)).length;
    const asked = [...around].filter((word) => unit.words.has(word) && !shared.has(word));
    const named = sum(intersect(shared, unit.key));
    const score =
      (sum(shared) + named + NEIGHBOUR * sum(asked) + 0.2 * held) / Math.sqrt(12 + unit.words.size);
    if (best === null || score > best.score) best = { unit, score };
  }
  return best?.unit ?? null;
}
