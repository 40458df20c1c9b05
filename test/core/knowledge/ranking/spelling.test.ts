import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../../core/knowledge/passage.ts';
import { analyseQuestion } from '../../../../core/knowledge/ranking/analyse-question.ts';
import { correctSpelling } from '../../../../core/knowledge/ranking/spelling.ts';
import { stemWord, termHash } from '../../../../core/language/tokens.ts';

const PASSAGE: Candidate = {
  chunkId: '1',
  documentId: 'doc',
  ordinal: 0,
  title: 'Delivery',
  headings: [],
  body: 'Express parcels with a serial number arrive before noon. Sheep wool keeps the plants warm. Ask Meyer.',
  bm25: 0,
  cosine: null,
  unitCosines: null,
};

/** The documents hold the words of the passage and `known`. */
function correct(text: string, known: readonly string[] = []): string | null {
  const words = `${PASSAGE.body} ${known.join(' ')}`.toLowerCase().match(/\p{L}+/gu) ?? [];
  const documentFrequency = new Map(words.flatMap(stemWord).map((stem) => [termHash(stem), 1]));
  return correctSpelling(analyseQuestion(text), {
    statistics: { chunks: 1, documentFrequency },
    passages: [PASSAGE],
  });
}

describe('correctSpelling', () => {
  it.each([
    ['a swap of neighbours', 'waht is teh number of my parcels', 'what is the number of my parcels'],
    ['a missing letter', 'shoud it come befor noon', 'should it come before noon'],
    ['missing vowels', 'whn does it arrive', 'when does it arrive'],
    ['a doubled letter', 'cann you send it', 'can you send it'],
    ['a missing apostrophe', 'it doesnt arrive', "it doesn't arrive"],
  ])('replaces a misspelt small word: %s', (_, text, corrected) => {
    expect(correct(text)).toBe(corrected);
  });

  it('replaces a misspelt word of the documents and keeps the punctuation around it', () => {
    expect(correct('Is the (expres) one here, or the seriel?')).toBe(
      'Is the (express) one here, or the serial?',
    );
  });

  it.each([
    ['an English word that no document has', 'do you sell a bed for sleep'],
    ['an English word that is near a small word', 'may it go in the oven'],
    ['a code', 'what is expres7 or PS-20l'],
    ['a name with a capital inside', 'does eXpres work with iPhome'],
    ['an abbreviation', 'what is the GHO or the em dash'],
    ['an address', 'is expres@seriel.example your address'],
    ['a word that a document has', 'what is an expres parcel', 'expres'],
    ['a word with another first letter', 'what is the deriel number'],
  ])('keeps %s', (_, text, ...known) => {
    expect(correct(text, known)).toBeNull();
  });

  it('keeps a word between two small words that are as near', () => {
    expect(correct('is it thes plant')).toBeNull();
  });

  it('leaves other languages alone', () => {
    expect(correct('wie lange dauert die Lieferung von expres Paketen')).toBeNull();
  });
});
