import { postJson } from '../../../models/openai/post-json.ts';
import type { EmbeddingSettings } from '../../../models/provider-settings.ts';
import { selectDialect } from './dialects.ts';
import type { EmbeddingApi, EmbeddingModelOptions } from './embedding-api.ts';
import { findTraits } from './known-models.ts';

/** At three characters a token, below the smallest documented limit of a request: 16,384 tokens. */
const MAX_CHARACTERS = 40_000;

/** Opens a model of a provider. Texts get the prefixes that the model was trained with and are cut to what it reads. */
export function openEmbeddingApi(
  settings: EmbeddingSettings,
  { model, dimensions: stored }: EmbeddingModelOptions,
): EmbeddingApi {
  const dialect = selectDialect(settings.api, model);
  const traits = findTraits(model);
  const dimensions = stored ?? traits.preferredDimensions ?? null;
  const { isOriginal } = settings;
  return {
    maxTexts: dialect.maxTexts,
    maxCharacters: MAX_CHARACTERS,
    async embed(texts, purpose, signal) {
      const prefix = addsPrefixes(settings.api) ? '' : (traits.prefixes?.[purpose] ?? '');
      const cut = texts.map((text) => prefix + text.slice(0, traits.maxCharacters));
      const response = await postJson(settings, {
        path: dialect.path(model),
        body: dialect.body({ model, texts: cut, purpose, dimensions, isOriginal }),
        ...(dialect.keyHeader !== undefined && { keyHeader: dialect.keyHeader }),
        signal,
      });
      return parseVectors(dialect.read(await response.json()));
    },
  };
}

/** Returns true if the API is told what the texts are for and adds what the model needs. */
function addsPrefixes(api: EmbeddingSettings['api']): boolean {
  return api === 'cohere' || api === 'voyage' || api === 'jina';
}

/** Throws a TypeError if the value is no list of vectors. */
function parseVectors(vectors: unknown): readonly Float32Array[] {
  if (!Array.isArray(vectors)) throw new TypeError('the provider returned no vectors');
  return vectors.map(parseVector);
}

/** Parses numbers, or little-endian 32-bit floats in Base64: some servers ignore the requested encoding. */
function parseVector(embedding: unknown): Float32Array {
  // Anything but a number becomes NaN, which the caller rejects: `Number(null)` would be 0.
  if (Array.isArray(embedding)) {
    return Float32Array.from(embedding, (value: unknown) => (typeof value === 'number' ? value : Number.NaN));
  }
  if (typeof embedding !== 'string') throw new TypeError('the provider returned an invalid vector');
  // The bytes are copied into a new buffer, because a Float32Array must start at a multiple of four bytes.
  const bytes = Uint8Array.from(Buffer.from(embedding, 'base64'));
  if (bytes.length % 4 !== 0) throw new TypeError('the provider returned an invalid vector');
  return new Float32Array(bytes.buffer);
}
