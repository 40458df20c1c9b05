import { LRUCache } from 'lru-cache';
import { isUnspaced, type TokenKind } from '../../language/tokens.ts';
import type { Candidate, CorpusStatistics, RankedChunk, ScoreParts } from '../passage.ts';
import { passageUnits } from '../passage-units.ts';
import { searchRules } from '../rules.ts';
import { type AnalysedQuestion, type WeighedQuestion, weighQuestion } from './analyse-question.ts';
import fitted from './calibration.json' with { type: 'json' };
import { createWordMatcher, toWordSequences, type WordMatch, type WordSequence } from './match-words.ts';

/**
 * Orders candidates by how well they answer the question, best first: a curated answer to exactly the question, then by the
 * combined evidence, and among about equal ones by their own heading. The `score` of the first one decides whether the question is answered at all.
 */
export function rankCandidates<Found extends Candidate>(
  question: AnalysedQuestion,
  candidates: readonly Found[],
  statistics: CorpusStatistics,
  { isMultilingual = false }: { readonly isMultilingual?: boolean } = {},
): readonly RankedChunk<Found>[] {
  const weighed = weighQuestion(question, statistics);
  const words = selectCalibration(question, weighed);
  const calibration = isMultilingual ? trustCosine(words) : words;
  const match = createWordMatcher(weighed);
  const measureHeading = headingMatcher(weighed, match);
  const measured = candidates.map((candidate): Measured<Found> => {
    const evidence = measureEvidence(weighed, candidate, match);
    const bm25 = weighed.idealBm25 === 0 ? 0 : Math.min(1, candidate.bm25 / weighed.idealBm25);
    const cosine = Math.max(0, candidate.cosine ?? 0);
    const found = { bm25, ...evidence, cosine, sentence: bestUnit(candidate, cosine) };
    const used = candidate.cosine === null ? scoreWords(words) : calibration;
    const parts = { ...found, fused: fuseEvidence(found, used.cosineTrust) };
    const isRead = used === CALIBRATION.stems && candidate.unitCosines !== null;
    const near = isRead ? searchRules.nearness * meaning(parts) : 0;
    const order = parts.fused + near + searchRules.headingFit * measureHeading(candidate);
    return { candidate, parts, calibration: isRead ? null : used, order };
  });
  const ordered = measured.sort((one, other) => exactness(other) - exactness(one) || other.order - one.order);
  const [first, second] = ordered;
  const lead = first === undefined ? 0 : Math.max(0, first.order - (second?.order ?? 0));
  let most = 1;
  return ordered.map((one) => {
    const ahead = one === first ? lead : 0;
    const score = Math.min(most, scorePassage(one, ahead));
    if (one === first) most = score;
    return { ...one.candidate, parts: { ...one.parts, lead: ahead }, score };
  });
}

interface Measured<Found extends Candidate> {
  readonly candidate: Found;
  readonly parts: Omit<ScoreParts, 'lead'>;
  /** Null if the model reads the passage, so that its vectors count like its words. */
  readonly calibration: Calibration | null;
  readonly order: number;
}

/** An answer that was written for exactly the question comes before all evidence; its score is as that of any other. */
function exactness({ candidate }: Measured<Candidate>): number {
  return candidate.isExact === true ? 1 : 0;
}

/** Returns a function that tells how well a passage's own heading and the question cover each other, 0 to 1. */
function headingMatcher(
  weighed: WeighedQuestion,
  match: (run: WordSequence) => WordMatch,
): (passage: Candidate) => number {
  const asked = new Set(weighed.words.flatMap(({ hashes }) => hashes));
  return ({ title, headings }) => {
    const heading = passagePath({ title: headings.at(-1) ?? title, headings: [] });
    let words = 0;
    let shared = 0;
    for (let place = heading.from; place < heading.to; place += 1) {
      const stem = heading.codes[2 * place] ?? 0;
      if (stem === 0) continue;
      words += 1;
      if (asked.has(stem)) shared += 1;
    }
    if (shared === 0) return 0;
    const matched = match(heading);
    return (shared / words) * questionCoverage(weighed, matched, matched);
  };
}

function bestUnit({ unitCosines }: Candidate, cosine: number): number {
  return unitCosines === null ? cosine : Math.max(0, ...unitCosines);
}

