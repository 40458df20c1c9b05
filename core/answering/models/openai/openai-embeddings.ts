import { withDeadline } from '../../../contract/abort-signal.ts';
import type { ModelChoice } from '../model-choice.ts';
import { readField, toProviderFailure } from '../provider-failure.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import { postJson } from './post-json.ts';

interface EmbeddingsOptions extends ProviderSettings {
  readonly choice: ModelChoice;
  readonly dimensions: number;
  /** Of one request. */
  readonly timeoutMs: number;
}

/** Vectors of texts, in their order. Throws a ProviderFailure. */
export type EmbedTexts = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

/** An embedding model that speaks OpenAI's dialect. */
export function openaiEmbeddings({
  choice,
  dimensions,
  timeoutMs,
  ...settings
}: EmbeddingsOptions): EmbedTexts {
  // OpenAI's models shorten their vectors to order; other servers refuse to be asked, and send numbers at best.
  const asked =
    choice.provider === 'openai' ? { dimensions, encoding_format: 'base64' } : { encoding_format: 'float' };
  return async (texts) => {
    if (texts.length === 0) return [];
    try {
      const body = { model: choice.model, input: texts, ...asked };
      const embedded = await withDeadline({ timeoutMs }, async (signal) =>
        (await postJson(settings, { path: '/embeddings', body, signal })).json(),
      );
      const data = readField(embedded, 'data');
      if (!Array.isArray(data)) throw new TypeError('the provider returned no vectors');
      return data.map((one) => parseVector(readField(one, 'embedding')));
    } catch (error) {
      throw toProviderFailure(error);
    }
  };
}

/** Numbers, or the bytes of them, little-endian, in Base64: some servers send the one though they were asked for the other. */
function parseVector(embedding: unknown): Float32Array {
  if (Array.isArray(embedding)) return Float32Array.from(embedding, Number);
  if (typeof embedding !== 'string') throw new TypeError('the provider returned something that is no vector');
  // A buffer of their own begins where numbers may.
  return new Float32Array(Uint8Array.from(Buffer.from(embedding, 'base64')).buffer);
}
