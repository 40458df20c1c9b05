import { expect, it, vi } from 'vitest';
import type { PassageReader } from '../../../../core/knowledge/passage-reader/passage-reader.ts';
import { searchRules } from '../../../../core/knowledge/rules.ts';
import { rerankPassages, type SearchResult } from '../../../../core/knowledge/search.ts';
import { searchSmallIndex } from '../../../helpers/stores/knowledge/small-index.ts';

/** Two passages in doubt, of which the second answers. */
function findDelivery(): SearchResult {
  const { question, statistics, ranked } = searchSmallIndex('How long does delivery take?', [
    { id: 'cost', body: 'Delivery costs five pounds.', cosine: 0.3 },
    { id: 'time', body: 'Orders arrive after two days.', cosine: 0.3 },
  ]);
  return {
    question,
    statistics,
    ranked: ranked.map((passage) => ({ ...passage, title: 'Shop', url: null, place: null, score: 0.3 })),
  };
}

function openReaders() {
  const read = vi.fn<PassageReader['read']>(async (_, passages) =>
    passages.map(({ body }) => ({ relevance: body.includes('days') ? 6 : -6, unitShares: [1] })),
  );
  return { read, passageReader: { read } };
}

const idsOf = ({ ranked }: SearchResult) => ranked.map(({ chunkId }) => chunkId);

it('orders passages in doubt by what the reader says, with its scores', async () => {
  const { read, passageReader } = openReaders();
  const { signal } = new AbortController();
  const ordered = await rerankPassages({ passageReader }, findDelivery(), { signal });
  expect(idsOf(ordered)).toEqual(['time', 'cost']);
  expect(ordered.ranked[0]).toMatchObject({ unitShares: [1] });
  expect(ordered.ranked[0]?.score).toBeGreaterThan(ordered.ranked[1]?.score ?? 1);
  const options = { signal, deadlineMs: searchRules.readerDeadlineMs };
  expect(read).toHaveBeenCalledExactlyOnceWith('How long does delivery take?', expect.anything(), options);
});

it('does not read what a language model or a reranker reads', async () => {
  const { read, passageReader } = openReaders();
  const found = findDelivery();
  expect(await rerankPassages({ passageReader }, found, { hasWriter: true })).toBe(found);
  const reranker = { order: async <Item>(_: string, ranked: readonly Item[]) => ranked.toReversed() };
  expect(idsOf(await rerankPassages({ passageReader, reranker }, found))).toEqual(idsOf(found).toReversed());
  expect(read).not.toHaveBeenCalled();
});

it('keeps the order without a reader, and if nothing was read', async () => {
  const found = findDelivery();
  expect(await rerankPassages({}, found)).toBe(found);
  const late: PassageReader = { read: async (_, passages) => passages.map(() => null) };
  expect((await rerankPassages({ passageReader: late }, found)).ranked).toEqual(found.ranked);
});
