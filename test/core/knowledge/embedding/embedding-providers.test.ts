import { createServer, type IncomingHttpHeaders } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../../../core/config/config.ts';
import { parseModelChoice } from '../../../../core/config/model-choice.ts';
import { openRemoteEmbedder } from '../../../../core/knowledge/embedding/remote-embedder.ts';
import { embeddingSettings } from '../../../../core/models/provider-settings.ts';

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

interface Reply {
  readonly status?: number;
  readonly body: unknown;
}

const received: Received[] = [];
/** The server's replies; it repeats the last one. */
let replies: Reply[] = [];
const server = createServer(async (request, response) => {
  received.push({ path: request.url ?? '', headers: request.headers, body: await json(request) });
  const { status = 200, body } = (replies.length > 1 ? replies.shift() : replies[0]) ?? { body: {} };
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' });
  response.end(JSON.stringify(body));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  received.length = 0;
});

const log = { warn: () => {} };
const open = (name: string, environment: Record<string, string>, dimensions?: number) => {
  const choice = parseModelChoice(name);
  const config = readConfig({ EMBEDDING_MODEL: name, ...environment });
  const settings = choice === null ? null : embeddingSettings(config, choice);
  if (choice === null || settings === null) throw new TypeError(`${name} is not configured`);
  return openRemoteEmbedder({ choice, settings, log, ...(dimensions !== undefined && { dimensions }) });
};

const data = {
  data: [
    { index: 1, embedding: [0, 3] },
    { index: 0, embedding: [4, 0] },
  ],
};
const one = { data: [{ index: 0, embedding: [4, 0] }] };

interface Provider {
  readonly name: string;
  readonly environment: Record<string, string>;
  /** The API's response for one text, and for two. */
  readonly one: unknown;
  readonly two: unknown;
  readonly path: string;
  readonly header: readonly [string, string];
  /** The response for the passages `first` and `second`. */
  readonly passages: unknown;
  /** The response for the question `why`. */
  readonly question: unknown;
}

