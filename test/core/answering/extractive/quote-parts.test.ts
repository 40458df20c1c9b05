import { describe, expect, test } from 'vitest';
import type { FoundPart } from '../../../../core/answering/asked.ts';
import { quoteParts } from '../../../../core/answering/extractive/quote-parts.ts';
import { GARDEN_SHOP } from '../../../helpers/stores/knowledge/garden-shop.ts';
import { type SmallPassage, searchSmallIndex } from '../../../helpers/stores/knowledge/small-index.ts';

const tiers = { answer: 0.4, maybe: 0.25 };

/** Searches for a question; the best passage gets the score, all others none. */
function find(text: string, score: number, passages: readonly SmallPassage[] = GARDEN_SHOP): FoundPart {
  const { question, statistics, ranked } = searchSmallIndex(text, passages);
  const usable = ranked.map((one, place) => ({
    ...one,
    ...{ title: one.title ?? '', url: null, place: null, score: place === 0 ? score : 0 },
  }));
  return { text, label: text, found: { question, statistics, ranked: usable }, compared: [] };
}

const quote = (...parts: readonly FoundPart[]) => quoteParts(parts, { topK: 5, tiers });

const library: SmallPassage = {
  id: 'library',
  body: [
    'The library stands beside the town hall and has been there since the fire in the old market.',
    'It is open from Tuesday to Saturday, and the reading room has forty seats with a lamp each.',
    'Printing costs 15 cents a page in black and 50 cents in colour, and is paid for with the card.',
    'Children under twelve need a grown-up with them in the evening.',
  ].join(' '),
};

describe('a question is answered with the section of the best passage', () => {
  test('whole, in the words of the document', () => {
    const { text, tier, sources } = quote(find('What does sharpening shears cost?', 0.6));
    const body = GARDEN_SHOP.find(({ id }) => id === sources[0]?.chunkId)?.body;
    expect(text).toContain(body);
    expect(text).toContain('14 euros');
    expect(tier).toBe('answer');
  });

  test('after the unit that answers in bold, if it is long', () => {
    const { text, lead } = quote(find('How much is printing in colour?', 0.6, [library]));
    expect(lead).toMatch(/^Printing costs 15 cents.*with the card\.$/u);
    expect(text).toBe(`**${lead}**\n\n${library.body}`);
  });

  test('with that unit in bold where it stands, if it is the first', () => {
    const { text } = quote(find('Where is the library beside the town hall?', 0.6, [library]));
    expect(text.startsWith('**The library stands')).toBe(true);
    expect(text.replaceAll('**', '')).toBe(library.body);
  });

  test('and with the next section, if it is nearly as good', () => {
    const part = find('How long is express delivery?', 0.6);
    const near = part.found.ranked.map((one, place) => ({ ...one, score: place < 2 ? 0.6 : 0 }));
    const both = quote({ ...part, found: { ...part.found, ranked: near } });
    expect(both.text).toContain(near[0]?.body);
    expect(both.text).toContain(near[1]?.body);
    expect(quote(part).text).not.toContain(near[1]?.body);
  });

  test('whose lead never announces or asks', () => {
    const body = 'How do I change my boat reservation?\nOpen the harbour page and choose another berth.';
    expect(quote(find('How do I change my boat reservation?', 0.6, [{ id: 'faq', body }])).lead).toBe(
      'Open the harbour page and choose another berth.',
    );
  });

  test('whose lead is a table row with its labels, and a list item without its marker', () => {
    const table = { id: 'plans', body: '| Plan | Price |\n| --- | --- |\n| Meadow | €9 |\n| Forest | €19 |' };
    expect(quote(find('Price of the Forest plan?', 0.6, [table])).lead).toBe('Plan: Forest; Price: €19');
    const list = { id: 'list', body: 'You need:\n- the order number\n- the printed label' };
    expect(quote(find('Do I need the printed label?', 0.6, [list])).lead).toBe('the printed label');
  });

  test('whose lead is the unit that the reader found, whatever its words', () => {
    const part = find('How much is printing in colour?', 0.6, [library]);
    const ranked = part.found.ranked.map((one) => ({ ...one, unitShares: [0.1, 0.7, 0.1, 0.1] }));
    expect(quote({ ...part, found: { ...part.found, ranked } }).lead).toMatch(/^It is open/u);
  });
});

describe('an uncertain section', () => {
  test('says that it may be the answer, in the language of the question', () => {
    const { text, lead, tier } = quote(find('What does sharpening shears cost?', 0.3));
    expect(text).toMatch(/^I am not sure; this may be it:\n\n/u);
    expect(lead).toMatch(/^I am not sure; this may be it: \S/u);
    expect(tier).toBe('maybe');
    const german = { id: 'de', body: 'Das Schleifen einer Schere kostet 14 Euro.' };
    expect(quote(find('Was kostet das Schleifen einer Schere?', 0.3, [german])).text).toMatch(
      /^Ich bin nicht sicher; vielleicht ist es das:/u,
    );
  });

  test('is not shown below the threshold of the workspace', () => {
    expect(quote(find('What does sharpening shears cost?', 0.24))).toMatchObject({ text: '', tier: 'none' });
  });
});

describe('several questions', () => {
  const one = 'What does sharpening shears cost?';
  const other = 'Who leads the customer service?';

  test('are answered below each question, and one without an answer is named', () => {
    const { text, tier, scores } = quote(find(one, 0.6), find(other, 0.1));
    expect(text).toContain(`**${one}**\n`);
    expect(text).toContain(`**${other}**\nI found no answer to this`);
    expect({ tier, scores }).toEqual({ tier: 'answer', scores: [0.6] });
  });

  test('are unsure only if none of them is answered for certain', () => {
    expect(quote(find(one, 0.6), find(other, 0.3)).tier).toBe('answer');
    expect(quote(find(one, 0.3), find(other, 0.3)).tier).toBe('maybe');
    expect(quote(find(one, 0.1), find(other, 0.1)).tier).toBe('none');
  });

  test('are cited by the offsets of each section', () => {
    const { text, citations } = quote(find(one, 0.6), find(other, 0.3));
    const bodies = citations.map(({ start, end }) => text.slice(start, end));
    expect(bodies).toEqual(
      citations.map(({ chunkIds }) => GARDEN_SHOP.find(({ id }) => id === chunkIds[0])?.body),
    );
    expect(citations).toHaveLength(2);
  });

  test('with the same answer show it once', () => {
    const { text } = quote(find(one, 0.6), find('Sharpening shears: what does it cost?', 0.6));
    expect(text.match(/14 euros/gu)).toHaveLength(1);
  });
});
