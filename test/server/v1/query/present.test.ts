import { expect, test } from 'vitest';
import type { Source } from '../../../../core/contract/answer.ts';
import { presentSource } from '../../../../server/v1/query/present.ts';

const source: Source = {
  documentId: 'doc_1',
  chunkId: '7',
  title: 'Manual',
  url: 'https://acme.example/manual.pdf',
  headings: ['Pump'],
  changedAt: new Date('2026-03-04T05:06:07Z'),
  chunk: 'The pump stops by itself when the tank is empty, and a red lamp shows that it waits for water.',
  place: { kind: 'page', from: 112, to: 112 },
  score: 0.9,
};

test('a source names the page and the address of the page', () => {
  expect(presentSource(source).place).toEqual({
    ...{ kind: 'page', from: 112, to: 112, label: 'page 112', sheet: null },
    url: 'https://acme.example/manual.pdf#page=112',
  });
});

test('a source names its headings and when its document was changed', () => {
  expect(presentSource(source)).toMatchObject({
    headings: ['Pump'],
    changed_at: '2026-03-04T05:06:07.000Z',
  });
});

test('the place of a German passage is in German', () => {
  const chunk = 'Die Pumpe hält von selbst an, wenn der Behälter leer ist, und eine rote Lampe zeigt es an.';
  const place = { kind: 'rows', sheet: 'Teile', from: 7, to: 9 } as const;
  expect(presentSource({ ...source, chunk, place }).place).toMatchObject({
    label: 'Teile, Zeilen 7–9',
    sheet: 'Teile',
    url: 'https://acme.example/manual.pdf',
  });
});
