import type { Logger } from '../../core/base/log.ts';
import type { JobQueue } from '../../core/queue/queue.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { summariseConversation } from './summarise-conversation.ts';

interface SummaryDependencies extends Pick<Runtime, 'complete' | 'ownerModels' | 'database'> {
  readonly log: Pick<Logger, 'warn'>;
  readonly queue: Pick<JobQueue, 'work'>;
}

/** Low, because answers for waiting visitors use the same models. */
const concurrency = 2;

/**
 * Starts the worker that summarises long conversations. The returned function stops it. Without a language
 * model it does nothing.
 */
export async function runSummaryWorker({
  complete,
  ownerModels,
  database,
  log,
  queue,
}: SummaryDependencies): Promise<() => Promise<void>> {
  if (complete === null) return async () => {};
  const stopping = new AbortController();
  const dependencies = { complete, ownerModels, database: database.kysely };
  const stop = await queue.work('summarise', {
    concurrency,
    async run({ conversationId }) {
      let hasMore = true;
      while (hasMore) hasMore = await summariseConversation(dependencies, conversationId, stopping.signal);
    },
    async givenUp({ conversationId }, err) {
      log.warn({ err, conversation: conversationId }, 'summarising a conversation failed');
    },
  });
  return async () => {
    stopping.abort();
    await stop();
  };
}
