import { describe, expect, it, vi } from 'vitest';
import type { Embedder } from '../../../../core/knowledge/embedding/embedder.ts';
import { EmbeddingError } from '../../../../core/knowledge/embedding/embedder.ts';
import { withQueryCache } from '../../../../core/knowledge/embedding/open-embedder.ts';

const embedderWith = (embedQuery: Embedder['embedQuery']): Embedder => ({
  model: 'fake',
  dimensions: 1,
  engine: 'remote',
  embedQuery,
  embedPassages: async (texts) => texts.map((text) => Float32Array.of(text.length)),
  check: async () => void (await embedQuery('checked')),
  close: async () => {},
});

describe('withQueryCache', () => {
  it('forwards every check to the embedder', async () => {
    const embedQuery = vi.fn(async () => Float32Array.of(1));
    const embedder = withQueryCache(embedderWith(embedQuery));
    await embedder.check();
    await embedder.check();
    expect(embedQuery).toHaveBeenCalledTimes(2);
  });

  it('embeds a question once, even while the first call is running', async () => {
    const embedQuery = vi.fn(async (text: string) => Float32Array.of(text.length));
    const embedder = withQueryCache(embedderWith(embedQuery));
    const vectors = await Promise.all([embedder.embedQuery('same'), embedder.embedQuery('same')]);
    vectors.push(await embedder.embedQuery('same'));
    expect(vectors).toEqual([Float32Array.of(4), Float32Array.of(4), Float32Array.of(4)]);
    expect(embedQuery).toHaveBeenCalledTimes(1);
  });

  it('does not cache a failure', async () => {
    const embedQuery = vi.fn(async () => Float32Array.of(1));
    embedQuery.mockRejectedValueOnce(new EmbeddingError('not now'));
    const embedder = withQueryCache(embedderWith(embedQuery));
    await expect(embedder.embedQuery('same')).rejects.toThrow('not now');
    await expect(embedder.embedQuery('same')).resolves.toEqual(Float32Array.of(1));
  });

  it('evicts the oldest question after a thousand others', async () => {
    const embedQuery = vi.fn(async () => Float32Array.of(1));
    const embedder = withQueryCache(embedderWith(embedQuery));
    for (let question = 0; question <= 1000; question++) await embedder.embedQuery(`question ${question}`);
    await embedder.embedQuery('question 1000');
    expect(embedQuery).toHaveBeenCalledTimes(1001);
    await embedder.embedQuery('question 0');
    expect(embedQuery).toHaveBeenCalledTimes(1002);
  });
});