/** Selects by the reading that matched the documents, which may differ from the question's own language. */
function selectCalibration({ language }: AnalysedQuestion, weighed: WeighedQuestion): Calibration {
  if (language.class !== 'other') return CALIBRATION[weighed.tokens];
  const { code } = language;
  if (code === 'zh' || code === 'ja') return CALIBRATION.ideographs;
  if (code === 'ko') return CALIBRATION.hangul;
  const unspaced = weighed.words.filter(({ surface }) => isUnspaced(surface));
  return CALIBRATION[2 * unspaced.length > weighed.words.length ? 'unspaced' : 'spaced'];
}

/**
 * The calibration for a model that reads the language. Its cosines mean as much as in English; scores that words and
 * cosines reach by chance add up like the evidence itself.
 */
function trustCosine(words: Calibration): Calibration {
  const { stems } = CALIBRATION;
  if (words === stems) return stems;
  const byChance = 1 - (1 - stems.threshold) / (1 - ENGLISH_LEXICAL_CALIBRATION.threshold);
  return { ...stems, threshold: 1 - (1 - byChance) * (1 - words.threshold) };
}

function scoreWords(calibration: Calibration): Calibration {
  return calibration === CALIBRATION.stems ? ENGLISH_LEXICAL_CALIBRATION : { ...calibration, cosineTrust: 0 };
}

/** Combines words and cosines like independent evidence (noisy-or): either can compensate for the other. */
function fuseEvidence(parts: Omit<ScoreParts, 'fused' | 'lead'>, trust: number): number {
  return 1 - (1 - trust * meaning(parts) ** searchRules.cosinePower) * (1 - lexicalEvidence(parts));
}

/** Returns how near a passage is to the question in meaning, 0 to 1. */
export function meaning({ cosine, sentence }: Pick<ScoreParts, 'cosine' | 'sentence'>): number {
  return (cosine + sentence) / 2;
}

type LexicalParts = Pick<ScoreParts, 'bm25' | 'coverage' | 'exact' | 'pairs'>;

function lexicalEvidence({ bm25, coverage, exact, pairs }: LexicalParts): number {
  return (
    LEXICAL_WEIGHTS.bm25 * bm25 +
    LEXICAL_WEIGHTS.coverage * coverage ** 2 +
    LEXICAL_WEIGHTS.exact * exact ** 2 +
    LEXICAL_WEIGHTS.pairs * pairs ** 2
  );
}

function scorePassage({ parts, calibration: used }: Measured<Candidate>, lead: number): number {
  if (used !== null) return calibrateScore(parts.fused, used);
  return answerProbability({ fused: parts.fused, meaning: meaning(parts), lead });
}

/**
 * Returns the probability that a passage answers, for text that the model reads: a logistic regression apart from the
 * order, because how far the first passage is ahead of the second tells more than its words. `lead` is that distance, 0 for
 * all others. `npm run calibrate` fits it.
 */
export function answerProbability(evidence: {
  readonly fused: number;
  readonly meaning: number;
  readonly lead: number;
}): number {
  const { fused, meaning: near, lead: ahead, mostLead, offset } = fitted.vectors;
  const lead = Math.min(evidence.lead, mostLead);
  return 1 / (1 + Math.exp(-(fused * evidence.fused + near * evidence.meaning + ahead * lead + offset)));
}

function calibrateScore(fused: number, { slope, threshold }: Calibration): number {
  return 1 / (1 + Math.exp(slope * (threshold - fused)));
}

/**
 * Weights of the lexical evidence. All but BM25 count by their square: half a match is worth a quarter. Fitted weights
 * were no better than equal ones on texts outside the fit.
 */
const LEXICAL_WEIGHTS = { bm25: 0.25, coverage: 0.25, exact: 0.25, pairs: 0.25 } as const;

interface Calibration {
  /** Maximum contribution of the cosine alone, 0 to 1. The built-in model reads English only. */
  readonly cosineTrust: number;
  /** The fused score at which half of the passages answer. */
  readonly threshold: number;
  /** Steepness of the logistic curve over the fused score. */
  readonly slope: number;
}

/** Other scripts than Latin: words with spaces, Korean, Chinese and Japanese, and Thai and others without spaces. */
type ScriptKind = 'spaced' | 'hangul' | 'ideographs' | 'unspaced';

/**
 * The calibration by the kinds of tokens in the index that a question consists of. The same share of matching tokens
 * means less where texts have them in common by chance: Vietnamese syllables and pairs of Thai letters recur in every
 * text, and a Russian ending seldom does. Outside English, each threshold answers about 5 % of the questions of XQuAD
 * whose article is not indexed (its development articles, 600 questions a language), except for Korean, which the set
 * lacks.
 */
