import { withDeadline } from '../../../contract/abort-signal.ts';
import type { ModelChoice } from '../model-choice.ts';
import { readField, toProviderFailure } from '../provider-failure.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import { postJson } from './post-json.ts';

interface EmbeddingsOptions extends ProviderSettings {
  readonly choice: ModelChoice;
  readonly dimensions: number;
  /** The time limit of one request in milliseconds. */
  readonly timeoutMs: number;
}

/** Returns the vectors of texts, in order. Throws a `ProviderFailure`. */
export type EmbedTexts = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

/** Opens an embedding model with OpenAI's API. */
export function openaiEmbeddings({
  choice,
  dimensions,
  timeoutMs,
  ...settings
}: EmbeddingsOptions): EmbedTexts {
  // OpenAI's models accept the number of dimensions. Other servers reject that field, and return floats at best.
  const format =
    choice.provider === 'openai' ? { dimensions, encoding_format: 'base64' } : { encoding_format: 'float' };
  return async (texts) => {
    if (texts.length === 0) return [];
    try {
      const body = { model: choice.model, input: texts, ...format };
      const response = await withDeadline({ timeoutMs }, async (signal) =>
        (await postJson(settings, { path: '/embeddings', body, signal })).json(),
      );
      const data = readField(response, 'data');
      if (!Array.isArray(data)) throw new TypeError('the provider returned no vectors');
      return data.map((item) => parseVector(readField(item, 'embedding')));
    } catch (error) {
      throw toProviderFailure(error);
    }
  };
}

/** Parses numbers, or little-endian 32-bit floats in Base64: some servers ignore the requested encoding. */
function parseVector(embedding: unknown): Float32Array {
  if (Array.isArray(embedding)) return Float32Array.from(embedding, Number);
  if (typeof embedding !== 'string') throw new TypeError('the provider returned an invalid vector');
  // Copied into a new buffer, because a Float32Array must start at a multiple of four bytes.
  return new Float32Array(Uint8Array.from(Buffer.from(embedding, 'base64')).buffer);
}
