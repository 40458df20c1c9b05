import type { z } from 'zod';
import type { Source } from '../../../core/answering/answer.ts';
import type { sourceSchema } from './source-schema.ts';

export function presentSource(source: Source): z.output<typeof sourceSchema> {
  return {
    document_id: source.documentId,
    chunk_id: source.chunkId,
    title: source.title,
    document_name: source.title,
    url: source.url,
    chunk: source.chunk,
    chunk_text: source.chunk,
    score: source.score,
    relevance_score: source.score,
  };
}
