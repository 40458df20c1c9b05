import { describe, expect, test } from 'vitest';
import { createReadings } from '../../../../core/answering/understanding/search-readings.ts';
import { searchSmallIndex } from '../../../helpers/stores/knowledge/small-index.ts';

const jacket = [{ question: 'How do I return a jacket?', answer: 'By mail.' }];

const { ranked } = searchSmallIndex('parcels', [
  { id: 'a', body: 'Parcels arrive within three working days. Delivery to Germany costs eleven pounds.' },
]);
const english = { ranked: ranked.map((passage) => ({ ...passage, title: '', url: null, place: null })) };

/** Returns the readings in order, and the index after which the model was called; null if it was not called. */
async function read(
  text: string,
  { rewritten = null as string | null, earlierTurns = jacket, found = english } = {},
) {
  const readings: (string | readonly string[] | null)[] = [];
  let askedAfter: number | null = null;
  const { first, others } = await createReadings({ text, earlierTurns }, async (_, language) => {
    askedAfter = readings.length;
    return language === null ? rewritten : `${rewritten} (${language})`;
  });
  readings.push(first);
  for (const other of others) {
    const reading = await other(found);
    if (reading !== null) readings.push(reading);
  }
  return { readings, askedAfter };
}

describe('a follow-up', () => {
  const followUp = 'how long does that take?';

  test('uses the model’s rewrite first', async () => {
    const rewritten = 'how long does the return of a jacket take?';
    expect(await read(followUp, { rewritten })).toEqual({
      readings: [rewritten, `${followUp} return jacket`, followUp],
      askedAfter: 0,
    });
  });

  test('uses its inherited words if the model does not help', async () => {
    const { readings } = await read(followUp);
    expect(readings[0]).toBe(`${followUp} return jacket`);
  });
});

describe('an independent question', () => {
  const alone = 'How do I reset my password?';

  test('is rewritten only after it was searched for unchanged', async () => {
    expect(await read(alone, { rewritten: 'password?' })).toEqual({
      readings: [alone, 'password?', `${alone} return jacket`],
      askedAfter: 1,
    });
  });

  test('is never rewritten if it starts the conversation', async () => {
    expect(await read(alone, { rewritten: 'password?', earlierTurns: [] })).toEqual({
      readings: [alone],
      askedAfter: null,
    });
  });
});

test('a question in a different language than the documents is translated after its own words found no answer', async () => {
  const german = 'Was kostet der Versand nach Deutschland?';
  expect(await read(german, { rewritten: 'How much is delivery?', earlierTurns: [] })).toEqual({
    readings: [german, 'How much is delivery? (en)'],
    askedAfter: 1,
  });
});
