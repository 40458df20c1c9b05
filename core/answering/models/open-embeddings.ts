import { OpenAIEmbeddings } from '@langchain/openai';
import { explainFailure } from './explain-failure.ts';
import { leanFetch } from './lean-fetch.ts';
import type { ModelChoice } from './model-choice.ts';
import type { ProviderSettings } from './provider-settings.ts';

export interface EmbeddingsOptions extends ProviderSettings {
  readonly choice: ModelChoice;
  readonly dimensions: number;
  /** Of one request. */
  readonly timeoutMs: number;
}

/** Vectors of texts, in their order. Throws a ProviderFailure. */
export type EmbedTexts = (texts: readonly string[]) => Promise<readonly (readonly number[])[]>;

/** Texts in one request: providers take many more, and would take longer than a question should wait behind them. */
const BATCH = 64;

/** An embedding model that speaks OpenAI's dialect. */
export function openEmbeddings(options: EmbeddingsOptions): EmbedTexts {
  const { choice, dimensions, apiKey, baseUrl, timeoutMs } = options;
  const embeddings = new OpenAIEmbeddings({
    model: choice.model,
    // OpenAI's models shorten their vectors to order; other servers refuse to be asked, and send numbers at best.
    ...(choice.provider === 'openai' ? { dimensions } : { encodingFormat: 'float' as const }),
    apiKey: apiKey || 'none',
    batchSize: BATCH,
    stripNewLines: false,
    timeout: timeoutMs,
    maxRetries: 0,
    maxConcurrency: Number.POSITIVE_INFINITY,
    configuration: { baseURL: baseUrl, organization: null, project: null, logLevel: 'off', fetch: leanFetch },
  });
  return async (texts) => {
    const [first, ...others] = texts;
    if (first === undefined) return [];
    try {
      return others.length > 0
        ? await embeddings.embedDocuments([...texts])
        : [await embeddings.embedQuery(first)];
    } catch (error) {
      throw explainFailure(error);
    }
  };
}
