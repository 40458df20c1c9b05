import type { AnswerWriter } from '../contract/answer-writer.ts';
import type { ModelPoolOptions } from './models/model-pool.ts';
import type { Patience } from './models/with-patience.ts';
import type { ModelWriterOptions } from './writing/model-writer.ts';

interface OpenWriterOptions extends ModelPoolOptions {
  readonly log: ModelPoolOptions['log'] & ModelWriterOptions['log'];
  readonly patience?: ModelWriterOptions['patience'];
}

const streamed: Patience = { firstMs: 10_000, nextMs: 10_000 };
/** Nothing is heard of a whole answer until it is there. */
const whole: Patience = { firstMs: 20_000, nextMs: 10_000 };

/**
 * The writer of this installation; null where no model is configured, which costs nothing then: what models need is
 * loaded here.
 */
export async function openWriter({
  patience = { streamed, whole },
  ...options
}: OpenWriterOptions): Promise<AnswerWriter | null> {
  if (options.config.LLM_MODELS.length === 0) return null;
  const [{ ModelPool }, { ModelWriter }] = await Promise.all([
    import('./models/model-pool.ts'),
    import('./writing/model-writer.ts'),
  ]);
  const pool = new ModelPool(options);
  // Loads the libraries: the first question does not wait for them.
  await pool.inOrder(null);
  return new ModelWriter({ pool, log: options.log, patience });
}
