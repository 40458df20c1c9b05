import type { Source } from '../../../core/answering/answer.ts';
import { RELATED_THRESHOLD } from '../../../core/knowledge/confidence.ts';
import type { PublicAgent } from '../../public-agent.ts';
import { presentMatch } from './present-match.ts';
import type { UpstreamAnswer } from './upstream-answer-schema.ts';
import type { UpstreamRequest } from './upstream-request.ts';

const mostListed = 10;

/** Answers in the form of the open NLWeb protocol, under `queryId`. */
export async function answerUpstream(
  agent: PublicAgent,
  request: UpstreamRequest,
  queryId: string,
): Promise<UpstreamAnswer> {
  const resultsOf = (sources: readonly Source[]) =>
    sources.map((source) => presentMatch(source, agent.workspace.name));
  if (request.mode === 'list')
    return { query_id: queryId, results: resultsOf(await findMatches(agent, request)) };
  const { answer } = await agent.ask({ ...request, conversationId: null });
  const results = resultsOf(answer.sources);
  return request.mode === 'summarize'
    ? { query_id: queryId, results, summary: answer.text }
    : { query_id: queryId, results, answer: answer.text, items: results };
}

/** The best passage of each related document, best first, at most ten. */
export async function findMatches(
  agent: PublicAgent,
  request: Pick<UpstreamRequest, 'text' | 'earlierTurns'>,
): Promise<readonly Source[]> {
  const ranked = await agent.search(request);
  const related = ranked.filter(({ score }) => score >= RELATED_THRESHOLD);
  const best = new Map(related.toReversed().map((chunk) => [chunk.documentId, chunk]));
  return [...best.values()]
    .sort((one, other) => other.score - one.score)
    .slice(0, mostListed)
    .map((chunk) => ({ ...chunk, chunk: chunk.body }));
}
