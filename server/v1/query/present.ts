import type { z } from 'zod';
import type { AskResult } from '../../../core/answering/ask.ts';
import {
  type Answer,
  type Citation,
  placeLabel,
  placeUrl,
  roundScore,
  type Source,
} from '../../../core/contract/answer.ts';
import { detectReliably } from '../../../core/language/language.ts';
import type { citationSchema, sourceSchema } from './schema.ts';
import type { FinalFrame } from './stream-schema.ts';

/** The response to a query, with the field names of section 2.6 of the API. */
export function presentAnswer({ answer, conversationId, messageId, latencyMs }: AskResult) {
  return {
    answer: answer.text,
    sources: answer.sources.map(presentSource),
    citations: answer.citations.map(presentCitation),
    conversation_id: conversationId,
    message_id: messageId,
    query_id: messageId,
    tokens_used: answer.tokensUsed,
    skills_fired: [...answer.skillsFired],
    latency_ms: latencyMs,
    confidence: answer.confidence,
    ...presentGrounds(answer),
  };
}

/** How an answer presents itself, and where its text comes from. */
export function presentGrounds({ tier, probability, isGenerated, isQuoted, lead }: Answer) {
  return {
    tier,
    probability: probability === null ? null : roundScore(probability),
    ai_generated: isGenerated,
    quoted: isQuoted,
    lead,
  };
}

export function presentSource(source: Source): z.output<typeof sourceSchema> {
  return {
    document_id: source.documentId,
    chunk_id: source.chunkId,
    title: source.title,
    document_name: source.title,
    url: source.url,
    headings: [...source.headings],
    changed_at: source.changedAt?.toISOString() ?? null,
    chunk: source.chunk,
    chunk_text: source.chunk,
    place: presentPlace(source),
    score: source.score,
    relevance_score: source.score,
  };
}

function presentPlace({ place, chunk, url }: Source): z.output<typeof sourceSchema>['place'] {
  if (place === null) return null;
  return {
    ...{ kind: place.kind, from: place.from, to: place.to },
    label: placeLabel(place, detectReliably(chunk)),
    sheet: place.kind === 'rows' ? place.sheet : null,
    url: placeUrl(place, url),
  };
}

export function presentCitation({ start, end, chunkIds }: Citation): z.output<typeof citationSchema> {
  return { start, end, chunk_ids: [...chunkIds] };
}

/** The last frame of a stream: everything except the text. */
export function presentFinal(result: AskResult): FinalFrame {
  const { answer: _text, latency_ms: _latency, ...rest } = presentAnswer(result);
  return { token: '', done: true, ...rest };
}
