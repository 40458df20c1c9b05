import type { z } from 'zod';
import type { EarlierTurn } from '../../../core/answering/standalone-question.ts';
import type { askFields } from '../ask/ask-fields.ts';
import type { upstreamFields } from './upstream-fields.ts';
import type { UpstreamRequest } from './upstream-request.ts';

type Fields = z.output<z.ZodObject<typeof askFields & typeof upstreamFields>>;

const remembered = 4;

/** Parameters as a question; `earlierTurns` where they come in another way than as `prev`. */
export function readUpstream(fields: Fields, earlierTurns: readonly EarlierTurn[] = []): UpstreamRequest {
  const { query, prev, decontextualized_query: whole, query_id, mode, generate_mode, streaming } = fields;
  const previous = prev?.map((question) => ({ question: question.slice(0, 1_000), answer: null }));
  const standsAlone = whole !== undefined && whole !== '';
  return {
    text: standsAlone ? whole : query,
    earlierTurns: standsAlone ? [] : (previous ?? earlierTurns).slice(-remembered),
    locale: fields.locale ?? null,
    mode: mode ?? generate_mode ?? 'list',
    queryId: query_id === undefined || query_id === '' ? null : query_id,
    streaming: streaming ?? true,
  };
}
