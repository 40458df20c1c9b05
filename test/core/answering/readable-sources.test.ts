import { expect, test } from 'vitest';
import { toReadableSource } from '../../../core/answering/answer.ts';

test('a source is shown without pipes and fences, and the API keeps its exact text', () => {
  const chunk = 'Prices:\n\n| To | Cost |\n| --- | --- |\n| Norway | 9 |\n\n```js\ngo();\n```';
  const source = {
    documentId: 'doc_1',
    chunkId: '1',
    title: 'Prices',
    url: null,
    headings: [],
    changedAt: null,
    place: null,
    chunk,
    score: 1,
  };
  expect(toReadableSource(source)).toEqual({ ...source, chunk: 'Prices:\n\nTo: Norway; Cost: 9\n\ngo();' });
  expect(source.chunk).toBe(chunk);
});
