import type { Kysely } from 'kysely';
import { ANSWER_THRESHOLD, confidence, RELATED_THRESHOLD } from '../knowledge/confidence.ts';
import type { Embedder } from '../knowledge/embedding/embedder.ts';
import type { RankedChunk } from '../knowledge/ranked-chunk.ts';
import { type FoundPassage, type SearchResult, searchKnowledge } from '../knowledge/search.ts';
import type { Tables } from '../storage/tables.ts';
import type { Answer, Source } from './answer.ts';
import { chooseSentences } from './choose-sentences.ts';
import { fallbackMessage } from './fallback-message.ts';
import { type EarlierTurn, standaloneQuestion } from './standalone-question.ts';

export interface Question {
  readonly workspaceId: string;
  readonly text: string;
  /** Oldest first. */
  readonly earlierTurns: readonly EarlierTurn[];
  /** How many passages the answer may draw on, 1 to 20. */
  readonly topK: number;
  readonly audience: readonly string[];
  readonly documentIds: readonly string[] | null;
  /** The workspace's own words for "I do not know"; null takes ours, in the language of the question. */
  readonly fallbackMessage: string | null;
}

export interface EngineDependencies {
  readonly database: Kysely<Tables>;
  readonly embedder: Embedder;
}

const sourcesShown = 5;
const nearMissesShown = 3;

/** Answers a question from the documents of a workspace, or says that they hold no answer. */
export async function answerQuestion(dependencies: EngineDependencies, question: Question): Promise<Answer> {
  const found = await search(dependencies, question);
  const usable = found.ranked.slice(0, question.topK);
  const score = usable[0]?.score ?? 0;
  const common = { score, confidence: confidence(score), tokensUsed: 0, skillsFired: ['knowledge_search'] };
  const written = score < ANSWER_THRESHOLD ? null : write(found, usable);
  if (written !== null) return { ...common, ...written };
  return {
    ...common,
    confidence: 'low',
    text: question.fallbackMessage ?? fallbackMessage(question.text),
    sources: usable
      .filter((chunk) => chunk.score >= RELATED_THRESHOLD)
      .slice(0, nearMissesShown)
      .map(sourceOf),
  };
}

/** A follow-up is searched with what it refers to; where that finds no answer it may have been a new topic after all. */
async function search(dependencies: EngineDependencies, question: Question): Promise<SearchResult> {
  const { searchText, followUp } = standaloneQuestion(question.text, question.earlierTurns);
  const found = await searchKnowledge(dependencies, { ...question, question: searchText });
  if (!followUp || bestScore(found) >= ANSWER_THRESHOLD) return found;
  const alone = await searchKnowledge(dependencies, { ...question, question: question.text });
  return bestScore(alone) > bestScore(found) ? alone : found;
}

function bestScore({ ranked }: SearchResult): number {
  return ranked[0]?.score ?? 0;
}

/** The sentences that answer, with the passages they are from and others as sure; null where no sentence does. */
function write(
  { question, statistics }: SearchResult,
  usable: readonly RankedChunk<FoundPassage>[],
): Pick<Answer, 'text' | 'sources'> | null {
  const chosen = chooseSentences(question, usable, statistics);
  if (chosen.text === '') return null;
  const quoted = new Set(chosen.sentences.map((sentence) => sentence.chunkId));
  const isQuoted = (chunk: FoundPassage) => quoted.has(chunk.chunkId);
  const others = usable.filter((chunk) => !isQuoted(chunk) && chunk.score >= ANSWER_THRESHOLD);
  const shown = [...usable.filter(isQuoted), ...others].slice(0, sourcesShown);
  return { text: chosen.text, sources: shown.sort((one, other) => other.score - one.score).map(sourceOf) };
}

function sourceOf(chunk: RankedChunk<FoundPassage>): Source {
  return {
    documentId: chunk.documentId,
    chunkId: chunk.chunkId,
    title: chunk.title,
    url: chunk.url,
    chunk: chunk.body,
    score: Math.round(chunk.score * 10_000) / 10_000,
  };
}
