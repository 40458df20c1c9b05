import { expect, test } from 'vitest';
import { joinPlaces, type Place, placeLabel, placeUrl } from '../../../core/contract/answer.ts';

const page = (from: number, to = from): Place => ({ kind: 'page', from, to });
const rows = (sheet: string | null, from: number, to = from): Place => ({ kind: 'rows', sheet, from, to });

test.each([
  [page(112), 'en', 'page 112'],
  [page(112, 113), 'en', 'pages 112–113'],
  [page(112), 'de', 'Seite 112'],
  [{ kind: 'slide', from: 3, to: 3 } as const, 'de', 'Folie 3'],
  [rows('Fees', 7), 'en', 'Fees, row 7'],
  [rows(null, 7, 9), 'fr', 'rows 7–9'],
])('%j is in the language %s: %s', (place, language, label) => {
  expect(placeLabel(place, language)).toBe(label);
});

test('neighbours have one place, from the first to the last', () => {
  expect(joinPlaces(page(3), page(4))).toEqual(page(3, 4));
  expect(joinPlaces(rows('Fees', 7, 8), rows('Fees', 9))).toEqual(rows('Fees', 7, 9));
  expect(joinPlaces(null, page(4))).toEqual(page(4));
});

test('rows of another sheet do not change the place', () => {
  expect(joinPlaces(rows('Fees', 7), rows('Hours', 1))).toEqual(rows('Fees', 7));
});

test.each([
  [page(112), 'https://acme.example/manual.pdf', 'https://acme.example/manual.pdf#page=112'],
  [page(112), 'https://acme.example/manual.pdf#fees', 'https://acme.example/manual.pdf#fees'],
  [rows('Fees', 7), 'https://acme.example/fees.xlsx', 'https://acme.example/fees.xlsx'],
  [null, 'https://acme.example/', 'https://acme.example/'],
  [page(112), null, null],
])('%j in %s is linked as %s', (place, url, link) => {
  expect(placeUrl(place, url)).toBe(link);
});
