import { describe, expect, test } from 'vitest';
import { type Expectation, type Given, judge } from '../../../core/evaluation/judge.ts';

const nothing: Expectation = {
  expects: 'nothing',
  accepted: [],
  documentId: null,
  section: null,
  said: null,
};
const wanted = (fields: Partial<Expectation>): Expectation => ({ ...nothing, expects: 'answer', ...fields });
const given = (fields: Partial<Given> = {}): Given => ({
  tier: 'answer',
  text: 'You can return a box within **30 days**.',
  used: [{ documentId: 'doc_1', section: 'Returns' }],
  ...fields,
});
const outcomeOf = (expectation: Expectation, answer: Given) => judge(expectation, answer).outcome;

describe('an answer to a question that has one', () => {
  test('is right with one of the accepted texts, whatever its case, spaces and punctuation', () => {
    expect(outcomeOf(wanted({ accepted: ['60 days', 'within 30  Days'] }), given())).toBe('right');
    expect(outcomeOf(wanted({ accepted: ['60 days'] }), given())).toBe('wrong');
  });

  test('is unsure if it says so and is right, and wrong if it says so and is wrong', () => {
    expect(outcomeOf(wanted({ accepted: ['30 days'] }), given({ tier: 'maybe' }))).toBe('unsure');
    expect(outcomeOf(wanted({ accepted: ['60 days'] }), given({ tier: 'maybe' }))).toBe('wrong');
  });

  test('is refused if none was given, also one whose fallback text has an accepted word', () => {
    expect(outcomeOf(wanted({ accepted: ['30 days'] }), given({ tier: 'none' }))).toBe('refused');
  });

  test('is judged by the section it rests on if no text is known', () => {
    const expected = { documentId: 'doc_1', section: 'Returns' };
    expect(outcomeOf(wanted(expected), given())).toBe('right');
    expect(outcomeOf(wanted({ ...expected, section: 'Gift cards' }), given())).toBe('wrong');
    expect(outcomeOf(wanted({ ...expected, section: null }), given())).toBe('right');
    expect(outcomeOf(wanted({ documentId: 'doc_2' }), given())).toBe('wrong');
  });

  test('needs all numbers and most words of what should have been said', () => {
    const said = 'Returns are possible for 30 days.';
    expect(outcomeOf(wanted({ said }), given({ text: 'You have 30 days for possible returns.' }))).toBe(
      'right',
    );
    expect(outcomeOf(wanted({ said }), given({ text: 'Returns are possible for 60 days.' }))).toBe('wrong');
    expect(outcomeOf(wanted({ said }), given({ text: 'We open at 30 past nine.' }))).toBe('wrong');
  });

  test('gives the reason', () => {
    expect(judge(wanted({ accepted: ['60 days'] }), given()).because).toBe(
      'The answer has none of the accepted texts.',
    );
  });
});

test('a question without an answer is right if none is given', () => {
  expect(outcomeOf(nothing, given({ tier: 'none' }))).toBe('right');
  expect(outcomeOf(nothing, given({ tier: 'maybe' }))).toBe('unsure');
  expect(outcomeOf(nothing, given())).toBe('wrong');
});
