import { describe, expect, test } from 'vitest';
import type { UsablePassage } from '../../../../core/answering/answer.ts';
import { gatherSection, sectionText } from '../../../../core/answering/extractive/section.ts';

interface Given {
  readonly ordinal: number;
  readonly body: string;
  readonly heading?: string;
  readonly document?: string;
}

function passage({ ordinal, body, heading = 'Returns', document = 'doc_1' }: Given): UsablePassage {
  return {
    ...{ chunkId: `${document} ${ordinal}`, documentId: document, ordinal, body, headings: [heading] },
    ...{ title: 'Help', url: null, place: null, bm25: 0, cosine: null, unitCosines: null, score: 0.5 },
    parts: { bm25: 0, coverage: 0, exact: 0, pairs: 0, cosine: 0, sentence: 0, fused: 0, lead: 0 },
  };
}

function section(hit: number, given: readonly Given[]): string {
  const ranked = given.map(passage);
  const found = ranked.find(({ ordinal }) => ordinal === hit);
  return found === undefined ? '' : sectionText(gatherSection(found, ranked));
}

describe('a section', () => {
  test('joins the neighbours under the same heading in reading order, whatever their rank', () => {
    const given = [
      { ordinal: 2, body: 'Second.' },
      { ordinal: 1, body: 'First.' },
      { ordinal: 3, body: 'Third.' },
    ];
    expect(section(2, given)).toBe('First.\n\nSecond.\n\nThird.');
  });

  test.each([
    ['another heading', { ordinal: 2, body: 'Other.', heading: 'Delivery' }],
    ['another document', { ordinal: 2, body: 'Other.', document: 'doc_2' }],
    ['a passage further down', { ordinal: 3, body: 'Other.' }],
  ])('ends before %s', (_, other) => {
    expect(section(1, [{ ordinal: 1, body: 'Own.' }, other])).toBe('Own.');
  });

  test('stays below 900 characters, but shows the passage that was found whole', () => {
    const long = 'a'.repeat(1_000);
    const more = { ordinal: 2, body: 'More.' };
    expect(section(1, [{ ordinal: 1, body: long }, more])).toBe(long);
    const halves = { one: 'a'.repeat(500), other: 'b'.repeat(500) };
    const given = [
      { ordinal: 1, body: halves.one },
      { ordinal: 2, body: halves.other },
    ];
    expect(section(1, given)).toBe(halves.one);
  });

  test('completes a list that was cut, beyond that length', () => {
    const start = `You need:\n${'- a thing that is needed\n'.repeat(40).trimEnd()}`;
    const rest = '- the last thing\n- the receipt';
    const given = [
      { ordinal: 1, body: start },
      { ordinal: 2, body: rest },
    ];
    expect(section(2, given)).toBe(`${start}\n${rest}`);
  });

  test('shows the header of a table that was cut once', () => {
    const header = '| Plan | Price |\n| --- | --- |';
    const given = [
      { ordinal: 1, body: `${header}\n| Meadow | €9 |` },
      { ordinal: 2, body: `${header}\n| Forest | €19 |` },
    ];
    expect(section(1, given)).toBe(`${header}\n| Meadow | €9 |\n| Forest | €19 |`);
  });
});
