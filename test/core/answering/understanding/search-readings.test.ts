import { expect, test } from 'vitest';
import { searchReadings } from '../../../../core/answering/understanding/search-readings.ts';
import { searchSmallIndex } from '../../../helpers/stores/knowledge/small-index.ts';

/** Returns the texts searched for and the final result, given the score that each text finds. */
async function searched(
  first: string,
  others: (string | null)[],
  scores: Readonly<Record<string, number>>,
  own: readonly string[] = [],
  { mayFollow = false, addsTopic = false } = {},
) {
  const asked: string[] = [];
  const { question, statistics, ranked } = searchSmallIndex('tools', [{ id: 'a', body: 'Tools.' }]);
  const [passage] = ranked;
  if (passage === undefined) throw new TypeError('nothing was found');
  const lazy = others.map((other) => Object.assign(async () => other, { addsTopic }));
  const readings = { first, others: lazy, own, mayFollow };
  const found = await searchReadings(readings, async (text) => {
    asked.push(text);
    const hit = { ...passage, title: text, url: null, place: null, score: scores[text] ?? 0 };
    return { question, statistics, ranked: [hit] };
  });
  return { asked, found: found.ranked[0]?.title };
}

test('stops at a reading that finds an answer', async () => {
  const scores = { good: 0.6, better: 0.9 };
  expect(await searched('good', ['better'], scores)).toEqual({ asked: ['good'], found: 'good' });
});

test('returns the best result if no reading finds an answer', async () => {
  const scores = { one: 0.1, two: 0.3, three: 0.2 };
  expect(await searched('one', ['two', null, 'three'], scores)).toEqual({
    asked: ['one', 'two', 'three'],
    found: 'two',
  });
});

test('adds what several phrases find, scored no higher than what the words of the visitor found', async () => {
  const phrases = Object.assign(async () => ['one', 'two'], { dropsTopic: true });
  const { question, statistics, ranked } = searchSmallIndex('tools', [{ id: 'a', body: 'Tools.' }]);
  const [passage] = ranked;
  if (passage === undefined) throw new TypeError('nothing was found');
  const scores = new Map([
    ['first', 0.1],
    ['one', 0.6],
    ['two', 0.9],
  ]);
  const find = async (text: string) => {
    const score = scores.get(text) ?? 0;
    return {
      question,
      statistics,
      ranked: [{ ...passage, chunkId: text, title: text, url: null, place: null, score }],
    };
  };
  const found = await searchReadings({ first: 'first', others: [phrases], own: [] }, find);
  expect(found.ranked.map(({ chunkId, score }) => [chunkId, score])).toEqual([
    ['first', 0.1],
    ['one', 0.1],
    ['two', 0.1],
  ]);
  const answered = await searchReadings({ first: 'two', others: [phrases], own: ['tower'] }, find);
  expect(answered.ranked).toHaveLength(1);
});

test('does not search for the same text twice', async () => {
  expect((await searched('one', ['one', 'two', 'one'], {})).asked).toEqual(['one', 'two']);
});

test('goes on from an answer that says nothing of what a message in a conversation asks', async () => {
  const scores = { 'family plan': 0.9, 'cancel a plan': 0.6 };
  const result = await searched('family plan', ['cancel a plan'], scores, ['cancel']);
  expect(result.found).toBe('cancel a plan');
});

test('keeps an answer if no other reading says more of it', async () => {
  const scores = { 'family plan': 0.9, 'a plan': 0.95 };
  expect((await searched('family plan', ['a plan', 'cancel'], scores, ['cancel'])).found).toBe('a plan');
});

test('goes on from an answer that is not clear if the message may continue the one before', async () => {
  const scores = { weight: 0.45, 'weight of the trimmer': 0.8, third: 0.9 };
  const others = ['weight of the trimmer', 'third'];
  const alone = await searched('weight', others, scores, ['weight']);
  expect(alone).toEqual({ asked: ['weight'], found: 'weight' });
  const continued = await searched('weight', others, scores, ['weight'], { mayFollow: true });
  expect(continued).toEqual({ asked: ['weight', 'weight of the trimmer'], found: 'weight of the trimmer' });
});

test('does not answer with the topic of the message before alone', async () => {
  const scores = { warranty: 0.1, 'the trimmer': 0.6 };
  const added = await searched('warranty', ['the trimmer'], scores, ['months'], { addsTopic: true });
  expect(added.found).toBe('warranty');
});
