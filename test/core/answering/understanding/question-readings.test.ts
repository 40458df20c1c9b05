import { describe, expect, test } from 'vitest';
import { createReadings } from '../../../../core/answering/understanding/search-readings.ts';

const jacket = [{ question: 'How do I return a jacket?', answer: 'By mail.' }];

/** The readings in their order, and after which of them the model was asked; null where it never was. */
async function read(text: string, { rewritten = null as string | null, earlierTurns = jacket } = {}) {
  const readings: (string | null)[] = [];
  let askedAfter: number | null = null;
  const { first, others } = await createReadings({ text, earlierTurns }, async () => {
    askedAfter = readings.length;
    return rewritten;
  });
  readings.push(first);
  for (const other of others) readings.push(await other());
  return { readings, askedAfter };
}

describe('a follow-up', () => {
  const followUp = 'how long does that take?';

  test('is read by the model first', async () => {
    const rewritten = 'how long does the return of a jacket take?';
    expect(await read(followUp, { rewritten })).toEqual({
      readings: [rewritten, `${followUp} return jacket`, followUp],
      askedAfter: 0,
    });
  });

  test('is read by its words where no model helps', async () => {
    const { readings } = await read(followUp);
    expect(readings[0]).toBe(`${followUp} return jacket`);
  });
});

describe('a question that stands alone', () => {
  const alone = 'How do I reset my password?';

  test('is read by the model only after it was searched for as it is', async () => {
    expect(await read(alone, { rewritten: 'password?' })).toEqual({
      readings: [alone, 'password?'],
      askedAfter: 1,
    });
  });

  test('that begins a conversation is never read by the model', async () => {
    expect(await read(alone, { rewritten: 'password?', earlierTurns: [] })).toEqual({
      readings: [alone],
      askedAfter: null,
    });
  });
});
