import { expect, test } from 'vitest';
import type { CorpusScope } from '../../../../core/knowledge/corpus/corpus.ts';
import { selectTopPassages } from '../../../../core/knowledge/corpus/search-corpus.ts';

function measured(name: string, promises: readonly number[]) {
  const passages = promises.map((_, ordinal) => ({
    ...{ chunkId: `${name}${ordinal}`, documentId: 'doc_1', ordinal, title: name, url: null, place: null },
    ...{ headings: [], body: '', sentences: null, changedAt: new Date(0) },
  }));
  const scope: CorpusScope = {
    ...{ audience: [], passages, termCount: 0, postings: new Map() },
    ...{ lengths: new Uint16Array(promises.length), vectors: new Float32Array() },
  };
  const promise = Float64Array.from(promises);
  return { scope, promise, bm25: promise.map((value) => 10 * value), cosine: promise };
}

const idsOf = (found: readonly { readonly chunkId: string }[]) => found.map(({ chunkId }) => chunkId);

test('returns the best passages of all scopes first, up to the limit', () => {
  const scopes = [measured('a', [0.1, 0.9, -0.2]), measured('b', [0.5, 0.95])];
  expect(idsOf(selectTopPassages(scopes, 3))).toEqual(['b1', 'a1', 'b0']);
  expect(selectTopPassages(scopes, 1)).toEqual([
    expect.objectContaining({ chunkId: 'b1', bm25: 9.5, cosine: 0.95 }),
  ]);
});

test('returns all passages below the limit, and none for an empty scope', () => {
  expect(idsOf(selectTopPassages([measured('a', [-0.5, 0])], 40))).toEqual(['a1', 'a0']);
  expect(selectTopPassages([], 40)).toEqual([]);
});

test('returns the earlier of equally promising passages', () => {
  expect(idsOf(selectTopPassages([measured('a', [1, 1, 1]), measured('b', [1])], 2))).toEqual(['a0', 'a1']);
});