const providers: readonly Provider[] = [
  {
    name: 'openai:text-embedding-3-small',
    environment: { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${base}/v1` },
    ...{ one, two: data, path: '/v1/embeddings', header: ['authorization', 'Bearer k'] },
    passages: { model: 'text-embedding-3-small', input: ['first', 'second'], encoding_format: 'base64' },
    question: { model: 'text-embedding-3-small', input: ['why'], encoding_format: 'base64' },
  },
  {
    name: 'azure_openai:our-embedder',
    environment: {
      AZURE_OPENAI_ENDPOINT: base,
      AZURE_OPENAI_API_KEY: 'k',
      AZURE_OPENAI_API_VERSION: '2024-10-21',
    },
    ...{ one, two: data, path: '/openai/deployments/our-embedder/embeddings?api-version=2024-10-21' },
    header: ['api-key', 'k'],
    passages: { model: 'our-embedder', input: ['first', 'second'], encoding_format: 'base64' },
    question: { model: 'our-embedder', input: ['why'], encoding_format: 'base64' },
  },
  {
    name: 'lab:intfloat/multilingual-e5-large',
    environment: { OPENAI_COMPATIBLE_BASE_URL_LAB: `${base}/v1`, OPENAI_COMPATIBLE_API_KEY_LAB: 'k' },
    ...{ one, two: data, path: '/v1/embeddings', header: ['authorization', 'Bearer k'] },
    passages: {
      model: 'intfloat/multilingual-e5-large',
      input: ['passage: first', 'passage: second'],
      encoding_format: 'float',
    },
    question: { model: 'intfloat/multilingual-e5-large', input: ['query: why'], encoding_format: 'float' },
  },
  {
    name: 'ollama:nomic-embed-text:v1.5',
    environment: { OLLAMA_BASE_URL: base },
    ...{
      one: { embeddings: [[4, 0]] },
      two: {
        embeddings: [
          [4, 0],
          [0, 3],
        ],
      },
      path: '/api/embed',
    },
    header: ['content-type', 'application/json'],
    passages: {
      model: 'nomic-embed-text:v1.5',
      input: ['search_document: first', 'search_document: second'],
      truncate: true,
    },
    question: { model: 'nomic-embed-text:v1.5', input: ['search_query: why'], truncate: true },
  },
  {
    name: 'google:gemini-embedding-001',
    environment: { GOOGLE_API_KEY: 'k', GOOGLE_BASE_URL: base },
    one: { embeddings: [{ values: [4, 0] }] },
    two: { embeddings: [{ values: [4, 0] }, { values: [0, 3] }] },
    path: '/v1beta/models/gemini-embedding-001:batchEmbedContents',
    header: ['x-goog-api-key', 'k'],
    passages: {
      requests: ['first', 'second'].map((text) => ({
        ...{ model: 'models/gemini-embedding-001', content: { parts: [{ text }] } },
        ...{ taskType: 'RETRIEVAL_DOCUMENT', outputDimensionality: 1_536 },
      })),
    },
    question: {
      requests: [
        {
          ...{ model: 'models/gemini-embedding-001', content: { parts: [{ text: 'why' }] } },
          ...{ taskType: 'RETRIEVAL_QUERY', outputDimensionality: 1_536 },
        },
      ],
    },
  },
  {
    name: 'mistral:mistral-embed',
    environment: { MISTRAL_API_KEY: 'k', MISTRAL_BASE_URL: base },
    ...{ one, two: data, path: '/v1/embeddings', header: ['authorization', 'Bearer k'] },
    passages: { model: 'mistral-embed', input: ['first', 'second'] },
    question: { model: 'mistral-embed', input: ['why'] },
  },
  {
    name: 'cohere:embed-v4.0',
    environment: { COHERE_API_KEY: 'k', COHERE_BASE_URL: `${base}/v2` },
    one: { id: 'x', embeddings: { float: [[4, 0]] }, texts: ['why'] },
    two: {
      id: 'x',
      embeddings: {
        float: [
          [4, 0],
          [0, 3],
        ],
      },
      texts: ['first', 'second'],
    },
    ...{ path: '/v2/embed', header: ['authorization', 'Bearer k'] },
    passages: {
      ...{ model: 'embed-v4.0', texts: ['first', 'second'], input_type: 'search_document' },
      embedding_types: ['float'],
    },
    question: { model: 'embed-v4.0', texts: ['why'], input_type: 'search_query', embedding_types: ['float'] },
  },
  {
    name: 'voyage:voyage-3.5',
    environment: { VOYAGE_API_KEY: 'k', VOYAGE_BASE_URL: `${base}/v1` },
    ...{ one, two: data, path: '/v1/embeddings', header: ['authorization', 'Bearer k'] },
    passages: { model: 'voyage-3.5', input: ['first', 'second'], input_type: 'document', truncation: true },
    question: { model: 'voyage-3.5', input: ['why'], input_type: 'query', truncation: true },
  },
  {
    name: 'jina:jina-embeddings-v3',
    environment: { JINA_API_KEY: 'k', JINA_BASE_URL: `${base}/v1` },
    ...{ one, two: data, path: '/v1/embeddings', header: ['authorization', 'Bearer k'] },
    passages: {
      ...{
        model: 'jina-embeddings-v3',
        input: ['first', 'second'],
        task: 'retrieval.passage',
        truncate: true,
      },
    },
    question: { model: 'jina-embeddings-v3', input: ['why'], task: 'retrieval.query', truncate: true },
  },
  {
    name: 'tei:BAAI/bge-large-en-v1.5',
    environment: { TEI_BASE_URL: base, TEI_API_KEY: 'k' },
    ...{
      one: [[4, 0]],
      two: [
        [4, 0],
        [0, 3],
      ],
      path: '/embed',
      header: ['authorization', 'Bearer k'],
    },
    passages: { inputs: ['first', 'second'], truncate: true, normalize: true },
    question: {
      inputs: ['Represent this sentence for searching relevant passages: why'],
      ...{ truncate: true, normalize: true },
    },
  },
  {
    name: 'bedrock:cohere.embed-multilingual-v3',
    environment: { BEDROCK_API_KEY: 'k', BEDROCK_BASE_URL: base },
    one: { embeddings: { float: [[4, 0]] } },
    two: {
      embeddings: [
        [4, 0],
        [0, 3],
      ],
    },
    ...{ path: '/model/cohere.embed-multilingual-v3/invoke', header: ['authorization', 'Bearer k'] },
    passages: {
      ...{ texts: ['first', 'second'], input_type: 'search_document', truncate: 'END' },
      embedding_types: ['float'],
    },
    question: { texts: ['why'], input_type: 'search_query', truncate: 'END', embedding_types: ['float'] },
  },
];

test.each(providers)('$name gets questions and passages in its own form', async (provider) => {
  replies = [{ body: provider.one }];
  const embedder = await open(provider.name, provider.environment);
  replies = [{ body: provider.two }];
  expect(await embedder.embedPassages(['first', 'second'])).toEqual([
    Float32Array.of(1, 0),
    Float32Array.of(0, 1),
  ]);
  replies = [{ body: provider.one }];
  expect(await embedder.embedQuery('why')).toEqual(Float32Array.of(1, 0));
  const [, passages, question] = received;
  expect([passages?.path, question?.path]).toEqual([provider.path, provider.path]);
  expect(passages?.headers[provider.header[0]]).toBe(provider.header[1]);
  expect([passages?.body, question?.body]).toEqual([provider.passages, provider.question]);
});

test('Titan on Bedrock gets one text in a request', async () => {
  replies = [{ body: { embedding: [4, 0], inputTextTokenCount: 1 } }];
  const embedder = await open('bedrock:amazon.titan-embed-text-v2:0', {
    ...{ BEDROCK_API_KEY: 'k', BEDROCK_BASE_URL: base },
  });
  expect(await embedder.embedPassages(['first', 'second'])).toHaveLength(2);
  expect(received.slice(1).map(({ path, body }) => [path, body])).toEqual(
    ['first', 'second'].map((inputText) => [
      '/model/amazon.titan-embed-text-v2%3A0/invoke',
      { inputText, normalize: true, dimensions: 1_024 },
    ]),
  );
});

describe('a provider that goes wrong', () => {
  const openTei = (dimensions?: number) => open('tei:any', { TEI_BASE_URL: base }, dimensions);

  test('more texts than fit into a request are sent in several', async () => {
    replies = [{ body: [[1, 0]] }];
    const embedder = await openTei();
    replies = [
      { body: Array.from({ length: 32 }, () => [1, 0]) },
      { body: Array.from({ length: 8 }, () => [0, 1]) },
    ];
    const vectors = await embedder.embedPassages(Array.from({ length: 40 }, (_, index) => `text ${index}`));
    expect(vectors.map(([first]) => first)).toEqual([...Array(32).fill(1), ...Array(8).fill(0)]);
    replies = [{ body: [[1, 0]] }];
    received.length = 0;
    await embedder.embedPassages(
      ['long '.repeat(4_000), 'long '.repeat(4_000), 'long '.repeat(4_000)].slice(0, 1),
    );
    expect(received).toHaveLength(1);
  });

  test('a rate limit is waited for', async () => {
    replies = [{ body: [[1, 0]] }];
    const embedder = await openTei();
    replies = [{ status: 429, body: { error: 'Model is overloaded' } }, { body: [[1, 0]] }];
    expect(await embedder.embedPassages(['first'])).toHaveLength(1);
    expect(received).toHaveLength(3);
  });

  test('a wrong key fails questions at once', async () => {
    replies = [{ status: 401, body: { error: 'no' } }];
    const embedder = await openTei();
    await expect(embedder.embedQuery('why')).rejects.toMatchObject({ code: 'provider_down' });
    expect(embedder.dimensions).toBe(0);
  });

  test.each([
    { fault: 'too few vectors', body: [], message: 'returned 0 vectors for 1 texts' },
    { fault: 'a number that is none', body: [[1, null]], message: 'not finite' },
    { fault: 'an empty vector', body: [[]], message: 'empty' },
  ])('$fault stop the start with a line', async ({ body, message }) => {
    replies = [{ body }];
    await expect(openTei()).rejects.toThrow(message);
  });

  test('a response without vectors counts as a failure of the provider', async () => {
    replies = [{ body: [[1, 0]] }];
    const embedder = await openTei();
    replies = [{ body: { message: 'hello' } }];
    await expect(embedder.embedQuery('why')).rejects.toMatchObject({ code: 'model_provider_error' });
  });
});

test('a provider without its key stops the start with a line', () => {
  expect(() => readConfig({ EMBEDDING_MODEL: 'voyage:voyage-3.5' })).toThrow('VOYAGE_API_KEY is not set');
  expect(() => readConfig({ EMBEDDING_MODEL: 'bedrock:x' })).toThrow('BEDROCK_BASE_URL is not set');
  expect(() => readConfig({ EMBEDDING_MODEL: 'anthropic:x', ANTHROPIC_API_KEY: 'k' })).toThrow(
    'EMBEDDING_MODEL has the invalid value',
  );
});
