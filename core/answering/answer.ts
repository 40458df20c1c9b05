import { roundScore, type Source } from '../contract/answer.ts';
import { isCurated } from '../knowledge/curated/curated-answer.ts';
import { type FoundPassage, plainText, type RankedChunk } from '../knowledge/passage.ts';
import { searchRules } from '../knowledge/rules.ts';
import type { SearchResult } from '../knowledge/search.ts';
import { answerRules } from './rules.ts';

/** The stages of an answer, in order. */
export const ANSWER_STAGES = ['understanding', 'searching', 'reading', 'writing'] as const;

export type Stage = (typeof ANSWER_STAGES)[number];

/** Receives an answer as it is produced. The answer waits for each returned promise, so a slow listener slows it down. */
export interface AnswerListener {
  /** Whether a person sees each token at once, so that tokens should come at an even pace. */
  readonly isRead?: boolean;
  /** Called once for each stage, in order. Before the first call, every check that can reject the question has passed. */
  stage(stage: Stage): void | Promise<void>;
  /** Receives the next piece of the text. All pieces joined are the answer. */
  token(text: string): void | Promise<void>;
}

/** A passage that an answer may use. */
export type UsablePassage = RankedChunk<FoundPassage>;

/** The part of a passage that a source shows. */
export interface SourcePassage
  extends Pick<
    UsablePassage,
    'documentId' | 'chunkId' | 'title' | 'url' | 'headings' | 'body' | 'place' | 'score'
  > {
  /** Absent: it is not known when the document was changed. */
  readonly changedAt?: Date | undefined;
}

export function toSource(passage: SourcePassage): Source {
  return {
    documentId: passage.documentId,
    chunkId: passage.chunkId,
    title: passage.title,
    url: passage.url,
    // The headings of a curated answer are its other phrasings, which readers do not need.
    headings: isCurated(passage.documentId) ? [] : passage.headings,
    changedAt: passage.changedAt ?? null,
    chunk: passage.body,
    place: passage.place,
    score: roundScore(passage.score),
  };
}

/** Returns a source with its text as people read it in a few lines: without fences and pipes. */
export function toReadableSource(source: Source): Source {
  return { ...source, chunk: plainText(source.chunk) };
}

/** Returns the passages that the answer uses, filled up with other passages above the answer threshold; best first. */
export function selectSources(
  usable: readonly SourcePassage[],
  isUsed: (passage: SourcePassage) => boolean,
): readonly Source[] {
  const others = usable.filter((passage) => !isUsed(passage) && passage.score >= searchRules.answerThreshold);
  const shown = [...usable.filter(isUsed), ...others].slice(0, answerRules.sources);
  return shown.sort((one, other) => other.score - one.score).map(toSource);
}

/**
 * Returns the highest score of the passages, whose order may be a reranker's, and of the curated answer without text that
 * comes before them; 0 if nothing was found.
 */
export function bestScore(found: Pick<SearchResult, 'ranked' | 'rule'> | null): number {
  return found?.ranked.reduce((best, { score }) => Math.max(best, score), found.rule?.score ?? 0) ?? 0;
}

/** Takes one item of each list in turn, without repetitions. */
export function takeInTurn<Item>(
  lists: readonly (readonly Item[])[],
  key: (item: Item) => string,
  limit: number,
): readonly Item[] {
  const taken = new Map<string, Item>();
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let index = 0; index < longest; index += 1) {
    for (const list of lists) {
      const item = list[index];
      if (item !== undefined && taken.size < limit && !taken.has(key(item))) taken.set(key(item), item);
    }
  }
  return [...taken.values()];
}
