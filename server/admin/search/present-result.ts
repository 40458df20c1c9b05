import type { z } from 'zod';
import type { FoundPassage } from '../../../core/knowledge/found-passage.ts';
import type { RankedChunk } from '../../../core/knowledge/ranked-chunk.ts';
import type { resultSchema } from './result-schema.ts';

export function presentResult(found: RankedChunk<FoundPassage>): z.output<typeof resultSchema> {
  const { bm25, coverage, cosine, fused } = found.parts;
  return {
    document_id: found.documentId,
    chunk_id: found.chunkId,
    title: found.title,
    url: found.url,
    chunk: found.body,
    score: rounded(found.score),
    parts: {
      bm25: rounded(bm25),
      coverage: rounded(coverage),
      cosine: rounded(cosine),
      fused: rounded(fused),
    },
  };
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
