import { CircuitBreaker, type CountCalls } from '../../answering/models/circuit-breaker.ts';
import { type ModelChoice, nameOf } from '../../answering/models/model-choice.ts';
import { openaiEmbeddings } from '../../answering/models/openai/openai-embeddings.ts';
import type { ProviderSettings } from '../../answering/models/provider-settings.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { AppError, StartError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { DIMENSIONS } from '../dimensions.ts';
import type { Embedder } from './embedder.ts';
import { EmbeddingError } from './embedding-error.ts';
import { RemoteEmbedder } from './remote-embedder.ts';

export interface RemoteModel {
  readonly choice: ModelChoice;
  readonly settings: ProviderSettings;
}

interface OpenRemoteOptions extends RemoteModel {
  readonly log: Pick<Logger, 'warn'>;
  readonly clock?: Clock;
  readonly count?: CountCalls | undefined;
}

/** A visitor waits for the one, the queue for the other. */
const QUERY_TIMEOUT_MS = 10_000;
const PASSAGES_TIMEOUT_MS = 60_000;

/**
 * Opens a provider's embedding model and tries it. Throws a StartError where it makes vectors of another length; a
 * provider that does not answer now may do so later.
 */
export async function openRemoteEmbedder(options: OpenRemoteOptions): Promise<Embedder> {
  const { choice, settings, log, clock = systemClock, count } = options;
  const model = nameOf(choice);
  const open = (timeoutMs: number) =>
    openaiEmbeddings({ ...settings, choice, dimensions: DIMENSIONS, timeoutMs });
  const embedder = new RemoteEmbedder({
    model,
    dimensions: DIMENSIONS,
    query: open(QUERY_TIMEOUT_MS),
    passages: open(PASSAGES_TIMEOUT_MS),
    breaker: new CircuitBreaker(clock, (outcome) => count?.(model, outcome)),
    log,
  });
  try {
    await embedder.embedQuery('Hello');
  } catch (error) {
    if (error instanceof EmbeddingError) throw new StartError(error.message, error);
    if (!(error instanceof AppError)) throw error;
  }
  return embedder;
}
