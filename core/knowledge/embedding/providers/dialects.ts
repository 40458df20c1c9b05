import type { EmbeddingApiName } from '../../../config/provider-table.ts';
import { readField } from '../../../models/provider-failure.ts';
import type { Purpose } from './embedding-api.ts';

/** The content of a request, whatever its form. */
export interface EmbeddingRequest {
  readonly model: string;
  readonly texts: readonly string[];
  readonly purpose: Purpose;
  /** Null for as many as the model has by default. */
  readonly dimensions: number | null;
  /** Whether the provider itself serves the API, with all that it documents. */
  readonly isOriginal: boolean;
}

/** How an API asks for vectors and returns them. */
export interface Dialect {
  /** Texts in one request at most, as documented. */
  readonly maxTexts: number;
  readonly keyHeader?: string;
  path(model: string): string;
  body(request: EmbeddingRequest): object;
  /** Returns the vectors in the order of the texts; undefined if the response has none. */
  read(response: unknown): unknown;
}

/** `{"data": [{"index", "embedding"}]}`; the order of the list is not promised. */
function readData(response: unknown): unknown {
  const data = readField(response, 'data');
  if (!Array.isArray(data)) return undefined;
  const place = (item: unknown) => Number(readField(item, 'index') ?? 0);
  return data
    .toSorted((one, other) => place(one) - place(other))
    .map((item: unknown) => readField(item, 'embedding'));
}

const whenSet = (name: string, dimensions: number | null) =>
  dimensions === null ? {} : { [name]: dimensions };

/** The request forms of the providers, from their API references. */
const DIALECTS: Readonly<Record<EmbeddingApiName, Dialect>> = {
  /** https://platform.openai.com/docs/api-reference/embeddings: 2,048 texts with 300,000 tokens. */
  openai: {
    maxTexts: 256,
    path: () => '/embeddings',
    // Other servers than OpenAI's reject the number of dimensions, and return floats at best.
    body: ({ model, texts, dimensions, isOriginal }) => ({
      ...{ model, input: texts },
      ...(isOriginal
        ? { encoding_format: 'base64', ...whenSet('dimensions', dimensions) }
        : { encoding_format: 'float' }),
    }),
    read: readData,
  },
  /** https://github.com/ollama/ollama/blob/main/docs/api.md: the model's own template is not applied. */
  ollama: {
    maxTexts: 64,
    path: () => '/api/embed',
    body: ({ model, texts }) => ({ model, input: texts, truncate: true }),
    read: (response) => readField(response, 'embeddings'),
  },
  /** https://ai.google.dev/api/embeddings: 100 requests in a batch. */
  google: {
    maxTexts: 100,
    keyHeader: 'x-goog-api-key',
    path: (model) => `/v1beta/models/${encodeURIComponent(model)}:batchEmbedContents`,
    body: ({ model, texts, purpose, dimensions }) => ({
      requests: texts.map((text) => ({
        model: `models/${model}`,
        content: { parts: [{ text }] },
        taskType: purpose === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT',
        ...whenSet('outputDimensionality', dimensions),
      })),
    }),
    read: (response) => {
      const embeddings = readField(response, 'embeddings');
      return Array.isArray(embeddings)
        ? embeddings.map((one: unknown) => readField(one, 'values'))
        : undefined;
    },
  },
  /** https://docs.mistral.ai/api: 16,384 tokens in a request. */
  mistral: {
    maxTexts: 32,
    path: () => '/v1/embeddings',
    body: ({ model, texts, dimensions }) => ({
      ...{ model, input: texts },
      ...whenSet('output_dimension', dimensions),
    }),
    read: readData,
  },
  /** https://docs.cohere.com/reference/embed: 96 texts. */
  cohere: {
    maxTexts: 96,
    path: () => '/embed',
    body: ({ model, texts, purpose, dimensions }) => ({
      ...{ model, texts },
      input_type: purpose === 'query' ? 'search_query' : 'search_document',
      embedding_types: ['float'],
      ...whenSet('output_dimension', dimensions),
    }),
    read: (response) => readField(readField(response, 'embeddings'), 'float'),
  },
  /** https://docs.voyageai.com/reference/embeddings-api: 1,000 texts with 120,000 tokens for the large models. */
  voyage: {
    maxTexts: 128,
    path: () => '/embeddings',
    body: ({ model, texts, purpose, dimensions }) => ({
      ...{ model, input: texts, truncation: true },
      input_type: purpose === 'query' ? 'query' : 'document',
      ...whenSet('output_dimension', dimensions),
    }),
    read: readData,
  },
  /** https://jina.ai/embeddings: version 2 knows no tasks. */
  jina: {
    maxTexts: 128,
    path: () => '/embeddings',
    body: ({ model, texts, purpose, dimensions }) => ({
      ...{ model, input: texts },
      ...(!model.includes('-v2-') && {
        task: purpose === 'query' ? 'retrieval.query' : 'retrieval.passage',
        truncate: true,
      }),
      ...whenSet('dimensions', dimensions),
    }),
    read: readData,
  },
  /** https://huggingface.github.io/text-embeddings-inference: 32 texts, unless `--max-client-batch-size` says more. */
  tei: {
    maxTexts: 32,
    path: () => '/embed',
    body: ({ texts }) => ({ inputs: texts, truncate: true, normalize: true }),
    read: (response) => response,
  },
  /** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html, with an API key. */
  bedrock: {
    maxTexts: 1,
    path: bedrockPath,
    body: ({ texts: [inputText], dimensions }) => ({
      ...{ inputText, normalize: true },
      ...whenSet('dimensions', dimensions),
    }),
    read: (response) => [readField(response, 'embedding')],
  },
};

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed.html: 96 texts of 2,048 characters. */
const COHERE_ON_BEDROCK: Dialect = {
  maxTexts: 96,
  path: bedrockPath,
  body: ({ texts, purpose }) => ({
    texts: texts.map((text) => text.slice(0, 2_048)),
    input_type: purpose === 'query' ? 'search_query' : 'search_document',
    truncate: 'END',
    embedding_types: ['float'],
  }),
  read: (response) =>
    readField(readField(response, 'embeddings'), 'float') ?? readField(response, 'embeddings'),
};

/** On Bedrock, each maker's models have a form of their own. */
export function selectDialect(api: EmbeddingApiName, model: string): Dialect {
  return api === 'bedrock' && model.includes('cohere.') ? COHERE_ON_BEDROCK : DIALECTS[api];
}

function bedrockPath(model: string): string {
  return `/model/${encodeURIComponent(model)}/invoke`;
}
