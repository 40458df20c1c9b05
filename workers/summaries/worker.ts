import type { Logger } from '../../core/log.ts';
import type { JobQueue } from '../../core/queue/queue.ts';
import type { Runtime } from '../../core/runtime.ts';
import { summariseConversation } from './summarise-conversation.ts';

interface Summariser extends Pick<Runtime, 'complete' | 'database'> {
  readonly log: Pick<Logger, 'warn'>;
  readonly queue: Pick<JobQueue, 'work'>;
}

/** Few: what visitors wait for asks the same models. */
const concurrency = 2;

/** Sums up long conversations until the returned function is called; without a language model nobody asks for it. */
export async function runSummaryWorker({
  complete,
  database,
  log,
  queue,
}: Summariser): Promise<() => Promise<void>> {
  if (complete === null) return async () => {};
  const stopping = new AbortController();
  const dependencies = { complete, database: database.kysely };
  const stop = await queue.work('summarise', {
    concurrency,
    async run({ conversationId }) {
      let goesOn = true;
      while (goesOn) goesOn = await summariseConversation(dependencies, conversationId, stopping.signal);
    },
    async givenUp({ conversationId }, err) {
      log.warn({ err, conversation: conversationId }, 'a conversation was not summed up: it goes on without');
    },
  });
  return async () => {
    stopping.abort();
    await stop();
  };
}
