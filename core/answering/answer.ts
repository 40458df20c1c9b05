import type { FoundPassage, RankedChunk } from '../knowledge/passage.ts';
import { ANSWER_THRESHOLD, type Confidence } from '../knowledge/ranking/rank-candidates.ts';
import type { SearchResult } from '../knowledge/search.ts';

/** A passage an answer rests on. */
export interface Source {
  readonly documentId: string;
  readonly chunkId: string;
  readonly title: string;
  readonly url: string | null;
  /** The passage's exact text. */
  readonly chunk: string;
  /** 0 to 1. */
  readonly score: number;
}

export interface Answer {
  readonly text: string;
  /** Best first, at most five; empty, or near misses, when `confidence` is low. */
  readonly sources: readonly Source[];
  readonly confidence: Confidence;
  /** The score of the best passage, 0 to 1; 0 where nothing was found. */
  readonly score: number;
  /** Tokens that a language model was paid for; 0 without one. */
  readonly tokensUsed: number;
  readonly skillsFired: readonly string[];
}

/** The steps of an answer, in their order. */
export const ANSWER_STAGES = ['understanding', 'searching', 'reading', 'writing'] as const;

export type Stage = (typeof ANSWER_STAGES)[number];

/** Who hears of an answer while it comes to be. An answer waits for what is returned before it goes on. */
export interface AnswerListener {
  /** Each stage once, in order; the first one after all that could refuse the question was checked. */
  stage(stage: Stage): void | Promise<void>;
  /** The next piece of the text: all of them together are the answer. */
  token(text: string): void | Promise<void>;
}

/** A passage that an answer may draw on. */
export type UsablePassage = RankedChunk<FoundPassage>;

export function toSource(passage: UsablePassage): Source {
  return {
    documentId: passage.documentId,
    chunkId: passage.chunkId,
    title: passage.title,
    url: passage.url,
    chunk: passage.body,
    score: Math.round(passage.score * 10_000) / 10_000,
  };
}

const MAX_SOURCES = 5;

/** The passages that the answer is from, and where there is room others as sure; best first. */
export function selectSources(
  usable: readonly UsablePassage[],
  isUsed: (passage: UsablePassage) => boolean,
): readonly Source[] {
  const others = usable.filter((passage) => !isUsed(passage) && passage.score >= ANSWER_THRESHOLD);
  const shown = [...usable.filter(isUsed), ...others].slice(0, MAX_SOURCES);
  return shown.sort((one, other) => other.score - one.score).map(toSource);
}

/** Of the best passage; 0 where none was found. */
export function bestScore(found: Pick<SearchResult, 'ranked'> | null): number {
  return found?.ranked[0]?.score ?? 0;
}

/** Why an answer is not whole: the client disconnected, or its time was up. */
export type EarlyEnd = 'cancelled' | 'timeout';

/**
 * The reason to abort an answer's signal with so that what there is of it is kept, marked as not whole. With any other
 * reason nothing is kept.
 */
export class Interruption extends Error {
  readonly ended: EarlyEnd;

  constructor(ended: EarlyEnd) {
    super(`the answer was ended before it was whole: ${ended}`);
    this.name = 'Interruption';
    this.ended = ended;
  }
}
