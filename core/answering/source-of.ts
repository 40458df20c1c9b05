import type { FoundPassage } from '../knowledge/found-passage.ts';
import type { RankedChunk } from '../knowledge/ranked-chunk.ts';
import type { Source } from './answer.ts';

/** A passage that an answer may draw on. */
export type UsablePassage = RankedChunk<FoundPassage>;

export function sourceOf(passage: UsablePassage): Source {
  return {
    documentId: passage.documentId,
    chunkId: passage.chunkId,
    title: passage.title,
    url: passage.url,
    chunk: passage.body,
    score: Math.round(passage.score * 10_000) / 10_000,
  };
}