const CALIBRATION: Readonly<Record<TokenKind | ScriptKind, Calibration>> = {
  stems: { cosineTrust: 0.8, threshold: 0.415, slope: 15 },
  grams: { cosineTrust: 0.15, threshold: 0.17, slope: 20 },
  syllables: { cosineTrust: 0.15, threshold: 0.31, slope: 20 },
  spaced: { cosineTrust: 0, threshold: 0.13, slope: 18 },
  hangul: { cosineTrust: 0, threshold: 0.16, slope: 18 },
  ideographs: { cosineTrust: 0, threshold: 0.2, slope: 18 },
  unspaced: { cosineTrust: 0, threshold: 0.26, slope: 18 },
};

/**
 * English without a vector of the question. Wrong answers stay about as rare as with a vector; between a sixth and a
 * half of the right answers are lost.
 */
const ENGLISH_LEXICAL_CALIBRATION: Calibration = { cosineTrust: 0, threshold: 0.26, slope: 15 };

/** Lexical evidence for a passage, each from 0 to 1, with words weighted by rarity. */
interface PassageEvidence {
  /** Share of the question in the best sentence; title and headings count with every sentence. */
  readonly coverage: number;
  /** Share of the question that the passage contains in exactly the same word form. */
  readonly exact: number;
  /** Share of the question's neighbouring word pairs that are also close together in the passage. */
  readonly pairs: number;
}

function measureEvidence(
  question: WeighedQuestion,
  passage: Candidate,
  match: (run: WordSequence) => WordMatch,
): PassageEvidence {
  const path = match(passagePath(passage));
  const units = passageUnits(passage.body).map(({ words }) => match(words));
  let coverage = questionCoverage(question, path, path);
  for (const unit of units) coverage = Math.max(coverage, questionCoverage(question, unit, path));
  const all = [path, ...units];
  return { coverage, exact: exactShare(question, all), pairs: pairShare(question, all) ?? coverage };
}

/** Returns the share of the question in one sentence together with its title and headings, 0 to 1. */
export function questionCoverage(
  { words, weight }: WeighedQuestion,
  sentence: WordMatch,
  path: WordMatch,
): number {
  if (weight === 0) return 0;
  let sum = 0;
  for (const [index, word] of words.entries()) {
    sum += word.weight * Math.max(sentence.strength[index] ?? 0, path.strength[index] ?? 0);
  }
  return sum / weight;
}

function exactShare({ words, weight }: WeighedQuestion, matches: readonly WordMatch[]): number {
  if (weight === 0) return 0;
  let sum = 0;
  for (const [index, word] of words.entries()) {
    if (matches.some((match) => match.exact[index])) sum += word.weight;
  }
  return sum / weight;
}

/** Returns null if the question has fewer than two words with weight. */
function pairShare({ words }: WeighedQuestion, matches: readonly WordMatch[]): number | null {
  let matched = 0;
  let total = 0;
  for (let index = 0; index + 1 < words.length; index += 1) {
    const weight = Math.min(words[index]?.weight ?? 0, words[index + 1]?.weight ?? 0);
    let closest = 0;
    for (const match of matches) closest = Math.max(closest, closeness(match, index));
    total += weight;
    matched += weight * closest;
  }
  return total === 0 ? null : matched / total;
}

function closeness({ position }: WordMatch, index: number): number {
  const one = position[index] ?? -1;
  const next = position[index + 1] ?? -1;
  if (one < 0 || next < 0) return 0;
  const distance = next - one;
  if (distance === 0 || distance === 1) return 1;
  return Math.abs(distance) <= searchRules.pairDistance ? searchRules.loosePairCloseness : 0;
}

/** Many questions find the same passages, and splitting and folding a passage costs more than matching it. */
const MAX_CACHED_CHARACTERS = 8_000_000;
/** Cost of a cache entry besides its text, in characters. */
const ENTRY_OVERHEAD = 500;

const pathCache = new LRUCache<string, readonly WordSequence[]>({
  maxSize: MAX_CACHED_CHARACTERS,
  sizeCalculation: (_, text) => text.length + ENTRY_OVERHEAD,
});

/** Returns the title and headings above a passage as one sequence. */
export function passagePath(passage: {
  readonly title: string | null;
  readonly headings: readonly string[];
}): WordSequence {
  const text = [passage.title ?? '', ...passage.headings].join(' . ');
  const [path] = pathCache.get(text) ?? toWordSequences([text]);
  if (path === undefined) return { text, codes: new Int32Array(), from: 0, to: 0 };
  pathCache.set(text, [path]);
  return path;
}
