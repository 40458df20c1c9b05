import type { EarlierTurn } from '../../contract/answer.ts';
import type { AnswerWriter } from '../../contract/answer-writer.ts';
import { searchRules } from '../../knowledge/rules.ts';
import {
  rerankPassages,
  type SearchDependencies,
  type SearchResult,
  searchKnowledge,
} from '../../knowledge/search.ts';
import { detectLanguage } from '../../language/language.ts';
import { splitFoldedWords, stemWord } from '../../language/tokens.ts';
import { type Correction, correctProbability } from '../../workspaces/correction.ts';
import { bestScore, takeInTurn } from '../answer.ts';
import type { Asked, FoundPart, LazyReading, PartReadings, QuestionReadings } from '../asked.ts';
import type { Question } from '../question.ts';
import { answerRules } from '../rules.ts';
import type { AnswerDraft } from '../writing/answer-draft.ts';
import { comparedThings, splitQuestions } from './split-questions.ts';
import { standaloneQuestion } from './standalone-question.ts';

interface Dependencies extends SearchDependencies {
  /** Null: sentences are quoted. */
  readonly writer: AnswerWriter | null;
}

/** Rewrites the question, in another language (ISO 639-1) if one is given. Null if it is not rewritten. */
type Rewrite = (question: string, language: string | null) => Promise<string | null>;

/** Returns phrases to search for, in another language (ISO 639-1) if one is given; they cost time and tokens. */
type WritePhrases = (question: string, language: string | null) => Promise<readonly string[]>;

/** Returns some passages of the documents, whatever the question. */
type SamplePassages = () => Promise<readonly string[]>;

/**
 * Returns the readings of a question in its conversation. `rewrite` costs time and tokens: it is called at once for a
 * follow-up, and for any other question only if the question itself finds nothing.
 */
export async function createReadings(
  { text, earlierTurns }: Pick<Question, 'text' | 'earlierTurns'>,
  rewrite: Rewrite,
  sample: SamplePassages = async () => [],
  writePhrases: WritePhrases | null = null,
): Promise<QuestionReadings> {
  const { searchText, followUp, own, topic } = standaloneQuestion(text, earlierTurns);
  if (!followUp) {
    const rewritten: LazyReading = async (found) => {
      const language = await otherLanguage(text, found, sample);
      return earlierTurns.length === 0 && language === null ? null : rewrite(text, language);
    };
    // The topic alone would find what was answered before.
    const inTopic: LazyReading = Object.assign(
      async () => (topic.length === 0 ? null : [text, ...topic].join(' ')),
      { addsTopic: true },
    );
    const isAlone = earlierTurns.length === 0;
    const others = [rewritten, inTopic, ...phrases(text, writePhrases, sample)];
    return { first: text, others, own: isAlone ? [] : own, mayFollow: topic.length > 0 };
  }
  const translated: LazyReading = async (found) => {
    const language = await otherLanguage(text, found, sample);
    return language === null ? null : rewrite(text, language);
  };
  // If the question is a new topic after all, its own words find it.
  const alone: LazyReading = Object.assign(async () => text, { dropsTopic: true });
  const plain = [async () => searchText, alone];
  const first = (await rewrite(text, null)) ?? searchText;
  const phrased = phrases(first, writePhrases, sample);
  return { first, others: [...plain, translated, ...phrased], own };
}

/** Search phrases of a model, if nothing else finds an answer. */
function phrases(
  question: string,
  write: WritePhrases | null,
  sample: SamplePassages,
): readonly LazyReading[] {
  if (write === null) return [];
  const reading: LazyReading = async (found) => write(question, await otherLanguage(question, found, sample));
  return [Object.assign(reading, { dropsTopic: true })];
}

/**
 * Returns the language of most of the passages found if the question is in a different one, otherwise null. A question in
 * another script than the documents finds nothing at all: a sample of them tells their language.
 */
async function otherLanguage(
  question: string,
  { ranked }: Pick<SearchResult, 'ranked'>,
  sample: SamplePassages,
): Promise<string | null> {
  const asked = detectLanguage(question).code;
  if (asked === 'und') return null;
  const found = ranked.slice(0, answerRules.languageSample).map(({ body }) => body);
  const codes = (found.length > 0 ? found : await sample()).map((body) => detectLanguage(body).code);
  const most = codes.find((code) => 2 * codes.filter((other) => other === code).length > codes.length);
  if (most === undefined) return null;
  return most === 'und' || asked === most ? null : most;
}

/**
 * Splits a message into its questions and returns the readings of each. A later question may refer to one before it.
 */
export async function createPartReadings(
  { text, earlierTurns }: Pick<Question, 'text' | 'earlierTurns'>,
  rewrite: Rewrite,
  sample: SamplePassages,
  writePhrases: WritePhrases | null = null,
): Promise<readonly PartReadings[]> {
  const turns: EarlierTurn[] = [...earlierTurns];
  const read: PartReadings[] = [];
  for (const [index, part] of splitQuestions(text).entries()) {
    // The model knows only the conversation before the message, so of several questions it rewrites the first alone.
    const rewritePart: Rewrite = async (question, language) =>
      index === 0 || language !== null ? rewrite(question, language) : null;
    const input = { text: part.text, earlierTurns: [...turns] };
    read.push({ ...part, readings: await createReadings(input, rewritePart, sample, writePhrases) });
    turns.push({ question: part.text, answer: null });
  }
  return read;
}

interface Searching {
  readonly question: Question;
  readonly asked: Asked;
}

/**
 * Searches the documents that the visitor may read, for each of the questions in a message, and puts the passages in the
 * reranker's order. If none of several questions finds an answer but the message as a whole does, the message counts as
 * one question. A reply needs no search; its listener still receives the stages.
 */
