import type { AnswerWriter } from '../contract/answer-writer.ts';
import type { ModelWriterOptions } from './generated/model-writer.ts';
import type { Complete } from './models/complete.ts';
import type { StreamTimeouts } from './models/fail-over.ts';
import type { ModelPoolOptions } from './models/model-pool.ts';

interface OpenModelsOptions extends ModelPoolOptions {
  readonly log: ModelPoolOptions['log'] & ModelWriterOptions['log'];
  readonly patience?: ModelWriterOptions['patience'];
}

const streamed: StreamTimeouts = { firstMs: 10_000, nextMs: 10_000 };
/** Nothing is heard of a whole answer until it is there. */
const whole: StreamTimeouts = { firstMs: 20_000, nextMs: 10_000 };
/** Longer than a request lasts (30 s), which then ends with its own error. Channels, which have no such end, retry later. */
const last: StreamTimeouts = { firstMs: 35_000, nextMs: 35_000 };

/** What language models do here; null, both, where none is configured. */
interface Models {
  readonly writer: AnswerWriter | null;
  readonly complete: Complete | null;
}

/** What an answer waits for before its first word; without it the answer is a little less good. */
const COMPLETION_TIMEOUT_MS = 4_000;

/** Without a model this costs nothing: what models need is loaded here. */
export async function openModels({
  patience = { streamed, whole, last },
  ...options
}: OpenModelsOptions): Promise<Models> {
  if (options.config.LLM_MODELS.length === 0) return { writer: null, complete: null };
  const [{ ModelPool }, { ModelWriter }, { createComplete }] = await Promise.all([
    import('./models/model-pool.ts'),
    import('./generated/model-writer.ts'),
    import('./models/complete.ts'),
  ]);
  const pool = new ModelPool(options);
  // Loads the libraries: the first question does not wait for them.
  await pool.inOrder(null);
  return {
    writer: new ModelWriter({ pool, log: options.log, patience }),
    complete: createComplete({ pool, log: options.log, timeoutMs: COMPLETION_TIMEOUT_MS }),
  };
}
