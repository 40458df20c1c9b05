import { expect, test } from 'vitest';
import { findFaults, gradeVisit } from './grade-visit.ts';
import type { Visit, VisitorMessage } from './visitor-message.ts';

const fact: VisitorMessage = {
  kind: 'fact',
  message: 'What does it cost?',
  turns: [],
  expect: ['£12', 'a month|monthly'],
  forbid: ['£99'],
  exception: [],
  evidence: [],
  blind: false,
};

function grade(visit: Partial<Visit>, message: Partial<VisitorMessage> = {}) {
  return gradeVisit({
    message: { ...fact, ...message },
    answer: '',
    confidence: 'high',
    sources: ['a passage'],
    ...visit,
  });
}

test('an answer with every expected string is right, whatever its markup', () => {
  expect(grade({ answer: '| **£12** | a\nmonth |' })).toBe('right');
});

test('an answer with some of them, or with all and a forbidden one, is half right; any other is wrong', () => {
  expect(grade({ answer: 'It costs £12.' })).toBe('half');
  expect(grade({ answer: 'It costs £12 a month or £99 a year.' })).toBe('half');
  expect(grade({ answer: 'It costs £12 or £99.' })).toBe('wrong');
  expect(grade({ answer: 'It costs £120.' })).toBe('wrong');
});

test('an answer of low confidence is refused, which is right where the documents hold none', () => {
  expect(grade({ answer: '£12 a month', confidence: 'low' })).toBe('refused');
  expect(grade({ confidence: 'low' }, { kind: 'not-in-documents' })).toBe('right');
  expect(grade({}, { kind: 'near-miss' })).toBe('wrong');
});

test('small talk with sources was taken for a question', () => {
  expect(grade({ answer: 'Hello!', sources: [] }, { kind: 'small-talk' })).toBe('right');
  expect(grade({ answer: 'Hello!' }, { kind: 'small-talk' })).toBe('wrong');
});

test.each([
  ['cut fence', 'Run this:\n```bash\nstart'],
  ['trailing colon', 'Do the following:'],
  ['points nowhere', 'Clean the pump, as described below.'],
  ['trailing colon', '**How?**\nDo this:\n\n**When?**\nNow.'],
] as const)('%s is a fault', (fault, answer) => {
  expect(findFaults({ answer, sources: [] })).toEqual([fault]);
});

test('some steps of a list are a fault, unless the answer says that more follow', () => {
  const sources = ['Return\n1. Sign in.\n2. Print the label.\n   Any printer will do.\n3. Pack it.'];
  expect(findFaults({ answer: '1. Sign in.\n2. Print the label.', sources })).toEqual(['cut list']);
  expect(findFaults({ answer: '1. Sign in.\n2. Print the label.\n… and 1 more', sources })).toEqual([]);
  expect(findFaults({ answer: '1. Sign in.\n2. Print the label.\n3. Pack it.', sources })).toEqual([]);
});