export async function search(
  dependencies: Dependencies,
  { question, asked }: Searching,
  draft: AnswerDraft,
): Promise<readonly FoundPart[]> {
  await draft.enter('searching');
  const isSearched = asked.kind === 'questions' && question.searches;
  const parts = isSearched ? await searchParts(dependencies, { question, parts: asked.parts }, draft) : [];
  await draft.enter('reading');
  return parts;
}

interface PassageSearch {
  readonly question: Question;
  readonly parts: readonly PartReadings[];
}

async function searchParts(
  dependencies: Dependencies,
  { question, parts }: PassageSearch,
  draft: AnswerDraft,
): Promise<readonly FoundPart[]> {
  draft.fire({ skill: 'knowledge_search', effects: [] });
  const all: FoundPart[] = [];
  const find = async (text: string) => {
    const traced = draft.trace?.reading(text, all.length);
    const search = searchKnowledge(dependencies, { ...question, question: text, signal: draft.signal });
    const found = await draft.wait(search);
    traced?.(bestScore(found));
    return found;
  };
  for (const { readings, ...part } of parts) {
    const found = await searchReadings(readings, find);
    // Things that a question compares are searched one by one too, for a model that reads them together.
    const things = dependencies.writer === null ? [] : comparedThings(part.text);
    all.push({ ...part, found, compared: await Promise.all(things.map(find)) });
  }
  const asked = await joinUnanswered(all, () => find(question.text), question.text);
  const options = { signal: draft.signal, hasWriter: dependencies.writer !== null };
  const order = async (found: SearchResult) =>
    correctScores(await draft.wait(rerankPassages(dependencies, found, options)), question.correction);
  draft.trace?.enter('reading');
  return Promise.all(
    asked.map(async (part) => ({
      ...part,
      found: applyRule(await order(part.found), question.tiers.answer),
    })),
  );
}

/** A curated answer without text that is about the question leaves nothing else to quote; another one is left out. */
function applyRule(found: SearchResult, least: number): SearchResult {
  if (found.rule == null) return found;
  return found.rule.score >= least ? { ...found, ranked: [] } : { ...found, rule: null };
}

/** Corrects scores after all comparisons with fixed thresholds, which hold for the probabilities of the product. */
function correctScores(found: SearchResult, correction: Correction | null): SearchResult {
  if (correction === null) return found;
  const ranked = found.ranked.map((passage) => ({
    ...passage,
    score: correctProbability(passage.score, correction),
  }));
  const { rule = null } = found;
  const score = rule === null ? 0 : correctProbability(rule.score, correction);
  return { ...found, ranked, rule: rule && { ...rule, score } };
}

/** Returns the whole message as one question if it finds an answer and none of its several questions does. */
async function joinUnanswered(
  parts: readonly FoundPart[],
  find: () => Promise<SearchResult>,
  text: string,
): Promise<readonly FoundPart[]> {
  if (parts.length < 2 || parts.some(({ found }) => bestScore(found) >= searchRules.answerThreshold))
    return parts;
  const whole = await find();
  return bestScore(whole) < searchRules.answerThreshold
    ? parts
    : [{ text, label: text, found: whole, compared: [] }];
}

/** Returns the result of the first reading that finds an answer; otherwise the result with the best score. */
export async function searchReadings(
  { first, others, own, mayFollow = false }: QuestionReadings,
  find: (text: string) => Promise<SearchResult>,
): Promise<SearchResult> {
  const tried = new Set([first]);
  const enough = mayFollow ? searchRules.highThreshold : searchRules.answerThreshold;
  let best = await find(first);
  for (const reading of others) {
    const score = bestScore(best);
    if (score >= enough && isAbout(best, own)) return best;
    if (score >= searchRules.answerThreshold && reading.dropsTopic === true) continue;
    const text = await reading(best);
    if (text === null) continue;
    if (typeof text !== 'string') {
      const more = await Promise.all(text.map(find));
      best = mergeFound(best, more);
      continue;
    }
    if (tried.has(text)) continue;
    tried.add(text);
    const found = await find(text);
    if (reading.addsTopic === true && !isAbout(found, own)) continue;
    if (isBetter(found, best, own)) best = found;
  }
  return best;
}

/** Whether a result scores higher without losing the words of the message, or finds an answer that has them. */
function isBetter(found: SearchResult, best: SearchResult, own: readonly string[]): boolean {
  const isOwn = isAbout(found, own);
  if (isOwn && !isAbout(best, own) && bestScore(found) >= searchRules.answerThreshold) return true;
  return bestScore(found) > bestScore(best) && (isOwn || !isAbout(best, own));
}

/**
 * Adds passages to those already found, in turn, so that a model reads the best of each search. None of them scores higher
 * than what the visitor's own words found.
 */
function mergeFound(best: SearchResult, more: readonly SearchResult[]): SearchResult {
  const most = bestScore(best);
  const capped = more.map(({ ranked }) =>
    ranked.map((passage) => ({ ...passage, score: Math.min(passage.score, most) })),
  );
  const lists = [best.ranked, ...capped];
  return { ...best, ranked: takeInTurn(lists, ({ chunkId }) => chunkId, answerRules.readPassages) };
}

/** Whether the best passage holds at least half of the words. */
function isAbout(
  { ranked: [best], rule }: Pick<SearchResult, 'ranked' | 'rule'>,
  words: readonly string[],
): boolean {
  if (words.length === 0) return true;
  const texts = rule == null ? best && [best.title, ...best.headings, best.body] : [rule.title];
  if (texts === undefined) return false;
  const stems = new Set(splitFoldedWords(texts.join('\n'), 'stems').flatMap(stemWord));
  const held = words.filter((word) => stemWord(word).every((stem) => stems.has(stem)));
  return 2 * held.length >= words.length;
}
