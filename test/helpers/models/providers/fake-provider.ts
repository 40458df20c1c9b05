import { LLMock } from '@copilotkit/aimock';
import { afterAll } from 'vitest';

/** The passages of a shop in the shape that a writer gets. */
export const shopPassages = [
  {
    chunkId: 'chunk_delivery',
    documentId: 'doc_delivery',
    title: 'Delivery',
    url: null,
    headings: [],
    text: 'Parcels arrive within three working days. Express delivery costs 9.50 euros.',
    score: 0.9,
  },
  {
    chunkId: 'chunk_returns',
    documentId: 'doc_returns',
    title: 'Returns',
    url: null,
    headings: [],
    text: 'You may return unused tools within 30 days.',
    score: 0.8,
  },
];

/** The rate is slow enough that a stream that is cut has begun. */
const streamingProfile = { ttft: 1, tps: 1_000 };
const chunkSize = 8;
/** Its pieces come one by one, also if the reader is slow. */
export const unhurried = { chunkSize, streamingProfile: { ttft: 1, tps: 20 } } as const;

/**
 * A provider of language models on a port of its own, that speaks all their dialects. The name of the model selects
 * its behaviour; `says` holds its texts, by model.
 */
export async function startFakeProvider(says: Readonly<Record<string, string>> = {}) {
  const mock = new LLMock({ port: 0, host: '127.0.0.1', strict: true });
  for (const [model, content] of Object.entries(says)) mock.on({ model }, { content }, { chunkSize });
  const long = {
    content: 'Parcels arrive within three working days [1]. Express delivery costs 9.50 euros [1].',
  };
  mock.on({ model: 'limited' }, { error: { message: 'slow down' }, status: 429, retryAfter: 60 });
  mock.on({ model: 'broken' }, { error: { message: 'out of order' }, status: 500 });
  mock.on({ model: 'locked' }, { error: { message: 'no such key: the-secret-key' }, status: 401 });
  mock.on({ model: 'garbled' }, long, { chaos: { malformedRate: 1 } });
  mock.on({ model: 'cut-at-once' }, long, { chaos: { disconnectRate: 1 } });
  mock.on({ model: 'cut-midway' }, long, { chunkSize, truncateAfterChunks: 4, streamingProfile });
  await mock.start();
  afterAll(() => mock.stop());
  return {
    mock,
    /** Returns the models that were asked, in order. */
    asked: () =>
      mock.getRequests().map(({ body }) => (body !== null && 'model' in body ? body.model : undefined)),
    environment: {
      OPENAI_API_KEY: 'the-secret-key',
      OPENAI_BASE_URL: `${mock.url}/v1`,
      ANTHROPIC_API_KEY: 'the-secret-key',
      ANTHROPIC_BASE_URL: mock.url,
    },
  };
}
