import type { UpstreamAnswer } from './upstream-answer-schema.ts';

/** An answer as the server-sent events that clients of the open NLWeb protocol read. */
export function upstreamFrames(answer: UpstreamAnswer): string {
  const { query_id } = answer;
  return messagesOf(answer)
    .map((message) => `data: ${JSON.stringify({ ...message, query_id })}\n\n`)
    .join('');
}

function messagesOf({ results, summary, answer, items }: UpstreamAnswer): readonly object[] {
  const complete = { message_type: 'complete' };
  if (answer !== undefined) return [{ message_type: 'nlws', answer, items }, complete];
  const found = results.length === 0 ? [] : [{ message_type: 'result_batch', results }];
  if (summary === undefined) return [...found, complete];
  return [...found, { message_type: 'summary', message: summary }, complete];
}
