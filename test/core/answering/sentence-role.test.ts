import { expect, it } from 'vitest';
import { classifySentence } from '../../../core/answering/extractive/score-sentences.ts';

it.each([
  ['The hut opens in June.', 'statement'],
  ['How do I get there?', 'heading'],
  ['Getting there by train', 'heading'],
  ['Please bring:', 'lead-in'],
  ['- a torch', 'item'],
  ['2. Close the valve.', 'item'],
  ['Colour: red; Price: 5 euros', 'row'],
  ['It is closed in winter.', 'continuation'],
  ['Dieser Preis gilt nur im Mai.', 'continuation'],
  ['Opening hours: 9 to 5', 'statement'],
])('"%s" is a %s', (sentence, role) => {
  expect(classifySentence(sentence, false)).toBe(role);
});

it('treats the last line of a passage as a statement, because nothing follows that it could announce', () => {
  expect(classifySentence('Open from June to October', true)).toBe('statement');
});

it('never treats a line in a script without sentence marks as a topic', () => {
  expect(classifySentence('ร้านเปิดทุกวัน', false)).toBe('statement');
  expect(classifySentence('每天九点开门', false)).toBe('statement');
});
